/// Keeps the scheduler's state between launches.
///
/// Everything else rests on one promise: transactions exclude each other, also those of other processes
/// on the same store. So a request is taken, and its run entered, by one process only.
package protocol PendingStore: Sendable {
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
