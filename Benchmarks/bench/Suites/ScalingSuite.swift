internal import DayLog
internal import Diurnal
internal import HealthImport
internal import Learning
internal import LinearAlgebra
import Time

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// How cost grows: a sweep over sizes with the exponent of a fitted power, as a table and a chart.
enum ScalingSuite {
  static let workloads: [(name: String, summary: String)] = [
    ("fit against days", "a ridge fit of 200 features on 456 to 7,300 days"),
    ("fit against features", "a ridge fit on 3,650 days of 25 to 400 features"),
    ("update against days", "one row appended to a state of 100 features and 365 to 23,360 days"),
    ("import against bytes", "an export of 2 to 16 MB, its time and the memory it adds"),
  ]

  static func run(_ run: inout Run) throws {
    var curves: [Growth] = []
    if run.wants("fit against days") { curves.append(try fitAgainstDays(run)) }
    if run.wants("fit against features") { curves.append(try fitAgainstFeatures(run)) }
    if run.wants("update against days") { curves.append(try updateAgainstDays(run)) }
    if run.wants("import against bytes") { curves += try importAgainstBytes(run) }
    for curve in curves { run.add(curve) }
    guard !curves.isEmpty else { return }
    run.report("scaling", table(curves))
    try draw(curves, run)
  }

  private static func fitAgainstDays(_ run: Run) throws -> Growth {
    let sizes = [456, 912, 1825, 3650, 7300]
    return try growth(run, "fit against days", sizes) { days in
      try fit(Design(rowCount: days, columnCount: run.options.isQuick ? 100 : 200))
    }
  }

  private static func fitAgainstFeatures(_ run: Run) throws -> Growth {
    let sizes = run.options.isQuick ? [25, 50, 100, 200] : [25, 50, 100, 200, 400]
    return try growth(run, "fit against features", sizes) { features in
      try fit(Design(rowCount: 3650, columnCount: features))
    }
  }

  private static func updateAgainstDays(_ run: Run) throws -> Growth {
    try growth(run, "update against days", [365, 1460, 5840, 23_360]) { days in
      let design = Design(rowCount: days, columnCount: 100, laterRowCount: 64)
      let features = try Matrix(
        columnMajor: design.x.values, rowCount: days, columnCount: design.columnCount)
      let (rows, targets) = (design.laterRows, design.laterTargets)
      let trained = try StreamingRidge(
        RidgeRegression(penalty: 1), features, target: design.y.values)
      var state = trained
      var coefficients = ContiguousArray(repeating: 0.0, count: design.columnCount)
      return Contender(count: rows.count) {
        state = trained
        try state.restandardise()
      } _: { i in
        try state.add(rows[i], target: targets[i])
        _ = state.writeCoefficients(into: &coefficients)
      }
    }
  }

  /// Time and added memory of an import.
  private static func importAgainstBytes(_ run: Run) throws -> [Growth] {
    run.show("import against bytes")
    let sizes = run.options.isQuick ? [2, 4, 8, 16] : [8, 16, 32, 64]
    let options = ImportOptions(now: Instant(seconds: 1_767_254_400))
    var times: [Double] = []
    var memory: [Double] = []
    let path = "\(run.folder)/sweep.xml"
    for size in sizes {
      guard Raw.writeExport(path, bytes: size * 1_000_000, seed: 10) else { return [] }
      _ = try ImportSuite.batch(path, options)
      Raw.resetPeak()
      var samples = Samples()
      for _ in 0..<3 {
        samples.add(try Stopwatch.time { _ = try ImportSuite.batch(path, options) })
      }
      times.append(samples.cpu(0.5))
      memory.append(Raw.peakBytes)
    }
    let bytes = sizes.map { Double($0) * 1e6 }
    return [
      Growth(name: "import against bytes", sizes: bytes, costs: times),
      Growth(name: "peak memory of an import against bytes", sizes: bytes, costs: memory),
    ]
  }

  private static func fit(_ design: Design) throws -> Contender {
    let features = try Matrix(
      columnMajor: design.x.values, rowCount: design.rowCount, columnCount: design.columnCount)
    let target = design.y.values
    return Contender { _ = try RidgeRegression(penalty: 1).fit(features, target: target) }
  }

  /// The median cost at each size; the sizes take turns, so that a busy moment hits them alike.
  private static func growth(
    _ run: Run, _ name: String, _ sizes: [Int], _ contender: (Int) throws -> Contender
  ) throws -> Growth {
    run.show(name)
    let samples = try Stopwatch.race(
      try sizes.map(contender), seconds: run.options.isQuick ? 0.3 : 0.8)
    return Growth(name: name, sizes: sizes.map(Double.init), costs: samples.map { $0.cpu(0.5) })
  }

  static func table(_ curves: [Growth]) -> String {
    var table = Table(["growth", "size", "cost", "exponent"])
    for curve in curves {
      let isMemory = curve.name.contains("memory")
      for (i, (size, cost)) in zip(curve.sizes, curve.costs).enumerated() {
        table.add([
          i == 0 ? curve.name : "", Format.fixed(size, 0),
          isMemory ? Format.memory(bytes: cost) : Format.time(seconds: cost),
          i == 0 ? Format.fixed(curve.exponent, 2) : "",
        ])
      }
    }
    return table.text
  }

  private static func draw(_ curves: [Growth], _ run: Run) throws {
    let file = try BenchOutputs.chart(run.options)
    let chart = Chart(title: BenchOutputs.chartTitle, curves: curves)
    try file.write(Array(chart.svg.utf8))
    print("chart: \(file.path)\n")
  }
}
