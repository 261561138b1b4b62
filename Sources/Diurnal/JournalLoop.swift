public import Scheduling
internal import Storage
internal import Time

/// The background tasks of a journal, and where they run.
public struct JournalLoop: Sendable {
  /// Reads exports that are new in the folders of `refresh.sources`.
  public static let refresh: TaskIdentifier = "diurnal.refresh"
  /// Brings every model up to date, on external power.
  public static let retrain: TaskIdentifier = "diurnal.retrain"
  /// Sends the day's nudge, if there is one.
  public static let engagement: TaskIdentifier = "diurnal.engagement"
  /// Looks back on the week, and shows what holds of the log.
  public static let insight: TaskIdentifier = "diurnal.insight"

  /// The plan, activated: what is registered, and what it reports.
  public let active: ActivePlan
  /// Where the requests wait: in the store of the journal.
  public let scheduler: StoreScheduler
  private let journal: Journal
  private let host: LoopHost

  /// Activates the plan on the journal's own store: every task is registered and its request submitted,
  /// unless one waits already.
  ///
  /// - Parameters:
  ///   - journal: The log that the tasks work on and that keeps their state.
  ///   - host: The machine: clocks, zone, power, network, and how a message is shown.
  ///   - intervals: How often each task is wanted: those of the settings (``Journal/loopIntervals()``) or of the app.
  /// - Throws: `SchedulerError`.
  public init(
    _ journal: Journal, on host: LoopHost, intervals: LoopIntervals = .standard
  ) throws(SchedulerError) {
    let environment = host.environment(of: journal)
    scheduler = StoreScheduler(environment)
    self.journal = journal
    self.host = host
    active = try Self.plan(journal, host, intervals).activate(
      on: scheduler, environment: environment)
  }

  /// Activates the plan on an app's own scheduler, such as an adapter of `BGTaskScheduler`: while the app launches, once.
  ///
  /// - Throws: `SchedulerError`.
  public static func activate(
    _ journal: Journal, on host: LoopHost, intervals: LoopIntervals = .standard,
    scheduler: any BackgroundScheduler
  ) throws(SchedulerError) -> ActivePlan {
    try plan(journal, host, intervals).activate(
      on: scheduler, environment: host.environment(of: journal))
  }

  /// Where each task stands, and what is wrong, without activating anything: nothing is submitted, mended or
  /// written, so a journal that was opened to be read will do.
  ///
  /// - Throws: `SchedulerError.storeFailed`.
  public static func inspect(
    _ journal: Journal, on host: LoopHost, intervals: LoopIntervals = .standard
  ) async throws(SchedulerError) -> PlanReport {
    try await plan(journal, host, intervals).inspect(host.environment(of: journal))
  }

  /// Runs what is eligible now, once, after every request of the plan has been submitted or kept and what a
  /// removal has left to be done is finished (``Journal/finishPendingWork(today:now:mayContinue:)``).
  ///
  /// - Throws: `SchedulerError.storeFailed`.
  public func runEligible() async throws(SchedulerError) -> [RunReport] {
    await active.activated()
    do {
      let dayStart = try await journal.store.value(of: .dayStart)
      _ = try await journal.finishPendingWork(
        today: host.zone.day(of: host.now, dayStart: dayStart), now: host.now)
    } catch {
      throw .storeFailed(reason: "\(error)")
    }
    return try await scheduler.runEligible()
  }

  /// The four tasks of a journal with their work, for an app that adds tasks of its own or brings its own scheduler.
  ///
  /// - Throws: nothing in practice: the tasks are distinct and few.
  public static func plan(
    _ journal: Journal, _ host: LoopHost, _ intervals: LoopIntervals = .standard
  ) throws(SchedulerError) -> BackgroundPlan {
    // All four together take less than a service manager's quarter of an hour.
    try BackgroundPlan([
      PlannedTask(
        TaskDeclaration(request: .refresh(refresh), schedule: .every(intervals.refresh))
      ) { (context) async throws(TaskFailure) in
        try await refreshing(journal, zone: host.zone, now: host.now, context)
      },
      PlannedTask(
        TaskDeclaration(
          request: .processing(retrain, requiresExternalPower: true),
          schedule: .every(intervals.retrain))
      ) { (context) async throws(TaskFailure) in
        try await retraining(journal, zone: host.zone, now: host.now, context)
      },
      // After the training, so that a nudge comes from the model that is in force from now on.
      PlannedTask(
        TaskDeclaration(
          request: .processing(engagement), schedule: intervals.engagementSchedule,
          allowance: .seconds(90))
      ) { (context) async throws(TaskFailure) in
        try await engaging(journal, host, context)
      },
      PlannedTask(
        TaskDeclaration(
          request: .processing(insight), schedule: .every(intervals.insight),
          allowance: .seconds(90))
      ) { (context) async throws(TaskFailure) in
        try await reviewing(journal, host, context)
      },
    ])
  }
}
