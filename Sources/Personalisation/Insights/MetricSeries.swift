internal import DayLog

/// One metric over the days looked at, as tests need it: as ranks, a symptom as there (1) or not (0).
///
/// The ranks are turned into normal scores. Tests on them hold whatever the distribution of the values, one wild
/// day counts no more than one day, and little is lost where the values are normal (*Asymptotic normality and
/// efficiency of certain nonparametric test statistics*, Chernoff and Savage, Ann. Math. Statist. 29, 1958).
struct MetricSeries {
  let metric: Metric
  /// The normal scores of the values, one a day, NaN where missing.
  let scores: ContiguousArray<Double>
  /// The positions of the days with a value.
  let days: [Int]
  /// How much the value grows, in its own unit, for 1 of the score: the slope of the values on their
  /// scores. For normal values it is their standard deviation.
  let scale: Double
  /// A round number near ``scale``, which differences are told for; 1 for what is there or not.
  let step: Double
  /// Whether the values are 0 and 1 alone: there or not.
  let isYesNo: Bool
  /// The mean score of the seven days before each day; NaN where fewer than ``leastWeekDays`` of them have one.
  let weekBefore: ContiguousArray<Double>

  /// What the metric is a measure of.
  let kinship: MetricKinship
  /// The place of each day's value among the distinct ones, and how many of them there are.
  private let places: ContiguousArray<Int>
  private let distinctCount: Int

  /// Days with a value below which a week has no mean.
  static let leastWeekDays = 4

  /// The series of a column; what is not finite is missing.
  init(_ metric: Metric, _ column: some Collection<Double>) {
    self.metric = metric
    var scores = ContiguousArray(
      column.map { value in
        value.isFinite ? (metric.isSymptom ? (value > 0 ? 1.0 : 0) : value) : .nan
      })
    let days = scores.indices.filter { !scores[$0].isNaN }
    let values = ContiguousArray(days.map { scores[$0] })
    let ranked = NormalScores.of(values)
    for (position, score) in zip(days, ranked) { scores[position] = score }
    self.scores = scores
    self.days = days
    kinship = MetricKinship(metric)
    var places = ContiguousArray(repeating: 0, count: scores.count)
    var distinctCount = 0
    let order = days.sorted { scores[$0] < scores[$1] }
    for (place, day) in order.enumerated() {
      if place == 0 || scores[day] != scores[order[place - 1]] { distinctCount += 1 }
      places[day] = distinctCount - 1
    }
    (self.places, self.distinctCount) = (places, distinctCount)
    scale = Self.slope(of: values, on: ranked)
    isYesNo = metric.isSymptom || (values.contains(1) && values.allSatisfy { $0 == 0 || $0 == 1 })
    step = isYesNo ? 1 : Self.round(scale)
    weekBefore = Self.weekBefore(scores)
  }

  /// The score that stands for the days before position `day` in a test: that of one day, or the mean of a week.
  func score(before day: Int, _ lag: Int, window: Int) -> Double {
    window == 1 ? scores[day - lag] : weekBefore[day - lag + 1]
  }

  private static func weekBefore(_ scores: ContiguousArray<Double>) -> ContiguousArray<Double> {
    ContiguousArray(
      scores.indices.map { day in
        let known = scores[max(0, day - 7)..<day].filter { !$0.isNaN }
        guard known.count >= leastWeekDays else { return .nan }
        return known.reduce(0, +) / Double(known.count)
      })
  }

  /// On how many of the days at these positions the value is not the most frequent one.
  ///
  /// - Complexity: O(*n*).
  func variedDays(_ days: some Collection<Int>) -> Int {
    var counts = ContiguousArray(repeating: 0, count: distinctCount)
    for day in days { counts[places[day]] += 1 }
    return days.count - (counts.max() ?? 0)
  }

  private static func slope(
    of values: ContiguousArray<Double>, on scores: ContiguousArray<Double>
  ) -> Double {
    // Scores that share the rank of equal values do not add up to 0, so both sides are centred on their means.
    // Divided first, no sum of values overflows.
    let count = Double(scores.count)
    let centre = scores.reduce(0) { $0 + $1 / count }
    let middle = values.reduce(0) { $0 + $1 / 2 / count }
    let squares = scores.reduce(0) { $0 + ($1 - centre) * ($1 - centre) }
    guard squares > 0 else { return 0 }
    return zip(values, scores).reduce(0) { $0 + ($1.0 / 2 - middle) * (($1.1 - centre) / squares) }
      * 2
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
