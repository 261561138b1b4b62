extension LogStore {
  /// Erases what earlier removals have left in the write-ahead log: folds it into the file and empties it.
  ///
  /// It waits for other processes as long as the store has patience.
  ///
  /// - Returns: whether nothing is left. Somebody who reads an earlier state of the store keeps its pages from
  ///   being overwritten; then the traces stay pending.
  /// - Throws: ``StorageError``; the traces stay pending then.
  @discardableResult
  public func eraseTraces() throws(StorageError) -> Bool {
    guard !isReadOnly else { throw .readOnly(path: path) }
    return try connection.eraseTraces()
  }

  /// Erases traces after the removal was committed. Whatever keeps them from being erased, the removal stands and
  /// the store says that they are pending, so there is no error to report.
  func eraseTracesOrLeavePending() {
    do { try eraseTraces() } catch {}
  }

  /// Notes, within the transaction that removes something, that its traces are to be erased.
  func beginErasure(_ connection: Connection) throws(StorageError) {
    try connection.execute("UPDATE erasure SET begun = begun + 1")
  }
}

extension Connection {
  /// The number of the last removal whose traces may stand in the write-ahead log; nil where there is none.
  func unfinishedErasure() throws(StorageError) -> Int64? {
    try integer("SELECT begun FROM erasure WHERE begun > finished")
  }

  /// Folds the write-ahead log into the file and empties it, if traces are pending; false where another process
  /// keeps it from that.
  func eraseTraces() throws(StorageError) -> Bool {
    do throws(StorageError) {
      guard let begun = try unfinishedErasure() else { return true }
      guard try integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else { return false }
      // A removal that was committed meanwhile has a higher number and stays pending.
      try execute("UPDATE erasure SET finished = max(finished, ?)", .integer(begun))
      return true
    } catch .busy {
      return false
    }
  }

  /// Erases what a removal has left that was cut off or kept from it, without waiting for anybody. Where that
  /// cannot be, it stays pending and the store is open all the same.
  func eraseLeftTraces(patience: Int32) {
    do {
      _ = try integer("PRAGMA busy_timeout = 0")
      _ = try eraseTraces()
    } catch {}
    do { _ = try integer("PRAGMA busy_timeout = \(patience)") } catch {}
  }
}
