internal import Synchronization

/// One run of a task, as a scheduler hands it to the plan: the counterpart of `BGTask`.
///
/// It completes exactly once, whoever comes first: the work, the expiration, or the scheduler when the
/// grace period is over.
public final class TaskRun: Sendable {
  /// Which task runs.
  public let identifier: TaskIdentifier
  /// The number under which the scheduler has entered the run in the store; nil where it has not.
  public let number: Int?

  private let state = Mutex(State())
  private let onCompletion: @Sendable (Bool) -> Void

  private struct State {
    var success: Bool?
    var expired: ExpirationCause?
    var expirationHandler: (@Sendable (ExpirationCause) -> Void)?
    var waiting: [CheckedContinuation<Bool, Never>] = []
  }

  /// A run of a task; `onCompletion` is called once, with whether it succeeded, on whatever thread
  /// completes it.
  public init(
    _ identifier: TaskIdentifier, number: Int? = nil,
    onCompletion: @escaping @Sendable (_ success: Bool) -> Void = { _ in }
  ) {
    self.identifier = identifier
    self.number = number
    self.onCompletion = onCompletion
  }

  /// Completes the run; false, and nothing done, where it has been completed before.
  @discardableResult
  public func complete(success: Bool) -> Bool {
    let waiting: [CheckedContinuation<Bool, Never>]? = state.withLock { state in
      guard state.success == nil else { return nil }
      state.success = success
      // As with `BGTask`: once complete, a run does not expire, and what the handler holds is let go.
      state.expirationHandler = nil
      defer { state.waiting = [] }
      return state.waiting
    }
    guard let waiting else { return false }
    onCompletion(success)
    for continuation in waiting { continuation.resume(returning: success) }
    return true
  }

  /// What to do when the run is told to stop: called once, on any thread, at once where that has
  /// happened already, and never after completion.
  public func setExpirationHandler(_ handler: @escaping @Sendable (ExpirationCause) -> Void) {
    let expired: ExpirationCause? = state.withLock { state in
      guard state.success == nil else { return nil }
      if state.expired == nil { state.expirationHandler = handler }
      return state.expired
    }
    if let expired { handler(expired) }
  }

  /// Tells the run to stop. A second call does nothing; without a handler the run is complete, and not
  /// successful.
  public func expire(_ cause: ExpirationCause) {
    let (isFirst, handler) = state.withLock { state in
      guard state.success == nil, state.expired == nil else {
        return (false, nil as (@Sendable (ExpirationCause) -> Void)?)
      }
      state.expired = cause
      defer { state.expirationHandler = nil }
      return (true, state.expirationHandler)
    }
    guard isFirst else { return }
    if let handler { handler(cause) } else { complete(success: false) }
  }

  /// Whether the run succeeded; nil while it is not complete.
  public var success: Bool? { state.withLock { $0.success } }

  /// Why the run was told to stop; nil where it was not.
  public var expired: ExpirationCause? { state.withLock { $0.expired } }

  /// Waits until the run is complete and returns whether it succeeded.
  public func completion() async -> Bool {
    await withCheckedContinuation { continuation in
      let success: Bool? = state.withLock { state in
        if state.success == nil { state.waiting.append(continuation) }
        return state.success
      }
      if let success { continuation.resume(returning: success) }
    }
  }
}
