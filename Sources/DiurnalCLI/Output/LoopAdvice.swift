internal import Scheduling
internal import Time

extension AuditFinding {
  /// The finding in words, with the command that mends it.
  func advice(_ write: (Instant) -> String) -> String {
    switch self {
    case .neverActivated:
      words(write) + ": let a timer do it (diurnal tasks install), or begin with diurnal tasks run"
    case .registeredButNotPending(_, nil), .abandoned: words(write) + " (diurnal tasks run)"
    case .overdue: words(write) + " (diurnal tasks install)"
    default: words(write)
    }
  }
}
