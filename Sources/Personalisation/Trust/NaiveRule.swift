/// A forecast that needs no model: what one has to beat.
public enum NaiveRule: Hashable, Sendable, CaseIterable {
  /// The person's own mean so far.
  case mean
  /// The last known value.
  case yesterday
  /// The last known value of the same weekday.
  case weekday
  /// The mean of the last 7 days.
  case mean7
  /// The mean of the last 28 days.
  case mean28
  /// The own mean of the weekday, as if four more days at the own mean lay on it.
  case weekdayMean
  /// The own mean, and of the last value's distance from it as much as past days kept: a first-order autoregression.
  case persistence
  /// The own mean, and of the 7-day mean's distance from it as much as past days kept.
  case shrunkenMean
  /// Exponential means with half-lives of 3, 7 and 28 days.
  case exponential3, exponential7, exponential28
  /// The mean of the last 28 days, moved by what is the person's own on that weekday: the mean distance of
  /// its values from the own mean, as if four more lay on it.
  case weekdayLevel

  /// The rules that scores are compared with.
  public static let baselines: [NaiveRule] = [
    .mean, .yesterday, .weekday, .mean7, .mean28, .weekdayMean, .persistence, .shrunkenMean,
  ]

  /// The weight that the combination begins with, relative to the others: the last value of the same
  /// weekday is as noisy as yesterday's and seven times as old.
  var prior: Double { self == .weekday ? 0.25 : 1 }

  /// The name in tables and JSON.
  public var name: String {
    switch self {
    case .mean: "mean"
    case .yesterday: "yesterday"
    case .weekday: "weekday"
    case .mean7: "mean7"
    case .mean28: "mean28"
    case .weekdayMean: "weekday mean"
    case .persistence: "persistence"
    case .shrunkenMean: "shrunken mean"
    case .exponential3: "half-life 3 d"
    case .exponential7: "half-life 7 d"
    case .exponential28: "half-life 28 d"
    case .weekdayLevel: "weekday level"
    }
  }

  /// What the rule takes, in words for the person.
  ///
  /// - Parameter isBinary: of a yes/no target a rule takes shares of days rather than values.
  func words(isBinary: Bool) -> String {
    let mean = isBinary ? "your share" : "your mean"
    return switch self {
    case .mean: "\(mean) of all days"
    case .yesterday: isBinary ? "\(mean) of the days after one like the last" : "the last value"
    case .weekday: isBinary ? "\(mean) of that weekday" : "the last value of that weekday"
    case .mean7: "\(mean) of the last 7 days"
    case .mean28: "\(mean) of the last 28 days"
    case .weekdayMean: "\(mean) of that weekday"
    case .persistence: "the last value, drawn towards \(mean)"
    case .shrunkenMean: "\(mean) of the last 7 days, drawn towards that of all days"
    case .exponential3: "\(mean) with a half-life of 3 days"
    case .exponential7: "\(mean) with a half-life of 7 days"
    case .exponential28: "\(mean) with a half-life of 28 days"
    case .weekdayLevel: "\(mean) of the last 28 days, moved by the weekday"
    }
  }
}
