package import Scheduling
package import Storage

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The scheduler's state as a record of the log's own store: one transaction a change, so two processes
/// never take the same request.
///
/// A record that cannot be read, of another version or damaged, counts as none: what is lost is when tasks
/// last ran, and the next launch submits them all again. To refuse it would end the loop for good.
package struct TaskStateStore: PendingStore {
  private static let space = "scheduler"
  private static let record = "state"

  /// The log whose file it is in.
  package let log: LogStore

  /// The state of the tasks of a log.
  package init(log: LogStore) { self.log = log }

  package func load() async throws(SchedulerError) -> SchedulerState {
    do {
      return Self.state(in: try await log.records(in: Self.space))
    } catch {
      throw .storeFailed(reason: "\(error)")
    }
  }

  package func transaction<Value: Sendable>(
    _ change: @Sendable (inout SchedulerState) throws(SchedulerError) -> Value
  ) async throws(SchedulerError) -> Value {
    let result: Result<Value, SchedulerError>
    do {
      result = try await log.updateRecords(in: Self.space) { records in
        Self.apply(change, to: &records)
      }
    } catch {
      throw .storeFailed(reason: "\(error)")
    }
    return try result.get()
  }

  private static func apply<Value>(
    _ change: (inout SchedulerState) throws(SchedulerError) -> Value,
    to records: inout [String: [UInt8]]
  ) -> Result<Value, SchedulerError> {
    do {
      let before = state(in: records)
      var state = before
      let value = try change(&state)
      // To write costs a flush of the disk: where nothing changed there is none.
      if state != before { records[record] = [UInt8](try state.json()) }
      return .success(value)
    } catch let error as SchedulerError {
      return .failure(error)
    } catch {
      return .failure(.storeFailed(reason: "the state of the tasks cannot be written"))
    }
  }

  private static func state(in records: [String: [UInt8]]) -> SchedulerState {
    guard let bytes = records[record] else { return SchedulerState() }
    do {
      return try SchedulerState(json: Data(bytes))
    } catch {
      return SchedulerState()
    }
  }
}
