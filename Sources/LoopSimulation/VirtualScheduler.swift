public import Scheduling
internal import Synchronization
public import Time

/// A scheduler whose clock, power, network and kills are moved by hand: nothing happens unless told.
///
/// It has the semantics of `BGTaskScheduler`, and the state of the system's side: what waits survives
/// ``kill()``, handlers do not.
public final class VirtualScheduler: BackgroundScheduler {
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
  }

  /// A scheduler at this moment, on external power and with a network.
  public init(at now: Instant, permitted: Set<TaskIdentifier>? = nil) {
    self.permitted = permitted
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

  public func mirror(_ pending: [TaskRequest]) async -> [TaskIdentifier: SchedulerError] {
    var refused: [TaskIdentifier: SchedulerError] = [:]
    let waiting = pendingRequests()
    for request in waiting where !pending.contains(where: { $0.identifier == request.identifier }) {
      cancel(request.identifier)
    }
    for request in pending where !waiting.contains(request) {
      do { try submit(request) } catch { refused[request.identifier] = error }
    }
    return refused
  }

  /// Makes a request wait, in place of the one that waits for the same task; that one stays when the new
  /// one is refused.
  ///
  /// - Throws: ``SchedulerError/notPermitted(_:)``, ``SchedulerError/notRegistered(_:)``,
  ///   ``SchedulerError/unavailable`` or ``SchedulerError/tooManyPending(_:)``, looked for in this order.
  public func submit(_ request: TaskRequest) throws(SchedulerError) {
    try state.withLock { (state) throws(SchedulerError) in
      state.isLaunched = true
      let identifier = request.identifier
      if let permitted, !permitted.contains(identifier) { throw .notPermitted(identifier) }
      guard state.registrations.contains(where: { $0.identifier == identifier }) else {
        throw .notRegistered(identifier)
      }
      guard state.isAvailable else { throw .unavailable }
      // Counted as if the replaced request were gone.
      let rivals = state.queue.requests.count {
        $0.kind == request.kind && $0.identifier != identifier
      }
      guard rivals < request.kind.pendingLimit else { throw .tooManyPending(request.kind) }
      state.queue.submit(request)
    }
  }

  /// Takes back the request that waits for a task; nothing happens where none does.
  public func cancel(_ identifier: TaskIdentifier) {
    state.withLock { _ = $0.queue.remove(identifier) }
  }

  /// Copies of the requests that wait.
  public func pendingRequests() -> [TaskRequest] { state.withLock { $0.queue.requests } }

  /// The wall clock, and one that nobody sets, for the plan under test.
  public var time: TimeSource {
    TimeSource(
      now: { self.now }, elapsed: { self.state.withLock { $0.uptime } },
      sleep: { duration in
        let end = self.state.withLock { $0.uptime } + duration
        while self.state.withLock({ $0.uptime }) < end, !Task.isCancelled {
          do { try await Task.sleep(for: .milliseconds(1)) } catch { return }
        }
      }, processorTime: { .zero })
  }

  /// The moment the wall clock shows.
  public var now: Instant { state.withLock { $0.now } }

  /// What the machine grants now.
  public var conditions: RunConditions { state.withLock { $0.conditions } }

  /// Switches background work on or off, as a person may in the settings.
  public func setAvailable(_ isAvailable: Bool) {
    state.withLock { $0.isAvailable = isAvailable }
  }

  /// Lets time pass: runs whose time is up are told to stop. Nothing is launched.
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
    for run in losers { run.expire(.externalPowerLost) }
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
    let overdue = state.withLock { state in
      state.running.removeAll { $0.run.success != nil }
      return state.running.filter { $0.deadline <= state.uptime }.map(\.run)
    }
    for run in overdue { run.expire(.deadline) }
  }
}
