public import Time

/// When a task is wanted again after a run.
public enum TaskSchedule: Hashable, Sendable {
  /// So long after the beginning of the last run.
  case every(Duration)
  /// Once in so many calendar days, not before this time of the clock on the wall.
  case daily(hour: Int, minute: Int, days: Int = 1)

  /// The earliest begin of the run after one that began at `start`.
  ///
  /// A daily run belongs to the calendar day it begins on, so the next is so many days after that; where the
  /// clock leaves the time out, at the moment it is put forward; where the time comes twice, the first.
  public func next(after start: Instant, in zone: Zone) -> Instant {
    switch self {
    case .every(let interval):
      start.advanced(by: interval)
    case .daily(let hour, let minute, let days):
      zone.start(
        of: zone.day(of: start).advanced(by: days), dayStart: hour * 3600 + minute * 60)
    }
  }
}

/// How long a task waits after failing: longer each time in a row.
public struct BackOff: Hashable, Sendable {
  /// The wait after the first failure.
  public let first: Duration
  /// No wait is longer.
  public let longest: Duration

  /// Waits of `first`, twice that, four times ... and never more than `longest`.
  public init(first: Duration, longest: Duration) {
    precondition(first > .zero && first <= longest, "a wait is longer than nothing")
    self.first = first
    self.longest = longest
  }

  /// 5 minutes to 5 hours.
  public static let standard = BackOff(first: .minutes(5), longest: .hours(5))

  /// The wait after this many failures in a row, of which there is at least one.
  public func wait(afterFailures count: Int) -> Duration {
    let doublings = min(max(0, count - 1), 20)
    return min(longest, first * (1 << doublings))
  }
}

/// What there is to know of a task but its handler.
public struct TaskDeclaration: Hashable, Sendable {
  /// The request that is submitted, but for its begin date.
  public let request: TaskRequest
  /// When it is wanted.
  public let schedule: TaskSchedule
  /// How long after the first launch ever the task may first begin.
  public let initialDelay: Duration
  /// How long a run may take before it is told to stop.
  public let allowance: Duration
  /// How long it waits after failing.
  public let backOff: BackOff

  /// A task that is requested as `request` says, its begin date aside, and wanted on `schedule`.
  ///
  /// - Parameter allowance: nil for what phones grant: 30 seconds for a refresh, 10 minutes for
  ///   processing.
  public init(
    request: TaskRequest, schedule: TaskSchedule, initialDelay: Duration = .zero,
    allowance: Duration? = nil, backOff: BackOff = .standard
  ) {
    precondition(initialDelay >= .zero, "a delay is not negative")
    self.request = request.beginning(at: nil)
    self.schedule = schedule
    self.initialDelay = initialDelay
    self.allowance = allowance ?? (request.kind == .refresh ? .seconds(30) : .minutes(10))
    self.backOff = backOff
  }

  /// Which task.
  public var identifier: TaskIdentifier { request.identifier }
}
