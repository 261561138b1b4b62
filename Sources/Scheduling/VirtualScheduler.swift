internal import Synchronization
public import Time

/// A scheduler whose clock, power, network and kills are moved by hand: nothing happens unless told.
///
/// It has the semantics of `BGTaskScheduler`, and the state of the system's side: what waits survives
/// ``kill()``, handlers do not.
public final class VirtualScheduler: BackgroundScheduler {
  /// How long a run that was told to stop may go on before it is ended as failed.
  public let gracePeriod: Duration

  private let permitted: Set<TaskIdentifier>?
  private let state: Mutex<State>

  private struct State {
    var now: Instant
    var uptime = Duration.zero
    var conditions = RunConditions(externalPower: true, network: true)
    var isAvailable = true
    var queue = RequestQueue()
    var registrations: [TaskRegistration] = []
    var isLaunched = false
    var running: [Running] = []
  }

  private struct Running {
    let run: TaskRun
    let request: TaskRequest
    let deadline: Duration
    var endsAt: Duration?
  }

  /// A scheduler at this moment, on external power and with a network.
  public init(
    at now: Instant, permitted: Set<TaskIdentifier>? = nil, gracePeriod: Duration = .seconds(5)
  ) {
    self.permitted = permitted
    self.gracePeriod = gracePeriod
    state = Mutex(State(now: now))
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

  public func submit(_ request: TaskRequest) async throws(SchedulerError) {
    try state.withLock { (state) throws(SchedulerError) in
      state.isLaunched = true
      let admission = RequestQueue.Admission(
        permitted: permitted, registered: Set(state.registrations.map(\.identifier)),
        isAvailable: state.isAvailable)
      try state.queue.submit(request, admission: admission)
    }
  }

  public func cancel(_ identifier: TaskIdentifier) async {
    state.withLock { _ = $0.queue.remove(identifier) }
  }

  public func pendingRequests() async -> [TaskRequest] { state.withLock { $0.queue.requests } }

  /// The wall clock, and one that nobody sets, for the plan under test.
  public var time: TimeSource {
    TimeSource(
      now: { self.now }, elapsed: { self.state.withLock { $0.uptime } },
      sleep: { _ in }, processorTime: { .zero })
  }

  /// The moment the wall clock shows.
  public var now: Instant { state.withLock { $0.now } }

  /// What the machine grants now.
  public var conditions: RunConditions { state.withLock { $0.conditions } }

  /// Switches background work on or off, as a person may in the settings.
  public func setAvailable(_ isAvailable: Bool) {
    state.withLock { $0.isAvailable = isAvailable }
  }

  /// Lets time pass: runs whose time is up are told to stop, those whose grace period is over are ended.
  /// Nothing is launched.
  public func advance(by duration: Duration) {
    state.withLock {
      $0.now = $0.now.advanced(by: duration)
      $0.uptime += duration
    }
    expireOverdue()
  }

  /// Sets the wall clock, forwards or backwards; no time passes.
  public func setClock(to now: Instant) { state.withLock { $0.now = now } }

  /// Plugs in or out; runs that need external power are told to stop when it goes.
  public func setExternalPower(_ isOn: Bool) {
    let losers = state.withLock { state in
      state.conditions.externalPower = isOn
      return isOn ? [] : state.running.filter(\.request.requiresExternalPower).map(\.run)
    }
    for run in losers { expire(run, .externalPowerLost) }
  }

  /// Connects or disconnects the network. A run goes on without it, as on a phone.
  public func setNetwork(_ isOn: Bool) { state.withLock { $0.conditions.network = isOn } }

  /// Launches, once each, the tasks whose requests may begin now, and returns their runs.
  ///
  /// A request is taken out before its handler starts. A task that is running is not launched again.
  @discardableResult
  public func launchEligible() -> [TaskRun] {
    let launches = state.withLock { state in
      state.isLaunched = true
      return state.registrations.compactMap { registration -> (TaskRegistration, TaskRun)? in
        state.running.removeAll { $0.run.success != nil }
        guard let request = state.queue[registration.identifier],
          request.obstacle(at: state.now, under: state.conditions) == nil,
          !state.running.contains(where: { $0.run.identifier == registration.identifier })
        else { return nil }
        state.queue.remove(registration.identifier)
        let run = TaskRun(registration.identifier)
        state.running.append(
          Running(run: run, request: request, deadline: state.uptime + registration.allowance))
        return (registration, run)
      }
    }
    for (registration, run) in launches { registration.launch(run) }
    return launches.map(\.1)
  }

  /// Tells a run to stop; it is ended as failed when it has not completed by the end of the grace period.
  public func expire(_ run: TaskRun, _ cause: ExpirationCause) {
    state.withLock { state in
      guard let place = state.running.firstIndex(where: { $0.run === run }) else { return }
      state.running[place].endsAt = state.uptime + gracePeriod
    }
    run.expire(cause)
  }

  /// Ends the process: handlers and runs are gone, what waits is not. What an old handler does later
  /// counts for nothing.
  public func kill() {
    state.withLock {
      $0.registrations = []
      $0.running = []
      $0.isLaunched = false
    }
  }

  private func expireOverdue() {
    let (overdue, ended) = state.withLock { state in
      state.running.removeAll { $0.run.success != nil }
      let (uptime, running) = (state.uptime, state.running)
      return (
        running.filter { $0.endsAt == nil && $0.deadline <= uptime }.map(\.run),
        running.filter { $0.endsAt.map { $0 <= uptime } ?? false }.map(\.run)
      )
    }
    for run in overdue { expire(run, .deadline) }
    for run in ended { run.complete(success: false) }
  }
}
