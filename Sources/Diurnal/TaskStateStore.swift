internal import Scheduling
internal import Storage

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The scheduler's state as a record of the log's own store: one transaction a change, so two processes
/// never take the same request.
struct TaskStateStore: PendingStore {
  private static let space = "scheduler"
  private static let record = "state"

  let store: LogStore

  func transaction<Value: Sendable>(
    _ change: @Sendable (inout SchedulerState) throws(SchedulerError) -> Value
  ) async throws(SchedulerError) -> Value {
    let result: Result<Value, SchedulerError>
    do {
      result = try await store.updateRecords(in: Self.space) { records in
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
      var state = SchedulerState()
      if let bytes = records[record] { state = try SchedulerState(json: Data(bytes)) }
      let value = try change(&state)
      records[record] = [UInt8](try state.json())
      return .success(value)
    } catch let error as SchedulerError {
      return .failure(error)
    } catch {
      return .failure(.storeFailed(reason: "the state of the tasks cannot be read or written"))
    }
  }
}
