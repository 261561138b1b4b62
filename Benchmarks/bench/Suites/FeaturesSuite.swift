internal import DayLog
internal import Personalisation
import Time

/// Columns out of days: ten years of twelve metrics.
enum FeaturesSuite {
  static let days = 3650
  static let metrics = 12

  static let workloads: [(name: String, summary: String)] = [
    ("W8", "3,650 days x 12 metrics, 8 % missing, into 283 columns")
  ]

  /// The values, metric after metric; NaN where missing.
  static func values() -> Buffer {
    var numbers = SeededNumbers(seed: 8)
    let values = Buffer(count: days * metrics)
    for i in 0..<values.count {
      values[i] = numbers.uniform() < 0.08 ? .nan : 50 + 10 * numbers.normal()
    }
    return values
  }

  static func run(_ run: inout Run) throws {
    guard run.wants("W8 M") else { return }
    run.show("W8 M")
    let values = values()
    let columns = Buffer(count: days * (23 * metrics + 7))
    let table = try Self.table(values)
    let spec = FeatureSpec.benchmark(table.metrics)
    let range = table.firstDay..<table.endDay
    let samples = try Stopwatch.race(
      [
        Contender { _ = FeatureMatrix(spec, of: table, days: range) },
        Contender { Raw.features(values: values, days: days, metrics: metrics, columns: columns) },
      ], seconds: 0.8)
    let before = Raw.allocations
    let made = FeatureMatrix(spec, of: table, days: range)
    var outcome = Outcome(suite: .features, workload: "W8", shape: "M")
    outcome.allocations = Raw.allocations.flatMap { after in before.map { Double(after - $0) } }
    outcome.take(samples[0], limit: samples[1])
    outcome.error = departure(of: made, from: columns)
    run.add([Measured(outcome: outcome, answer: sums(of: made))])
    run.report("features", CoreSuite.table([outcome]))
  }

  /// The values as a table of days; it begins on a Monday, as the raw columns do.
  private static func table(_ values: Buffer) throws -> DayTable {
    let names = (0..<metrics).compactMap { Metric("metric_\($0 < 10 ? "0" : "")\($0)") }
    return DayTable(
      firstDay: CalendarDay(number: 16_804), dayCount: days, metrics: names, values: values.values)
  }

  /// The largest difference of any column, relative to the largest value of the raw one.
  private static func departure(of made: FeatureMatrix, from columns: Buffer) -> Double {
    var worst = 0.0
    for column in 0..<made.spec.features.count {
      var (difference, largest) = (0.0, 0.0)
      for day in 0..<days {
        let (ours, raw) = (made[day, column], columns[column * days + day])
        // Both missing is agreement, one missing is not.
        if ours.isNaN && (raw.isNaN || raw.isInfinite) { continue }
        difference = max(difference, ours.isNaN || raw.isNaN ? .infinity : abs(ours - raw))
        largest = max(largest, abs(raw))
      }
      if difference > 0 { worst = max(worst, difference / largest) }
    }
    return worst
  }

  /// How many columns, and the sum of each over the values present.
  private static func sums(of made: FeatureMatrix) -> ContiguousArray<Double> {
    let count = made.spec.features.count
    var sums: ContiguousArray<Double> = [Double(count)]
    for column in 0..<count {
      sums.append(
        (0..<days).reduce(0) { sum, day in
          let value = made[day, column]
          return value.isNaN ? sum : sum + value
        })
    }
    return sums
  }
}
