internal import Learning
internal import LinearAlgebra

/// W9: the last days forecast one after the other, each by an exact refit on the days before it.
struct RollingWorkloads: CoreWorkloads {
  let data: CoreData
  private let target: ContiguousArray<Double>
  private let origin: RollingOrigin

  init(_ data: CoreData) {
    self.data = data
    target = data.design.y.values
    let rowCount = data.design.rowCount
    origin = RollingOrigin(
      leastRows: rowCount - Self.scoredCount(rowCount: rowCount), scaleInterval: 28)
  }

  /// Days that are forecast: the last 1,000, or the last half.
  static func scoredCount(rowCount: Int) -> Int { min(1000, rowCount / 2) }

  var all: [(name: String, measure: (Measured) throws -> Measured)] {
    [
      ("W9", { try measure($0, [lambda]) }),
      ("W9 path", { try measure($0, ContiguousArray(CoreSuite.ridgePath)) }),
    ]
  }

  /// All forecasts beside the raw chain of updates and solves for one penalty.
  private func measure(
    _ measured: Measured, _ penalties: ContiguousArray<Double>
  ) throws -> Measured {
    let work = Raw.rollingWorkspace(design)
    let forecasts = Buffer(count: Self.scoredCount(rowCount: design.rowCount))
    let ours = Contender { _ = try origin.evaluate(penalties, features, target: target) }
    let raw = Contender {
      _ = Raw.rollingRidge(design, lambda: lambda, work: work, forecasts: forecasts)
    }
    let samples = try Stopwatch.race(
      penalties.count == 1 ? [ours, raw] : [ours], seconds: isQuick ? 0.1 : 1.5)
    let found = try origin.evaluate(penalties, features, target: target)
    let position = penalties.firstIndex(of: lambda) ?? 0
    var measured = measured
    measured.outcome.take(samples[0], limit: samples.count > 1 ? samples[1] : nil)
    let (expected, days) = try reference(penalties[position])
    let ofThem = days.map { found.forecasts(position: position)[$0 - found.rows.lowerBound] }
    measured.outcome.error = Departure.relative(ofThem, from: expected)
    measured.outcome.note = "\(found.rows.count) days, \(penalties.count) λ"
    if penalties.count == 1 { measured.answer = found.forecasts() }
    return measured
  }

  /// The forecasts of some days by another road: QR of the days before, with the scales of the days before
  /// their stretch, accurate to the last digits.
  private func reference(_ penalty: Double) throws -> (forecasts: [Double], days: [Int]) {
    let first = origin.leastRows
    var (forecasts, days): ([Double], [Int]) = ([], [])
    for day in stride(from: first, to: design.rowCount, by: (design.rowCount - first) / 8) {
      let past = features.rows(0..<(day - (day - first) % origin.scaleInterval))
      let scales = (0..<design.columnCount).map { j in Self.deviation(past.column(j)) }
      var x = ContiguousArray<Double>()
      for j in 0..<design.columnCount {
        x += features.column(j)[..<day].map { $0 / scales[j] }
      }
      guard
        let w = Raw.referenceRidge(
          x: Buffer(x), y: Buffer(ContiguousArray(target[..<day])),
          columnCount: design.columnCount, lambda: penalty)
      else { continue }
      var forecast = w[design.columnCount]
      for j in 0..<design.columnCount { forecast += w[j] * features[day, j] / scales[j] }
      forecasts.append(forecast)
      days.append(day)
    }
    return (forecasts, days)
  }

  /// The population standard deviation.
  private static func deviation(_ column: ContiguousArray<Double>) -> Double {
    let mean = column.reduce(0, +) / Double(column.count)
    return (column.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(column.count))
      .squareRoot()
  }
}
