public import Time

/// The clocks of a machine, as values that a test can replace.
public struct TimeSource: Sendable {
  /// The moment the wall clock shows.
  public let now: @Sendable () -> Instant
  /// The time since some fixed moment, by a clock that is never set and stands still in suspend.
  public let elapsed: @Sendable () -> Duration
  /// Waits so long by that clock; returns early when the task is cancelled.
  public let sleep: @Sendable (Duration) async -> Void
  /// The processor time this process has used, over all its threads.
  public let processorTime: @Sendable () -> Duration

  /// Clocks made of these four.
  public init(
    now: @escaping @Sendable () -> Instant, elapsed: @escaping @Sendable () -> Duration,
    sleep: @escaping @Sendable (Duration) async -> Void,
    processorTime: @escaping @Sendable () -> Duration
  ) {
    self.now = now
    self.elapsed = elapsed
    self.sleep = sleep
    self.processorTime = processorTime
  }
}

/// Where a plan runs: its store, its clocks, and how to tell whether the process of a run still lives.
public struct LoopEnvironment: Sendable {
  /// Where requests and outcomes are kept.
  package let store: any PendingStore
  /// The clocks that runs and waits are measured by.
  public let time: TimeSource
  /// The zone for tasks that run at a time of day.
  public let zone: Zone
  /// This process, as other processes know it.
  public let owner: RunOwner
  /// How long work that was told to stop may go on before its run is ended as hung.
  public let gracePeriod: Duration
  /// What the machine grants now: asked when a run begins and, in ``StoreScheduler``, while it goes on.
  public let conditions: @Sendable () -> RunConditions

  /// An environment made of these.
  package init(
    store: any PendingStore, time: TimeSource, zone: Zone, owner: RunOwner,
    gracePeriod: Duration = .seconds(5),
    conditions: @escaping @Sendable () -> RunConditions
  ) {
    self.store = store
    self.time = time
    self.zone = zone
    self.owner = owner
    self.gracePeriod = gracePeriod
    self.conditions = conditions
  }
}

/// The process that begins runs, and its judgement of the processes that began others.
public struct RunOwner: Sendable {
  /// The name under which this process enters its runs; no other process has had it.
  public let token: String
  /// Whether the process that entered a run can still be at it.
  public let isAtWork: @Sendable (ActiveRun, _ now: Instant) -> Bool

  /// An owner of this name, which judges others as given.
  public init(token: String, isAtWork: @escaping @Sendable (ActiveRun, Instant) -> Bool) {
    self.token = token
    self.isAtWork = isAtWork
  }
}
