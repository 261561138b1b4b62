public import DayLog
import Time

/// What became of a sync file.
public struct SyncSummary: Sendable, Equatable {
  /// What became of its entries; ``MergeSummary/changedDays`` counts forgotten days too.
  public var merged = MergeSummary()
  /// Forget marks that were new here.
  public var newMarks = 0
  /// Payloads that were put into the queue.
  public var newPayloads = 0
  /// Lines of a kind that only a newer version knows: passed over.
  public var unknownLines = 0
}

extension LogStore {
  /// What another device needs to know: typed entries (symptoms and check-ins are such), forget marks
  /// and the payloads that wait; imported entries stay here unless asked for.
  public func syncDocument(includingImported: Bool = false) throws(StorageError) -> SyncDocument {
    try read { connection throws(StorageError) in
      SyncDocument(
        entries: try entries(
          from: .distantPast, to: .distantFuture, typedOnly: !includingImported, connection),
        marks: try forgetMarks(connection).all,
        payloads: try waitingPayloads(connection).map(\.bytes))
    }
  }

  /// Merges what another device knows, in one transaction: in any order and any number of times it comes
  /// to the same.
  ///
  /// What its forget marks remove goes as with ``forget(_:_:now:)``: models and traces may be left as pending work.
  ///
  /// - Throws: ``StorageError``; nothing is merged then.
  @discardableResult
  public func merge(_ document: SyncDocument) throws(StorageError) -> SyncSummary {
    var waiting: [QueuedPayload] = []
    for bytes in document.payloads {
      do throws(PayloadError) {
        waiting.append(try QueuedPayload(bytes))
      } catch {
        throw .unreadablePayload
      }
    }
    let summary = try write { connection throws(StorageError) in
      var summary = SyncSummary()
      summary.unknownLines = document.unknownLineCount
      let marksBefore = try connection.integer("SELECT count(*) FROM forgotten") ?? 0
      let forgotten = try insert(document.marks, connection)
      let marksAfter = try connection.integer("SELECT count(*) FROM forgotten") ?? 0
      summary.newMarks = Int(marksAfter - marksBefore)
      summary.merged = try merge(document.entries, connection)
      summary.newPayloads = try enqueue(waiting, connection)
      let settled = try settleForgottenPayloads(connection)
      summary.merged.changedDays =
        Set(summary.merged.changedDays + forgotten + settled).sorted()
      return summary
    }
    if !document.marks.isEmpty { eraseTracesOrLeavePending() }
    return summary
  }

  /// Writes a complete copy of the store to a new file at `target`, while others read and write.
  ///
  /// - Throws: ``StorageError/cannotWriteBackup(path:)`` where `target` exists or cannot be written.
  public func backUp(to target: String) throws(StorageError) {
    let connection = try connection
    do throws(StorageError) {
      try Connection.makeFile(at: target)
      try connection.execute("VACUUM INTO ?", .text(target))
    } catch .diskFull {
      throw .diskFull(path: target)
    } catch {
      throw .cannotWriteBackup(path: target)
    }
  }

  /// What SQLite finds wrong with the file, in its own words; empty for a sound one.
  public func integrityProblems() throws(StorageError) -> [String] {
    try read { connection throws(StorageError) in
      var problems: [String] = []
      try connection.rows("PRAGMA integrity_check") { row in
        if row.text(0) != "ok" { problems.append(row.text(0)) }
      }
      try connection.rows("PRAGMA foreign_key_check") { row in
        problems.append("a row of \(row.text(0)) names a row that is missing")
      }
      return problems
    }
  }

  /// The version of the schema that this program writes.
  public static var schemaVersion: Int { Schema.version }

  /// The version of the schema that the file at `path` has now; it is left as it is.
  ///
  /// - Throws: as opening it for reading does, but for `olderSchema`.
  public static func schemaVersion(ofFileAt path: String) throws(StorageError) -> Int {
    try StoreOpening(path: path, patience: 5000).schemaVersion()
  }
}
