internal import DayLog
public import Time

/// Where a target stands on its way to a model.
public enum TargetStanding: Sendable, Hashable {
  /// There are days enough, and the last is not long ago.
  case ready
  /// So many of the days that are needed have an outcome.
  case tooFewDays(Int, of: Int)
  /// The outcome is the same on every day.
  case constant
  /// A symptom came, or stayed away, on too few days to tell the two apart.
  case rare(Int, of: Int)
  /// The last outcome is four weeks old or older: nothing is trained or forecast until it comes back.
  case resting(since: CalendarDay)

  /// The rest of a sentence that begins with the name of the target.
  public var clause: String {
    switch self {
    case .ready: "is ready"
    case .tooFewDays(let days, let needed): Self.progress(days, of: needed)
    case .constant: "is the same on every day: there is nothing to learn"
    case .rare(let days, let needed):
      "came, or stayed away, on \(counted(days, "day")) only, and \(needed) of each kind are needed"
    case .resting(let day): "rests: its last value is of \(day)"
    }
  }

  /// How far a target is from its first model, and about how long that takes with a value every day.
  static func progress(_ days: Int, of needed: Int) -> String {
    let left = max(needed - days, 1)
    let weeks = (left + 3) / 7
    let words = ["", "one week", "two weeks", "three weeks", "four weeks"]
    let time =
      left < 7
      ? counted(left, "day")
      : weeks < words.count ? words[weeks] : "\(weeks) weeks"
    return "has \(days) of \(needed) days; about \(time) to go"
  }
}

extension Target {
  /// A target without an outcome for so many days rests.
  public static let restAfter = 28
  /// How many days of each kind a yes/no target needs.
  static let leastOfEachKind = 10

  /// The last day of a log with an outcome; nil where there is none.
  public func lastDay(in log: PersonalLog) -> CalendarDay? {
    guard let column = log.table.column(metric),
      let index = column.lastIndex(where: { $0.isFinite })
    else { return nil }
    return log.table.firstDay.advanced(by: index - column.startIndex)
  }

  /// Where this target stands in a log, on a day that is open.
  public func standing(
    in log: PersonalLog, today: CalendarDay, options: TrainingOptions = TrainingOptions()
  ) -> TargetStanding {
    let known = outcomes(in: log).filter { !$0.isNaN }
    guard known.count >= options.leastDays else {
      return .tooFewDays(known.count, of: options.leastDays)
    }
    if isBinary {
      let yes = Int(known.reduce(0, +))
      let fewest = min(yes, known.count - yes)
      if fewest < Self.leastOfEachKind { return .rare(fewest, of: Self.leastOfEachKind) }
    } else if !known.contains(where: { $0 != known[0] }) {
      return .constant
    }
    // An absent symptom has no last day of its own: the days with anything typed stand for it.
    if let last = lastDay(in: log), isResting(in: log, today: today) {
      return .resting(since: last)
    }
    return .ready
  }

  /// Whether its last outcome is so old that it rests.
  public func isResting(in log: PersonalLog, today: CalendarDay) -> Bool {
    lastDay(in: log).map { $0.distance(to: today) >= Self.restAfter } ?? false
  }

  /// Whether it is predicted without being asked for: what people rate and suffer from, sleep, the heart at rest,
  /// steps, readiness and scores, and what only its person knows. Counts of a device, its bookkeeping and numbers
  /// that only ever grow are features of others.
  public func isOfInterest(in log: PersonalLog) -> Bool {
    if metric.isFelt || Self.core.contains(metric) { return true }
    let words = Set(metric.name.split { $0 == "_" || $0 == "." })
    if !words.isDisjoint(with: ["score", "readiness"]) { return true }
    if Metric.known.contains(metric) || !MetricKinship(metric).isEmpty { return false }
    if !words.isDisjoint(with: Self.bookkeeping) { return false }
    let values = (log.table.column(metric) ?? []).filter { $0.isFinite }
    return !zip(values, values.dropFirst()).allSatisfy { $0 < $1 }
  }

  private static let core: Set<Metric> = [
    .sleepHours, .hrv, .hrvRMSSD, .restingHeartRate, .steps,
  ]
  private static let bookkeeping: Set<Substring> = [
    "id", "ids", "offset", "utc", "timezone", "zone", "version", "index", "timestamp", "count",
    "rows",
    "samples", "number", "year", "month", "day", "week", "weekday",
  ]
}

extension Target {
  /// The targets that are trained when none is named: those of interest that are ready, in order of name.
  public static func candidates(in log: PersonalLog, today: CalendarDay) -> [Target] {
    log.table.metrics.map { Target($0) }.filter {
      $0.isOfInterest(in: log) && $0.standing(in: log, today: today) == .ready
    }
  }
}
