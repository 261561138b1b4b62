internal import Synchronization

/// Keeps the scheduler's state between launches.
///
/// Everything else rests on one promise: transactions exclude each other, also those of other processes
/// on the same store. So a request is taken, and its run entered, by one process only.
public protocol PendingStore: Sendable {
  /// The state as it is now; nothing is written, so a store that may only be read will do.
  ///
  /// - Throws: ``SchedulerError/storeFailed(reason:)``.
  func load() async throws(SchedulerError) -> SchedulerState

  /// Loads the state, lets `change` change it, and saves it before returning; saves nothing when `change`
  /// throws.
  ///
  /// - Throws: what `change` throws, or ``SchedulerError/storeFailed(reason:)``; the state in the store is
  ///   then the one before.
  func transaction<Value: Sendable>(
    _ change: @Sendable (inout SchedulerState) throws(SchedulerError) -> Value
  ) async throws(SchedulerError) -> Value
}

/// A store that forgets with the process: for previews, tests and simulations.
public final class MemoryPendingStore: PendingStore {
  private let state: Mutex<SchedulerState>

  /// A store that begins with this state.
  public init(_ state: SchedulerState = SchedulerState()) { self.state = Mutex(state) }

  public func load() async -> SchedulerState { state.withLock { $0 } }

  public func transaction<Value: Sendable>(
    _ change: @Sendable (inout SchedulerState) throws(SchedulerError) -> Value
  ) async throws(SchedulerError) -> Value {
    try state.withLock { (held) throws(SchedulerError) in
      var changed = held
      let value = try change(&changed)
      held = changed
      return value
    }
  }
}
