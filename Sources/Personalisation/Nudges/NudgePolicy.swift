import DayLog
public import Time

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Decides whether a nudge is shown: only what an open gate stands behind, at most one a day, never in quiet
/// hours, never where notifications are off.
///
/// It reads no clock and no store: what is needed comes in as arguments.
public struct NudgePolicy: Hashable, Sendable {
  /// Whether notifications are on; they are unless the person switched them off.
  public var notifications = true
  /// The hours in which nothing is shown.
  public var quietHours = QuietHours.standard

  /// The defaults: notifications on, quiet from 22:00 to 07:00.
  public init() {}

  /// Fewer hours after a nudge no other is sent, whatever the calendar says: a journey across zones can bring two
  /// days within one night.
  public static let leastHours = 12
  /// How far from what it is compared with a forecast value must be, as a share of half its interval.
  static let leastDeparture = 0.25
  /// How many times the odds of what it is compared with a probability must have, or the other way round.
  static let leastOddsRatio = 2.0
  /// What a forecast must depart from beside its best rule: the person's usual, of late and of all days, and what
  /// follows from the last days of the target alone. A forecast that only follows a good or bad spell is no news.
  public static let usual: [NaiveRule] = [.mean, .mean28, .persistence, .shrunkenMean]

  /// A moment as the person's clocks show it.
  public struct LocalTime: Hashable, Sendable {
    /// The person's own calendar day.
    public let day: CalendarDay
    /// Seconds after midnight on the clock on the wall, 0 to 86,399.
    public let secondOfDay: Int
    /// The moment itself.
    public let instant: Instant

    /// A moment on `day`.
    public init(day: CalendarDay, secondOfDay: Int, instant: Instant) {
      (self.day, self.secondOfDay, self.instant) = (day, secondOfDay, instant)
    }
  }

  /// A forecast that a nudge may be about.
  public struct Candidate: Hashable, Sendable {
    /// What is forecast.
    public let target: Target
    /// The day that it is forecast for.
    public let day: CalendarDay
    /// The forecast value, or the probability of yes.
    public let value: Double
    /// The interval around the value; nil where there is none.
    public let interval: ClosedRange<Double>?
    /// The naive rule with the least loss on past days.
    public let bestRule: NaiveRule
    /// What the naive rules say, at least ``bestRule`` and those of ``NudgePolicy/usual``.
    public let rules: [NaiveRule: Double]
    /// Whether the forecast has shown that it is better than the naive rules.
    public let isGateOpen: Bool
    /// How much less the forecast errs than that rule on days it did not know, 0 to 1.
    public let skill: Double

    /// A forecast.
    public init(
      target: Target, day: CalendarDay, value: Double, interval: ClosedRange<Double>?,
      bestRule: NaiveRule, rules: [NaiveRule: Double], isGateOpen: Bool, skill: Double
    ) {
      self.target = target
      self.day = day
      self.value = value
      self.interval = interval
      self.bestRule = bestRule
      self.rules = rules
      self.isGateOpen = isGateOpen
      self.skill = skill
    }

    /// What a model says.
    public init(_ prediction: Prediction) {
      self.init(
        target: prediction.target, day: prediction.day, value: prediction.value,
        interval: prediction.interval, bestRule: prediction.baseline.rule,
        rules: prediction.rules, isGateOpen: prediction.gate.isOpen,
        skill: prediction.gate.skill)
    }

    /// What the rule says, NaN where it is not known.
    func says(_ rule: NaiveRule) -> Double { rules[rule] ?? .nan }

    /// How far the forecast is from its best rule and from the person's usual, 1 being just noteworthy: the least of
    /// the distances; 0 where they differ in sign or one cannot be told.
    var departure: Double {
      let departures = ([bestRule] + NudgePolicy.usual).map { departure(from: says($0)) }
      let (least, most) = (departures.min() ?? 0, departures.max() ?? 0)
      return least > 0 ? least : most < 0 ? -most : 0
    }

    /// The signed distance from what a rule says; 0 where it cannot be told.
    private func departure(from other: Double) -> Double {
      guard value.isFinite, other.isFinite else { return 0 }
      if target.isBinary {
        func odds(_ probability: Double) -> Double {
          let bounded = min(max(probability, 0.01), 0.99)
          return log(bounded / (1 - bounded))
        }
        return (odds(value) - odds(other)) / log(NudgePolicy.leastOddsRatio)
      }
      guard let interval else { return 0 }
      // The half that an outcome at the rule's value would lie in.
      let half = value > other ? value - interval.lowerBound : interval.upperBound - value
      return half > 0 ? (value - other) / half / NudgePolicy.leastDeparture : 0
    }
  }

  /// The nudge to show now, or why there is none.
  ///
  /// Of several noteworthy forecasts the one furthest from its rule and the person's usual is taken; among equals the first by day,
  /// then by target.
  ///
  /// - Parameters:
  ///   - sent: when nudges were sent, at least those of the last two days, each with the person's day then.
  public func decide(
    _ candidates: [Candidate], at now: LocalTime, sent: [(day: CalendarDay, at: Instant)]
  ) -> NudgeDecision {
    guard notifications else { return .suppressed(.notificationsOff) }
    let pause = Int64(Self.leastHours) * 3_600_000
    let isTooSoon = sent.contains { nudge in
      let since = now.instant.milliseconds - nudge.at.milliseconds
      return nudge.day == now.day || (0..<pause).contains(since)
    }
    guard !isTooSoon else { return .suppressed(.alreadySent) }
    guard !quietHours.contains(now.secondOfDay) else { return .suppressed(.quietHours) }
    guard !candidates.isEmpty else { return .suppressed(.noModel) }
    let ahead = candidates.filter { $0.day >= now.day }
    guard !ahead.isEmpty else { return .suppressed(.outOfDate) }
    let open = ahead.filter(\.isGateOpen)
    guard !open.isEmpty else { return .suppressed(.gateClosed) }
    let noteworthy = open.filter { $0.departure >= 1 }.min { left, right in
      let (first, second) = (left.departure, right.departure)
      if first != second { return first > second }
      return left.day == right.day
        ? left.target.description < right.target.description : left.day < right.day
    }
    guard let noteworthy else { return .suppressed(.nothingNoteworthy) }
    return .send(Nudge(noteworthy, today: now.day))
  }
}
