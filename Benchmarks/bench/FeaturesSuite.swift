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
    let raw = Contender {
      Raw.features(values: values, days: days, metrics: metrics, columns: columns)
    }
    let samples = try Stopwatch.race([raw], seconds: 0.6)
    var outcome = Outcome(suite: .features, workload: "W8", shape: "M")
    outcome.take(samples[0])
    run.add(outcome)
    run.clearProgress()
    print(CoreSuite.table([outcome]), "\n")
  }
}
