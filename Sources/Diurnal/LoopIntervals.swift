internal import Personalisation
internal import Scheduling
public import Storage

/// How often each task of the loop is wanted.
public struct LoopIntervals: Hashable, Sendable {
  /// How often the folders of `refresh.sources` are looked through.
  public var refresh: Duration
  /// How often the models are brought up to date.
  public var retrain: Duration
  /// How often it is asked whether a nudge is due; whole days go by the calendar.
  public var engagement: Duration
  /// How often a week is looked back on.
  public var insight: Duration
  /// When the daily engagement may come, in seconds after midnight by the clock on the wall: the end of the quiet
  /// hours.
  public var morning = 7 * 3600

  /// Every 4 hours, 7 days, day and 7 days.
  public static let standard = LoopIntervals(
    refresh: .hours(4), retrain: .days(7), engagement: .days(1), insight: .days(7))

  /// Intervals, each of at least a minute.
  public init(refresh: Duration, retrain: Duration, engagement: Duration, insight: Duration) {
    precondition(
      min(refresh, retrain, engagement, insight) >= .minutes(1), "an interval is a minute or more")
    self.refresh = refresh
    self.retrain = retrain
    self.engagement = engagement
    self.insight = insight
  }
}

extension LoopIntervals {
  /// Whole days go by the calendar, so that a nudge comes when the quiet hours end, in summer and winter; other
  /// intervals by the clock.
  var engagementSchedule: TaskSchedule {
    let seconds = engagement.components.seconds
    guard seconds % 86_400 == 0, engagement == .seconds(seconds) else { return .every(engagement) }
    return .daily(
      hour: morning / 3600, minute: morning / 60 % 60, days: Int(seconds / 86_400))
  }
}

extension Journal {
  /// The intervals that the person chose, else the standard ones.
  ///
  /// - Throws: `StorageError`: `unreadableSetting` for a text that is no interval.
  public func loopIntervals() async throws(StorageError) -> LoopIntervals {
    var intervals = LoopIntervals(
      refresh: try await store.value(of: .refreshInterval),
      retrain: try await store.value(of: .retrainInterval),
      engagement: try await store.value(of: .engagementInterval),
      insight: try await store.value(of: .insightInterval))
    let quiet = try await store.value(of: .quietHours)
    if quiet != .none { intervals.morning = quiet.end }
    return intervals
  }
}

extension Setting where Value == Duration {
  /// An interval of 15 minutes to 366 days, written `30min`, `4h` or `7d`.
  public init(interval name: String, standard: Duration) {
    self.init(name, standard: standard, read: Self.read, write: Self.write)
  }

  private static let units: [(name: String, seconds: Int)] = [
    ("d", 86_400), ("h", 3600), ("min", 60),
  ]

  private static func read(_ text: String) -> Duration? {
    for (name, seconds) in units where text.hasSuffix(name) {
      let digits = text.dropLast(name.count)
      guard (1...6).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }),
        let count = Int(digits), (900...366 * 86_400).contains(count * seconds)
      else { return nil }
      return .seconds(count * seconds)
    }
    return nil
  }

  private static func write(_ interval: Duration) -> String {
    let seconds = Int(interval.components.seconds)
    for (name, unit) in units where seconds % unit == 0 { return "\(seconds / unit)\(name)" }
    return "\(seconds / 60)min"
  }

  /// How often the health refresh is wanted.
  public static var refreshInterval: Setting {
    Setting(interval: "refresh.every", standard: LoopIntervals.standard.refresh)
  }
  /// How often the retraining is wanted.
  public static var retrainInterval: Setting {
    Setting(interval: "retrain.every", standard: LoopIntervals.standard.retrain)
  }
  /// How often the engagement is wanted.
  public static var engagementInterval: Setting {
    Setting(interval: "engagement.every", standard: LoopIntervals.standard.engagement)
  }
  /// How often the weekly insight is wanted.
  public static var insightInterval: Setting {
    Setting(interval: "insight.every", standard: LoopIntervals.standard.insight)
  }
}
