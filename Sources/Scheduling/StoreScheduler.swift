internal import Synchronization

/// A scheduler where there is none: requests wait in the store, and a process that a timer starts, or one
/// that stays, runs what may run now.
///
/// Any number of processes may use one store: a request is taken, and its run entered, in one transaction,
/// so that no task runs twice at once.
public final class StoreScheduler: BackgroundScheduler {
  /// How long a run that was told to stop may go on before it is ended as failed.
  public let gracePeriod: Duration
  /// How often external power is looked at during a run that needs it.
  public let powerInterval: Duration

  private let environment: LoopEnvironment
  private let permitted: Set<TaskIdentifier>?
  private let isAvailable: @Sendable () -> Bool
  private let state = Mutex(State())

  private struct State {
    var registrations: [TaskRegistration] = []
    var isLaunched = false
    var current: TaskRun?
    var terminated = false
  }

  /// A scheduler on the environment's store.
  ///
  /// - Parameters:
  ///   - permitted: the identifiers that may be used; nil for any.
  ///   - isAvailable: whether background work is switched on.
  public init(
    _ environment: LoopEnvironment, permitted: Set<TaskIdentifier>? = nil,
    gracePeriod: Duration = .seconds(5), powerInterval: Duration = .seconds(5),
    isAvailable: @escaping @Sendable () -> Bool = { true }
  ) {
    self.environment = environment
    self.permitted = permitted
    self.gracePeriod = gracePeriod
    self.powerInterval = powerInterval
    self.isAvailable = isAvailable
  }

  public func register(_ registration: TaskRegistration) throws(SchedulerError) {
    let identifier = registration.identifier
    try state.withLock { (state) throws(SchedulerError) in
      if let permitted, !permitted.contains(identifier) { throw .notPermitted(identifier) }
      guard !state.registrations.contains(where: { $0.identifier == identifier }) else {
        throw .alreadyRegistered(identifier)
      }
      guard !state.isLaunched else { throw .registeredTooLate(identifier) }
      state.registrations.append(registration)
    }
  }

  public func sharedAdmission() -> RequestQueue.Admission? { admission() }

  private func admission() -> RequestQueue.Admission {
    let registered = state.withLock { state in
      state.isLaunched = true
      return Set(state.registrations.map(\.identifier))
    }
    return RequestQueue.Admission(
      permitted: permitted, registered: registered, isAvailable: isAvailable())
  }

  public func submit(_ request: TaskRequest) async throws(SchedulerError) {
    let admission = admission()
    try await environment.store.transaction { (state) throws(SchedulerError) in
      try state.pending.submit(request, admission: admission)
    }
  }

  public func cancel(_ identifier: TaskIdentifier) async throws(SchedulerError) {
    try await environment.store.transaction { state in _ = state.pending.remove(identifier) }
  }

  public func pendingRequests() async throws(SchedulerError) -> [TaskRequest] {
    try await environment.store.load().pending.requests
  }

  /// Runs, one after the other and in the order of the plan, every task that may run now, each at most
  /// once, and returns how each run that it began ended.
  ///
  /// It returns when all have completed; work that does not stop when told to is left behind then. What a
  /// run that was told to stop has asked for, to begin at once, waits for the next call.
  public func runEligible() async throws(SchedulerError) -> [RunReport] {
    let registrations = state.withLock { state in
      state.isLaunched = true
      return state.registrations
    }
    var reports: [RunReport] = []
    for registration in registrations {
      guard !state.withLock({ $0.terminated }) else { break }
      if let (run, request) = try await begin(registration) {
        reports.append(await carryOut(run, request, registration))
      }
    }
    return reports
  }

  /// Tells the run that is going on to stop, and begins no other: what SIGTERM means. To be called on any
  /// thread, any number of times.
  public func terminate() {
    let current = state.withLock { state in
      state.terminated = true
      return state.current
    }
    current?.expire(.terminated)
  }

  private func begin(
    _ registration: TaskRegistration
  ) async throws(SchedulerError) -> (TaskRun, TaskRequest)? {
    let identifier = registration.identifier
    let now = environment.time.now()
    let conditions = environment.conditions()
    let entered: (ActiveRun, TaskRequest)? = try await environment.store.transaction {
      [token = environment.owner.token] state in
      guard let request = state.pending[identifier] else { return nil }
      if let obstacle = request.obstacle(at: now, under: conditions) {
        state.update(identifier) { $0.enter(obstacle, at: now) }
        return nil
      }
      return state.begin(identifier, owner: token, at: now).map { ($0, request) }
    }
    return entered.map { run, request in (TaskRun(identifier, number: run.number), request) }
  }

  private func carryOut(
    _ run: TaskRun, _ request: TaskRequest, _ registration: TaskRegistration
  ) async -> RunReport {
    let time = environment.time
    let began = time.elapsed()
    registration.launch(run)
    let isTerminated = state.withLock { state in
      state.current = run
      return state.terminated
    }
    if isTerminated { run.expire(.terminated) }
    let watcher = Task {
      await watch(
        run, until: began + registration.allowance, needsPower: request.requiresExternalPower)
    }
    let success = await run.completion()
    watcher.cancel()
    state.withLock { $0.current = nil }
    return RunReport(
      identifier: run.identifier, success: success, expired: run.expired,
      duration: time.elapsed() - began)
  }

  /// Tells the run to stop when its time is up or it lost the power it needs, and ends it as failed when
  /// it has not completed by the end of the grace period.
  private func watch(_ run: TaskRun, until deadline: Duration, needsPower: Bool) async {
    let time = environment.time
    while run.expired == nil, !Task.isCancelled {
      let left = deadline - time.elapsed()
      if left <= .zero {
        run.expire(.deadline)
      } else if needsPower && environment.conditions().externalPower != true {
        run.expire(.externalPowerLost)
      } else {
        await time.sleep(min(left, powerInterval))
      }
    }
    guard !Task.isCancelled else { return }
    await time.sleep(gracePeriod)
    if !Task.isCancelled { run.complete(success: false) }
  }
}

/// How a run that ``StoreScheduler/runEligible()`` began ended.
public struct RunReport: Hashable, Sendable {
  /// Which task ran.
  public let identifier: TaskIdentifier
  /// Whether it did its work.
  public let success: Bool
  /// Why it was told to stop; nil where it was not.
  public let expired: ExpirationCause?
  /// How long it took, by a clock that nobody sets.
  public let duration: Duration
}
