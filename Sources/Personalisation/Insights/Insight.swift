public import DayLog
public import Time

/// Which pair of metrics a test was about: the outcome on a day, and another metric some days before it.
public struct InsightPair: Hashable, Sendable {
  /// What is explained in numbers.
  public let outcome: Metric
  /// What it may go with.
  public let factor: Metric
  /// How many days before the outcome the factor is looked at; 0 is the same day.
  public let lag: Int
  /// How many days the factor is averaged over, of which the day `lag` days before the outcome is the last: 1, or 7 for
  /// the week before.
  public let window: Int

  /// The pair of an outcome and a factor `lag` days before it.
  public init(outcome: Metric, factor: Metric, lag: Int, window: Int = 1) {
    (self.outcome, self.factor, self.lag, self.window) = (outcome, factor, lag, window)
  }
}

/// Two metrics that go together in a person's log beyond what chance explains. It says nothing about what
/// brings about what.
public struct Insight: Equatable, Sendable {
  /// Which metrics, and how many days apart.
  public let pair: InsightPair
  /// How many days have both.
  public let dayCount: Int
  /// The difference in the factor that ``effect`` is for: a round number near its standard deviation, in its own
  /// unit; 1 for what is there or not, and a seventh of that for the share of a week's days that have it.
  public let step: Double
  /// How much the outcome differs, in its own unit, on days on which the factor is ``step`` higher; for what is there
  /// or not the share of days with it, -1 to 1. Weekday, level, what yesterday's outcome carries over, and the same
  /// factor's other days that hold beside this one are taken out. It is found in ranks, and told in units by how
  /// far apart values of neighbouring ranks lie.
  public let effect: Double
  /// The interval around ``effect``; it never holds 0.
  public let interval: ClosedRange<Double>
  /// The coverage of this interval by itself. It is set so that of all intervals shown, less than the false
  /// discovery rate miss on average.
  public let coverage: Double
  /// The correlation of the ranks of what is left of both.
  public let correlation: Double
  /// The probability of a correlation at least as far from 0 were there none.
  public let probability: Double
  /// Whether it stands against a whole year of weekly looks: it keeps to a bound by which at most one in ten people with
  /// nothing to find is ever told such an insight in a year. Any other insight is a first sight: of those shown in one
  /// report about one in ten is there by chance.
  public let isEstablished: Bool
  /// Whether the outcome is there or not, such as a symptom, rather than more or less.
  public let outcomeIsYesNo: Bool
  /// Whether the factor is there or not.
  public let factorIsYesNo: Bool
  /// The stronger insight that says the same of a metric akin to this one's; nil where there is none.
  public let twin: InsightPair?
}

/// A pair that was looked at and is not shown.
public struct UnshownPair: Equatable, Sendable {
  /// Which metrics, and how many days apart.
  public let pair: InsightPair
  /// How many days have both.
  public let dayCount: Int
  /// The probability found; nil where the pair was not tested.
  public let probability: Double?
  /// Why there is nothing to show of it.
  public let reason: Reason

  /// Why a pair is not shown.
  public enum Reason: String, Sendable, CaseIterable {
    /// Too few days have both.
    case tooFewDays = "too-few-days"
    /// One of them is the same on nearly all days that have both.
    case hardlyVaries = "hardly-varies"
    /// Both measure one thing, by their names or by how close they are: a finding would be about how they are made.
    case sameThing = "same-thing"
    /// Its own interval at the false discovery rate holds 0.
    case intervalHoldsZero = "interval-holds-zero"
    /// It would stand if it were the only test, but not among all of them.
    case notAmongSoMany = "not-among-so-many"
    /// Without the two weeks that speak most for it, nothing is left of it.
    case restsOnFewDays = "rests-on-few-days"
    /// What the same two metrics show at another lag explains it.
    case echo = "echo"

    /// Whether the pair was tested, and counts among the tests.
    public var isTested: Bool {
      switch self {
      case .tooFewDays, .hardlyVaries, .sameThing: false
      case .intervalHoldsZero, .notAmongSoMany, .restsOnFewDays, .echo: true
      }
    }
  }
}

/// A metric of which no pair was tested.
public struct UntestedMetric: Equatable, Sendable {
  /// The metric, by its name in the log.
  public let metric: Metric
  /// Why there is nothing to show of it.
  public let reason: Reason

  /// Why no pair of it was tested.
  public enum Reason: Equatable, Sendable {
    /// Fewer days of the time looked at have a value than a test needs.
    case tooFewDays(Int)
    /// It has nearly the same value on every day.
    case hardlyVaries
    /// It follows another metric day by day, and that one is tested.
    case copy(of: Metric)
  }
}

/// What a week was like, and what holds of a person's log up to its end.
public struct InsightReport: Equatable, Sendable {
  /// The week that is summed up.
  public let week: ISOWeek
  /// The day of asking. It is open: it shows in its week and takes no part in any test.
  public let today: CalendarDay
  /// The days that were looked at for what holds: closed days only. Nil where there are none.
  public let days: ClosedRange<CalendarDay>?
  /// Every metric of the log, by name.
  public let metrics: [MetricWeek]
  /// Days in a row with anything logged, as of the day of asking.
  public let streak: Streak
  /// What holds, the least likely by chance first.
  public let insights: [Insight]
  /// Those established insights that were not yet established a week earlier.
  public let news: [InsightPair]
  /// What was established a week earlier and is not any more, as it stood then.
  public let lost: [Insight]
  /// Stretches of days that no insight rests on, because many metrics moved together then, as on a trip, in an illness or
  /// with another device.
  public let sharedEvents: [ClosedRange<CalendarDay>]
  /// What was looked at and is not shown, by outcome, factor and lag.
  public let unshown: [UnshownPair]
  /// The metrics that no test is about, by name.
  public let untested: [UntestedMetric]
  /// How many tests were made; every one counts in the control of false discoveries.
  public let testCount: Int
  /// The share of ``insights`` that may be there by chance alone, on average.
  public let falseDiscoveryRate: Double
}
