internal import Synchronization

/// A scheduler where there is none: a process that a timer starts, or one that stays, runs what may run now.
///
/// The requests that wait in the plan's own store are its list, so it has nothing to mirror. Any number of processes
/// may use one store: a request is taken, and its run entered, in one transaction, so that no task runs twice at once.
public final class StoreScheduler: BackgroundScheduler {
  /// How often external power is looked at during a run that needs it.
  public let powerInterval: Duration

  private let environment: LoopEnvironment
  private let state = Mutex(State())

  private struct State {
    var registrations: [TaskRegistration] = []
    var current: TaskRun?
    var isTerminated = false
  }

  /// A scheduler on the environment's store.
  public init(_ environment: LoopEnvironment, powerInterval: Duration = .seconds(5)) {
    self.environment = environment
    self.powerInterval = powerInterval
  }

  public func register(_ registration: TaskRegistration) throws(SchedulerError) {
    try state.withLock { (state) throws(SchedulerError) in
      guard !state.registrations.contains(where: { $0.identifier == registration.identifier })
      else { throw .alreadyRegistered(registration.identifier) }
      state.registrations.append(registration)
    }
  }

  public func mirror(_ pending: [TaskRequest]) async -> [TaskIdentifier: SchedulerError] { [:] }

  /// Runs, one after the other and in the order of the plan, every task that may run now, each at most
  /// once, and returns how each run that it began ended.
  ///
  /// Work that does not stop when told to is left behind after the grace period. What a run that was told to stop has
  /// asked for, to begin at once, waits for the next call.
  ///
  /// - Throws: ``SchedulerError/storeFailed(reason:)``; runs that ended before are in the history.
  public func runEligible() async throws(SchedulerError) -> [RunReport] {
    var reports: [RunReport] = []
    for registration in state.withLock({ $0.registrations }) {
      let run = TaskRun(registration.identifier, judging: environment.conditions())
      let isTerminated = state.withLock { state in
        state.current = run
        return state.isTerminated
      }
      if isTerminated { break }
      let began = environment.time.elapsed()
      registration.launch(run)
      let watcher = Task {
        await watch(
          run, until: began + registration.allowance,
          needsPower: registration.request.requiresExternalPower)
      }
      let ending = await run.completion()
      watcher.cancel()
      switch ending {
      case .declined: break
      case .unwritten(let error): throw error
      case .ended(let outcome):
        reports.append(
          RunReport(
            identifier: run.identifier, outcome: outcome,
            duration: environment.time.elapsed() - began))
      }
    }
    return reports
  }

  /// Tells the run that is going on to stop, and begins no other: what SIGTERM means. To be called on any
  /// thread, any number of times.
  public func terminate() {
    let current = state.withLock { state in
      state.isTerminated = true
      return state.current
    }
    current?.expire(.terminated)
  }

  /// Tells the run to stop when its time is up or it lost the power it needs, and ends with that: a run that has ended
  /// meanwhile ignores it, so that looking again would never end.
  func watch(_ run: TaskRun, until deadline: Duration, needsPower: Bool) async {
    let time = environment.time
    while run.expired == nil, !Task.isCancelled {
      let left = deadline - time.elapsed()
      if left <= .zero { return run.expire(.deadline) }
      if needsPower && environment.conditions().externalPower != true {
        return run.expire(.externalPowerLost)
      }
      await time.sleep(min(left, powerInterval))
    }
  }
}

/// How a run that ``StoreScheduler/runEligible()`` began ended.
public struct RunReport: Hashable, Sendable {
  /// Which task ran.
  public let identifier: TaskIdentifier
  /// How it ended.
  public let outcome: RunOutcome
  /// How long it took, by a clock that nobody sets.
  public let duration: Duration

  /// Whether it did its work.
  public var success: Bool { outcome.isSuccess }

  /// Why it was told to stop; nil where it was not.
  public var expired: ExpirationCause? {
    switch outcome {
    case .expired(let cause), .hung(let cause): cause
    case .succeeded, .failed, .interrupted: nil
    }
  }
}
