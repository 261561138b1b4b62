public import DayLog
internal import HealthImport
public import Storage
public import Time

extension Journal {
  /// Merges what another device knows, and trains anew every model that went with what is to be forgotten.
  ///
  /// - Parameters:
  ///   - document: What the other device knows.
  ///   - allowance: How much may be forgotten without anybody being asked.
  ///   - today: The open day, which no model learns from.
  ///   - now: This device's clock: what is dated more than a day after it is passed over.
  /// - Returns: what became of the document, and what training did.
  /// - Throws: `StorageError` or `ForgetsTooMuch`. Where merging itself fails nothing is merged; where training
  ///   fails after it, it is pending.
  public func merge(
    _ document: SyncDocument, forgetting allowance: ForgetAllowance = .few, today: CalendarDay,
    now: Instant
  ) async throws -> (summary: SyncSummary, trained: [TrainedTarget]) {
    let summary = try await store.merge(document, now: now, forgetting: allowance)
    return (summary, try await finishPendingWork(today: today, now: now))
  }

  /// Merges a sync file of any length, in the memory of a small part of it. What its forget marks remove is left as
  /// pending work (``finishPendingWork(today:now:mayContinue:)``).
  ///
  /// - Throws: `SyncError` with the line that is wrong, `ForgetsTooMuch`, `ImportError` where the file cannot be
  ///   read, `StorageError`; nothing is merged then.
  public func merge(
    syncFileAt path: String, forgetting allowance: ForgetAllowance = .few, now: Instant
  ) async throws -> SyncSummary {
    try await store.merge(now: now, forgetting: allowance) {
      let file = try OpenFile(path: path, name: path)
      var reader = SyncReader()
      var buffer = ContiguousArray<UInt8>(repeating: 0, count: 1 << 18)
      var isAtEnd = false
      return {
        guard !isAtEnd else { return nil }
        let count = try file.read(into: &buffer, from: 0, name: path)
        isAtEnd = count == 0
        return try isAtEnd ? reader.finish() : reader.read(buffer[..<count])
      }
    }
  }
}
