internal import Synchronization

/// One run of a task, as a scheduler hands it to the plan: the counterpart of `BGTask`.
///
/// It completes exactly once: when the work has ended, or had not by the end of the grace period after it was told
/// to stop.
public final class TaskRun: Sendable {
  /// Which task runs.
  public let identifier: TaskIdentifier
  /// Under which conditions the plan is to judge whether the task may begin; nil where the scheduler has judged.
  public let conditions: RunConditions?

  private let state = Mutex(State())
  private let onCompletion: @Sendable (Bool) -> Void

  private struct State {
    var ending: RunEnding?
    var expired: ExpirationCause?
    var expirationHandler: (@Sendable (ExpirationCause) -> Void)?
    var waiting: [CheckedContinuation<RunEnding, Never>] = []
  }

  /// A run of a task; `onCompletion` is called once, with whether it succeeded, on whatever thread
  /// completes it.
  public init(
    _ identifier: TaskIdentifier, judging conditions: RunConditions? = nil,
    onCompletion: @escaping @Sendable (_ success: Bool) -> Void = { _ in }
  ) {
    self.identifier = identifier
    self.conditions = conditions
    self.onCompletion = onCompletion
  }

  /// Completes the run; false, and nothing done, where it has been completed before.
  @discardableResult
  public func complete(_ ending: RunEnding) -> Bool {
    let waiting: [CheckedContinuation<RunEnding, Never>]? = state.withLock { state in
      guard state.ending == nil else { return nil }
      state.ending = ending
      // As with `BGTask`: once complete, a run does not expire, and what the handler holds is let go.
      state.expirationHandler = nil
      defer { state.waiting = [] }
      return state.waiting
    }
    guard let waiting else { return false }
    onCompletion(ending.isSuccess)
    for continuation in waiting { continuation.resume(returning: ending) }
    return true
  }

  /// What to do when the run is told to stop: called once, on any thread, at once where that has
  /// happened already, and never after completion.
  public func setExpirationHandler(_ handler: @escaping @Sendable (ExpirationCause) -> Void) {
    let expired: ExpirationCause? = state.withLock { state in
      guard state.ending == nil else { return nil }
      if state.expired == nil { state.expirationHandler = handler }
      return state.expired
    }
    if let expired { handler(expired) }
  }

  /// Tells the run to stop, on any thread. A second call does nothing.
  public func expire(_ cause: ExpirationCause) {
    let handler = state.withLock { state in
      guard state.ending == nil, state.expired == nil else {
        return nil as (@Sendable (ExpirationCause) -> Void)?
      }
      state.expired = cause
      defer { state.expirationHandler = nil }
      return state.expirationHandler
    }
    handler?(cause)
  }

  /// Whether the run succeeded; nil while it is not complete.
  public var success: Bool? { state.withLock { $0.ending?.isSuccess } }

  /// Why the run was told to stop; nil where it was not.
  public var expired: ExpirationCause? { state.withLock { $0.expired } }

  /// Waits until the run is complete and returns how it ended.
  public func completion() async -> RunEnding {
    await withCheckedContinuation { continuation in
      let ending: RunEnding? = state.withLock { state in
        if state.ending == nil { state.waiting.append(continuation) }
        return state.ending
      }
      if let ending { continuation.resume(returning: ending) }
    }
  }
}

/// What a run came to.
public enum RunEnding: Hashable, Sendable {
  /// It ended, and how was entered into the store.
  case ended(RunOutcome)
  /// It did not begin: nothing waits, what it needs is missing, another process is at it, or earlier work of this
  /// process is.
  case declined
  /// Its beginning or its end could not be written, so it has not succeeded.
  case unwritten(SchedulerError)

  /// Whether the work is done, and that is written.
  public var isSuccess: Bool { if case .ended(.succeeded) = self { true } else { false } }
}
