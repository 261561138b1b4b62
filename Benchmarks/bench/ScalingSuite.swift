internal import Learning
internal import LinearAlgebra

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
  ]

  static func run(_ run: inout Run) throws {
    var curves: [Growth] = []
    if run.wants("fit against days") { curves.append(try fitAgainstDays(run)) }
    if run.wants("fit against features") { curves.append(try fitAgainstFeatures(run)) }
    for curve in curves { run.add(curve) }
    run.clearProgress()
    guard !curves.isEmpty else { return }
    print(table(curves), "\n")
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
    let usual = ReleaseBuild.checkout.appending(path: ".build/bench-scaling.svg").path
    let path = run.options.chartPath ?? usual
    let chart = Chart(title: "How cost grows", curves: curves)
    try Data(chart.svg.utf8).write(to: URL(filePath: path))
    print("chart: \(path)\n")
  }
}
