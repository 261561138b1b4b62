#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The clocks of a machine, as values that a test can replace.
public struct TimeSource: Sendable {
  /// The moment the wall clock shows.
  public let now: @Sendable () -> Moment
  /// The time since some fixed moment, by a clock that is never set and stands still in suspend.
  public let elapsed: @Sendable () -> Duration
  /// Waits so long by that clock; returns early when the task is cancelled.
  public let sleep: @Sendable (Duration) async -> Void
  /// The processor time this process has used, over all its threads.
  public let processorTime: @Sendable () -> Duration

  /// Clocks made of these four.
  public init(
    now: @escaping @Sendable () -> Moment, elapsed: @escaping @Sendable () -> Duration,
    sleep: @escaping @Sendable (Duration) async -> Void,
    processorTime: @escaping @Sendable () -> Duration
  ) {
    self.now = now
    self.elapsed = elapsed
    self.sleep = sleep
    self.processorTime = processorTime
  }

  /// The clocks of the machine this runs on.
  public static let system = TimeSource(now: {
    Moment(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
  })

  /// The machine's clocks, but for what the wall clock shows.
  public init(now: @escaping @Sendable () -> Moment) {
    let origin = SuspendingClock.now
    self.init(
      now: now, elapsed: { origin.duration(to: .now) },
      sleep: { duration in
        do {
          try await Task.sleep(for: duration, clock: .suspending)
        } catch {
          // Cancelled: whoever waits looks at what has changed, and sees to that.
        }
      },
      processorTime: {
        .seconds(Double(clock()) / Double(CLOCKS_PER_SEC))
      })
  }
}

/// Where a plan runs: its store, its clocks, and how to tell whether the process of a run still lives.
public struct LoopEnvironment: Sendable {
  /// Where requests and outcomes are kept.
  public let store: any PendingStore
  /// The clocks that runs and waits are measured by.
  public let time: TimeSource
  /// What the clock on the wall shows.
  public let clock: LocalClock
  /// This process, as other processes know it.
  public let owner: RunOwner
  /// What the machine grants now: asked when a run begins and, in ``StoreScheduler``, while it goes on.
  public let conditions: @Sendable () -> RunConditions

  /// An environment made of these.
  public init(
    store: any PendingStore, time: TimeSource, clock: LocalClock, owner: RunOwner,
    conditions: @escaping @Sendable () -> RunConditions
  ) {
    self.store = store
    self.time = time
    self.clock = clock
    self.owner = owner
    self.conditions = conditions
  }
}

/// The process that begins runs, and its judgement of the processes that began others.
public struct RunOwner: Sendable {
  /// The name under which this process enters its runs; no other process has had it.
  public let token: String
  /// Whether the process that entered a run can still be at it.
  public let isAtWork: @Sendable (ActiveRun, _ now: Moment) -> Bool

  /// An owner of this name, which judges others as given.
  public init(token: String, isAtWork: @escaping @Sendable (ActiveRun, Moment) -> Bool) {
    self.token = token
    self.isAtWork = isAtWork
  }
}
