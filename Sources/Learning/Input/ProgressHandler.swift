internal import Synchronization

/// Follows a long computation, and ends it early.
///
/// A path, a cross-validation or a rolling evaluation calls it after each part of its work. It is called on whichever thread
/// did that part, by one thread at a time, so it should return quickly. To end the work with a Swift task, set a flag in
/// `withTaskCancellationHandler` and return it here: `Task.isCancelled` says nothing on other threads.
///
/// A single ridge fit has none: 36,500 rows of 500 columns take about a third of a second.
public struct ProgressHandler: Sendable {
  let proceed: @Sendable (_ done: Int, _ total: Int) -> Bool

  /// A handler that is told how many parts of all are done, at least 1, never fewer than before and at most all.
  ///
  /// - Parameter proceed: Whether to go on. After the first false the computation throws
  ///   ``LearningError/cancelled`` as soon as the parts under way are done, and does not call again.
  public init(_ proceed: @escaping @Sendable (_ done: Int, _ total: Int) -> Bool) {
    self.proceed = proceed
  }
}

/// Counts the parts of one computation for its handler.
final class ProgressMeter: Sendable {
  private let handler: ProgressHandler
  private let total: Int
  private let state = Mutex((done: 0, isCancelled: false))

  init?(_ handler: ProgressHandler?, total: Int) {
    guard let handler else { return nil }
    self.handler = handler
    self.total = total
  }

  /// Counts some parts.
  ///
  /// - Throws: ``LearningError/cancelled`` where the handler has had enough, now or before.
  func step(_ parts: Int = 1) throws(LearningError) {
    let proceeds = state.withLock { state in
      guard !state.isCancelled else { return false }
      // Work that is done twice, as columns turn out to need other units, is counted once.
      state.done = min(state.done + parts, total)
      state.isCancelled = !handler.proceed(state.done, total)
      return !state.isCancelled
    }
    guard proceeds else { throw .cancelled }
  }
}
