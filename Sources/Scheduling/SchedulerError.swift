/// Why a scheduler refused; nothing has changed when one of these is thrown.
public enum SchedulerError: Error, Hashable, Codable, Sendable {
  /// The identifier is not in the list of permitted ones.
  case notPermitted(TaskIdentifier)
  /// Background work is switched off, or this machine has none.
  case unavailable
  /// As many requests of this kind wait as may.
  case tooManyPending(TaskKind)
  /// A request for a task without a handler. Apple's scheduler takes it and ends the app when it comes
  /// to launch; ours refuses it.
  case notRegistered(TaskIdentifier)
  /// A second handler for one identifier.
  case alreadyRegistered(TaskIdentifier)
  /// A handler that comes after the first request or launch.
  case registeredTooLate(TaskIdentifier)
  /// The file with the pending requests could not be read or written.
  case storeFailed(reason: String)
}

extension SchedulerError: CustomStringConvertible {
  /// One sentence: what, and what to do.
  public var description: String {
    switch self {
    case .notPermitted(let identifier):
      "task \(identifier) is not permitted: add it to the list of permitted identifiers"
    case .unavailable:
      "background work is not available: switch background refresh on for this app"
    case .tooManyPending(let kind):
      "\(kind.pendingLimit) \(kind.rawValue) request(s) wait already, which is the most there may be: "
        + "cancel one, or wait until one has run"
    case .notRegistered(let identifier):
      "task \(identifier) has no handler: declare it in the plan"
    case .alreadyRegistered(let identifier):
      "task \(identifier) is declared twice: declare it once"
    case .registeredTooLate(let identifier):
      "task \(identifier) was registered after launch: activate the plan first"
    case .storeFailed(let reason):
      "the pending requests could not be read or written: \(reason)"
    }
  }
}
