package import Scheduling
internal import Synchronization

/// A store that forgets with the process: for previews, tests and simulations.
package final class MemoryPendingStore: PendingStore {
  private let state: Mutex<SchedulerState>

  /// A store that begins with this state.
  package init(_ state: SchedulerState = SchedulerState()) { self.state = Mutex(state) }

  package func load() async -> SchedulerState { state.withLock { $0 } }

  package func transaction<Value: Sendable>(
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
