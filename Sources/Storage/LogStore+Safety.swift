extension LogStore {
  /// Writes a complete copy of the store, of one moment, into an empty file, while others read and write. Nothing of
  /// what was removed is in it.
  ///
  /// The copy can be opened to be read. Once it is opened to be written to it is a log like any other.
  ///
  /// - Throws: ``StorageError/cannotWriteBackup(path:)`` where the file cannot be written; `diskFull`, `damaged` or
  ///   `busy`. What is in the file then is of no use.
  package func copy(into path: String) throws(StorageError) {
    let connection = try connection
    do throws(StorageError) {
      // The copy is another file, which a connection that only reads would not write to either. The store itself
      // lets nothing be written that was opened to be read.
      try connection.script("PRAGMA query_only = OFF")
      try connection.execute("VACUUM INTO ?", .text(path))
      if isReadOnly { try connection.script("PRAGMA query_only = ON") }
      let copy = try Connection(path: path, mode: .write, patience: 0)
      // Nobody else knows the file, and whoever made it throws away what was not finished.
      try copy.script("PRAGMA journal_mode = OFF; PRAGMA application_id = \(Schema.backupID)")
      copy.finish()
    } catch {
      switch error {
      case .diskFull: throw .diskFull(path: path)
      case .damaged, .busy, .closed: throw error
      default: throw .cannotWriteBackup(path: path)
      }
    }
  }

  /// What is wrong with the content of the file, in words for its owner; empty for a sound one.
  ///
  /// SQLite's own check finds broken structure; the seals of the rows find bytes that changed within it.
  public func integrityProblems() throws(StorageError) -> [String] {
    let connection = try connection
    var problems: [String] = []
    do throws(StorageError) {
      try connection.rows("PRAGMA integrity_check") { row in
        if row.text(0) != "ok" { problems.append(row.text(0)) }
      }
      try connection.rows("PRAGMA foreign_key_check") { row in
        problems.append("a row of \(row.text(0)) names a row that is missing")
      }
      for (table, columns) in Schema.sealed {
        let count =
          try connection.integer(
            "SELECT count(*) FROM \(table) WHERE seal IS NOT seal(\(columns))") ?? 0
        if count > 0 { problems.append("\(count) rows of \(table) are not what was written") }
      }
      if problems.isEmpty {
        // What the checks above cannot see: rows that are sealed and cannot be read all the same.
        _ = try days()
        _ = try forgetMarks()
        _ = try models()
      }
    } catch .damaged {
      if problems.isEmpty { problems.append("its content cannot be read") }
    }
    return problems
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
