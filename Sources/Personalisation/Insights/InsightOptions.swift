public import DayLog

/// What the search for insights may be told; the defaults are the product's.
public struct InsightOptions: Hashable, Sendable {
  /// How many days up to the end of the week are looked at: what held years ago need not hold now.
  public var lookback = 365
  /// The share of shown insights that may be there by chance alone, on average.
  public var falseDiscoveryRate = 0.10
  /// How many days before the outcome the other metric is looked at; 0 is the same day.
  public var lags = [0, 1, 2]
  /// Whether the mean of the seven days before the outcome is looked at too.
  public var looksAtWeeks = true
  /// The share of people with nothing to find who are ever told an established insight in a year of weekly reports.
  public var yearlyError = 0.10
  /// The outcomes that insights are looked for. Nil takes every metric, and lets those that only the person can
  /// tell (ratings and symptoms) have most of the error budget.
  public var outcomes: [Metric]?
  /// Pairs of metrics with fewer days in common are not tested.
  public var leastDays = 28
  /// Both metrics of a pair must differ from their most frequent value on so many days.
  public var leastVariedDays = 8
  /// Days with a value below which a week has no mean.
  public var leastWeekDays = 3

  /// The defaults.
  public init() {}
}

extension Metric {
  /// Whether only the person can tell its value: a symptom or one of the ratings known by name.
  public var isFelt: Bool { isSymptom || Self.ratings.contains(name) }

  private static let ratings: Set<String> = [
    "alert", "anxiety", "calm", "content", "creativity", "energy", "fatigue", "focus", "happy",
    "meaning", "mood", "motivation", "pain", "productivity", "relaxed", "rested_relaxed", "sad",
    "sleep_quality", "soreness", "stress", "tense_anxious", "tired", "wellbeing",
  ]
}
