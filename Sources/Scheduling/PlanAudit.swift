public import Time

/// What is wrong with the loop, found by comparing what is registered, what waits, and what ran last.
public enum AuditFinding: Hashable, Sendable {
  /// Nothing was ever submitted on this store: no launch of the plan has reached it.
  case neverActivated
  /// The story this library grew out of: a handler, and nothing that would ever call it.
  case registeredButNotPending(TaskIdentifier, refused: SchedulerError?)
  /// A request that no handler answers: it would be launched into nothing.
  case pendingButNotRegistered(TaskIdentifier)
  /// It could have begun a whole interval ago and did not.
  case overdue(TaskIdentifier, since: Instant)
  /// It failed or was interrupted so many times in a row.
  case failing(TaskIdentifier, times: Int, last: RunOutcome)
  /// It was told to stop so many times since its last success.
  case expiring(TaskIdentifier, times: Int, last: ExpirationCause)
  /// It is due and has been waiting for external power.
  case waitingForExternalPower(TaskIdentifier, since: Instant)
  /// Its process ended in the middle of a run, and no launch has seen that yet.
  case abandoned(TaskIdentifier, since: Instant)
  /// It has been running for longer than it may.
  case runningTooLong(TaskIdentifier, since: Instant)
  /// Its last run is later than the clock shows: the clock was put back.
  case ranInTheFuture(TaskIdentifier, at: Instant)
}

extension LoopMachine {
  /// What is wrong with the loop, by task in the order of the plan; empty where nothing is.
  func audit(
    _ state: SchedulerState, _ statuses: [TaskStatus], at now: Instant
  ) -> [AuditFinding] {
    if state == SchedulerState() { return [.neverActivated] }
    return statuses.flatMap { findings(of: $0, at: now) }
  }

  private func findings(of status: TaskStatus, at now: Instant) -> [AuditFinding] {
    let identifier = status.identifier
    guard let declaration = status.declaration else {
      return status.pending == nil ? [] : [.pendingButNotRegistered(identifier)]
    }
    let record = status.record
    var findings: [AuditFinding] = []
    switch status.reason {
    case .notSubmitted:
      findings.append(.registeredButNotPending(identifier, refused: nil))
    case .refused(let error):
      findings.append(.registeredButNotPending(identifier, refused: error))
    case .waitingForExternalPower(let since):
      findings.append(.waitingForExternalPower(identifier, since: since))
    case .due(let since)
    where declaration.schedule.next(after: since, in: zone) <= now:
      findings.append(.overdue(identifier, since: since))
    case .running(let since)
    where since.advanced(by: declaration.allowance + .hours(1)) < now:
      findings.append(.runningTooLong(identifier, since: since))
    case .abandoned(let since):
      findings.append(.abandoned(identifier, since: since))
    case .running, .notRegistered, .notYetDue, .backingOff, .waitingForNetwork, .due:
      break
    }
    if record.failuresInARow > 0, let last = record.lastOutcome {
      findings.append(.failing(identifier, times: record.failuresInARow, last: last))
    }
    if record.expirationsInARow > 0, case .expired(let cause)? = record.lastOutcome {
      findings.append(.expiring(identifier, times: record.expirationsInARow, last: cause))
    }
    // A clock that is kept right steps back by parts of a second; nobody put it back.
    if let began = record.lastBegan, began > now.advanced(by: .minutes(1)) {
      findings.append(.ranInTheFuture(identifier, at: began))
    }
    return findings
  }
}

extension AuditFinding {
  /// One sentence: what is wrong and how to mend it, with moments written by `write`.
  public func words(_ write: (Instant) -> String) -> String {
    switch self {
    case .neverActivated:
      "no background task has ever been submitted on this log, so nothing runs by itself"
    case .registeredButNotPending(let task, nil):
      "\(task) is registered but nothing waits for it, so it would never run: activate the plan"
    case .registeredButNotPending(let task, let refused?):
      "\(task) does not wait at the system, because its request was refused: \(refused)"
    case .pendingButNotRegistered(let task):
      "\(task) waits and is in no plan: the next launch cancels it"
    case .overdue(let task, let since):
      "\(task) has been due since \(write(since)) and was not run: look whether anything starts the loop"
    case .failing(let task, let times, let last):
      times == 1
        ? "\(task) did not succeed, because \(last.words)"
        : "\(task) did not succeed \(times) times in a row, last because \(last.words)"
    case .expiring(let task, let times, let last):
      "\(task) was told to stop \(Self.count(times)) since it last succeeded, last because "
        + last.words
    case .waitingForExternalPower(let task, let since):
      "\(task) has been waiting for external power since \(write(since)): plug in"
    case .abandoned(let task, let since):
      "\(task) was left in the middle of the run that began at \(write(since)), because its process "
        + "ended: the next launch lets it run again"
    case .runningTooLong(let task, let since):
      "\(task) has been running since \(write(since)), longer than it may: end that process"
    case .ranInTheFuture(let task, let began):
      "\(task) last ran at \(write(began)), which is later than now: the clock was put back, and that "
        + "run no longer counts"
    }
  }

  private static func count(_ times: Int) -> String { times == 1 ? "once" : "\(times) times" }
}

extension ExpirationCause {
  /// The cause as the end of a sentence after "because".
  public var words: String {
    switch self {
    case .deadline: "its time was up"
    case .processorTime: "it had used the processor time that battery allows"
    case .externalPowerLost: "external power went away"
    case .terminated: "the process was told to end"
    }
  }
}

extension RunOutcome {
  /// The outcome as the end of a sentence after "because".
  public var words: String {
    switch self {
    case .succeeded: "it succeeded"
    case .failed(let reason): reason
    case .expired(let cause): cause.words
    case .hung(let cause): "it did not stop when it was told to, because \(cause.words)"
    case .interrupted: "its process ended in the middle of it"
    }
  }
}
