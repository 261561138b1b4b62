internal import DayLog

/// One metric over the days looked at, as tests need it: a symptom as there (1) or not (0), and the ranks.
struct MetricSeries {
  let metric: Metric
  /// One a day, NaN where missing.
  let values: ContiguousArray<Double>
  /// The normal scores of the values, NaN where missing.
  let scores: ContiguousArray<Double>
  /// The positions of the days with a value.
  let days: [Int]
  /// What ``values`` were divided by to keep sums of squares in range.
  let unit: Double
  /// A round number near the standard deviation, in the metric's own unit.
  let step: Double

  init(_ metric: Metric, _ column: some Collection<Double>) {
    self.metric = metric
    let finite = column.map { value in
      value.isFinite ? (metric.isSymptom ? (value > 0 ? 1.0 : 0) : value) : .nan
    }
    let unit = finite.reduce(0) { $1.isNaN ? $0 : max($0, abs($1)) }
    let scaled = ContiguousArray(finite.map { unit > 0 ? $0 / unit : $0 })
    let days = scaled.indices.filter { !scaled[$0].isNaN }
    let known = ContiguousArray(days.map { scaled[$0] })
    var scores = scaled
    for (position, score) in zip(days, NormalScores.of(known)) { scores[position] = score }
    self.unit = unit > 0 ? unit : 1
    self.values = scaled
    self.scores = scores
    self.days = days
    step = metric.isSymptom ? 1 : Self.round(Self.deviation(known) * self.unit)
  }

  /// On how many of `days` the value is not the most frequent one.
  func variedDays(_ days: [Int]) -> Int {
    let sorted = days.map { values[$0] }.sorted()
    var (longest, run) = (0, 0)
    for index in sorted.indices {
      run = index > 0 && sorted[index] == sorted[index - 1] ? run + 1 : 1
      longest = max(longest, run)
    }
    return sorted.count - longest
  }

  private static func deviation(_ values: ContiguousArray<Double>) -> Double {
    guard values.count > 1 else { return 0 }
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(values.count - 1)).squareRoot()
  }

  /// The nearest of 1, 2 and 5 times a power of ten; 1 for what has none.
  private static func round(_ value: Double) -> Double {
    guard value.isFinite, value > 1e-300 else { return 1 }
    var power = 1.0
    while power * 10 <= value { power *= 10 }
    while power > value { power /= 10 }
    let digits = value / power
    return power * (digits < 1.5 ? 1 : digits < 3.5 ? 2 : digits < 7.5 ? 5 : 10)
  }
}
