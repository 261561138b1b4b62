public import Time

/// Where the tasks of a plan stand, what is wrong with the loop, and what ran last.
public struct PlanReport: Hashable, Sendable {
  /// The tasks of the plan in its order, then those that wait without being in it.
  public let statuses: [TaskStatus]
  /// What is wrong; empty where nothing is.
  public let findings: [AuditFinding]
  /// The last hundred runs that ended, the latest last.
  public let history: [RunRecord]
}

/// Where a task stands: what waits, what became of the last submission and run, and why it is not running now.
public struct TaskStatus: Hashable, Sendable {
  /// Which task.
  public let identifier: TaskIdentifier
  /// What the plan says of the task; nil for one that waits and that no plan has.
  public let declaration: TaskDeclaration?
  /// The request that waits, if any.
  public let pending: TaskRequest?
  /// What became of its last submission and run.
  public let record: TaskRecord
  /// Why it is not running now.
  public let reason: WaitingReason
}

/// Why a task has not run: the closed list.
public enum WaitingReason: Hashable, Sendable {
  /// It is running, since this moment.
  case running(since: Instant)
  /// The process that ran it since this moment is gone; the next launch finds that and lets it run again.
  case abandoned(since: Instant)
  /// The plan has no such task.
  case notRegistered
  /// No request waits, and none was refused: the plan has not been activated on this store.
  case notSubmitted
  /// No request waits, because the scheduler refused the last one.
  case refused(SchedulerError)
  /// It may not begin before this moment.
  case notYetDue(until: Instant)
  /// It failed or was interrupted so many times in a row, and may not begin before this moment.
  case backingOff(until: Instant, failures: Int)
  /// It may begin, but for external power, missing since this moment as far as is known.
  case waitingForExternalPower(since: Instant)
  /// It may begin, but for a network, missing since this moment as far as is known.
  case waitingForNetwork(since: Instant)
  /// Nothing keeps it: it begins when the scheduler is next run; due since this moment.
  case due(since: Instant)
}

extension LoopMachine {
  func report(_ environment: LoopEnvironment) async throws(SchedulerError) -> PlanReport {
    let state = try await environment.store.load()
    let now = environment.time.now()
    let abandoned = state.runs.filter { !environment.owner.isAtWork($0, now) }.map(\.number)
    return report(
      state, abandoned: Set(abandoned), conditions: environment.conditions(), at: now)
  }

  /// Where each task stands, and what is wrong with the loop.
  ///
  /// - Parameter abandoned: the numbers of the runs whose process is gone.
  package func report(
    _ state: SchedulerState, abandoned: Set<Int> = [], conditions: RunConditions, at now: Instant
  ) -> PlanReport {
    let orphans = state.pending.requests.map(\.identifier).filter { declaration(of: $0) == nil }
    let statuses = (tasks.map(\.identifier) + orphans).map {
      status(of: $0, state, abandoned, conditions, now)
    }
    return PlanReport(
      statuses: statuses, findings: audit(state, statuses, at: now), history: state.history)
  }

  private func status(
    of identifier: TaskIdentifier, _ state: SchedulerState, _ abandoned: Set<Int>,
    _ conditions: RunConditions, _ now: Instant
  ) -> TaskStatus {
    let declaration = declaration(of: identifier)
    let waiting = state.pending[identifier]
    let record = state.record(of: identifier)
    let reason: WaitingReason =
      if let run = state.run(of: identifier) {
        abandoned.contains(run.number) ? .abandoned(since: run.began) : .running(since: run.began)
      } else if declaration == nil {
        .notRegistered
      } else if let refused = record.lastSubmitError {
        .refused(refused)
      } else if let waiting {
        Self.reason(waiting, record, conditions, now)
      } else {
        .notSubmitted
      }
    return TaskStatus(
      identifier: identifier, declaration: declaration, pending: waiting, record: record,
      reason: reason)
  }

  private static func reason(
    _ waiting: TaskRequest, _ record: TaskRecord, _ conditions: RunConditions, _ now: Instant
  ) -> WaitingReason {
    let due = waiting.earliestBegin ?? record.lastSubmit ?? now
    let obstacle = waiting.obstacle(at: now, under: conditions)
    // A blockage of another kind, or one before the date was reached, is not the one that is seen now.
    let since =
      if let blocked = record.blocked, blocked.obstacle == obstacle { blocked.since } else {
        min(due, now)
      }
    switch obstacle {
    case .notYetDue where record.failuresInARow > 0 && record.backOffUntil == due:
      return .backingOff(until: due, failures: record.failuresInARow)
    case .notYetDue: return .notYetDue(until: due)
    case .externalPower: return .waitingForExternalPower(since: since)
    case .network: return .waitingForNetwork(since: since)
    case nil: return .due(since: min(due, now))
    }
  }
}

extension WaitingReason {
  /// The reason in words, with moments written by `write`.
  public func words(_ write: (Instant) -> String) -> String {
    switch self {
    case .running(let since): "running since \(write(since))"
    case .abandoned(let since):
      "its process ended in the middle of the run that began at \(write(since))"
    case .notRegistered: "the plan has no such task"
    case .notSubmitted: "nothing waits for it: the next launch submits it"
    case .refused(let error): "refused: \(error)"
    case .notYetDue(let until): "not due before \(write(until))"
    case .backingOff(let until, let failures):
      "failed \(failures) time\(failures == 1 ? "" : "s") in a row, not again before \(write(until))"
    case .waitingForExternalPower(let since): "waiting for external power since \(write(since))"
    case .waitingForNetwork(let since): "waiting for a network since \(write(since))"
    case .due(let since): "due since \(write(since)), begins when the loop is next run"
    }
  }

  /// The reason as one word for programs; the same in every version.
  public var code: String {
    switch self {
    case .running: "running"
    case .abandoned: "abandoned"
    case .notRegistered: "not-registered"
    case .notSubmitted: "not-submitted"
    case .refused: "refused"
    case .notYetDue: "not-yet-due"
    case .backingOff: "backing-off"
    case .waitingForExternalPower: "waiting-for-external-power"
    case .waitingForNetwork: "waiting-for-network"
    case .due: "due"
    }
  }
}
