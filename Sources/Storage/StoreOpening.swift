#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// How a file becomes an open store: what is asked of it first, and what can be wrong with it.
struct StoreOpening {
  let path: String
  /// How long a statement waits for another process, in milliseconds.
  let patience: Int32
  /// The schema that the store is brought to.
  var version = Schema.version

  /// A connection that reads and writes; the file is made where there is none.
  func forWriting() throws(StorageError) -> Connection {
    if !FileManager.default.fileExists(atPath: path) {
      // Another process may make it at the same time: then that file is used.
      do throws(StorageError) {
        try Connection.makeFile(at: path)
      } catch  where FileManager.default.fileExists(atPath: path) {
      }
    }
    let connection = try Connection(path: path, mode: .write, patience: patience)
    try settle(connection)
    return connection
  }

  /// A connection that only reads.
  func forReading() throws(StorageError) -> Connection {
    guard FileManager.default.fileExists(atPath: path) else { throw .missing(path: path) }
    return try reading { connection throws(StorageError) in try upToDate(connection) }
  }

  /// What `body` makes of a connection that only reads.
  private func reading<Result>(
    _ body: (Connection) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    do throws(StorageError) {
      return try body(try Connection(path: path, mode: .read, patience: patience))
    } catch {
      // A log in WAL form needs an index beside it. Where none can be made, and no write waits in the
      // log, the file alone is complete and nobody can be writing to it.
      let isWriting = !Connection.isEmptyOrMissing(path + "-wal")
      switch error {
      case .cannotOpen, .readOnly:
        if isWriting { throw .unfinishedLog(path: path) }
      case .diskFull:
        // The index fits into memory where nobody else has the store open.
        if isWriting {
          return try body(try Connection(path: path, mode: .alone, patience: patience))
        }
      default: throw error
      }
      return try body(try Connection(path: path, mode: .immutable, patience: patience))
    }
  }

  private func upToDate(_ connection: Connection) throws(StorageError) -> Connection {
    let found = try recognise(connection)
    if found == version { return connection }
    do throws(StorageError) {
      try settle(try Connection(path: path, mode: .write, patience: patience))
    } catch {
      switch error {
      case .readOnly, .cannotOpen:
        throw .olderSchema(path: path, found: found, known: version)
      default: throw error
      }
    }
    return try Connection(path: path, mode: .read, patience: patience)
  }

  /// Checks that the file is ours, sets what a connection has to have, and takes the steps that the
  /// file has not taken yet.
  private func settle(_ connection: Connection) throws(StorageError) {
    var reached = try recognise(connection)
    // A file that was there and is empty may have been made for everybody to read.
    if reached == 0 { try Connection.restrictEmptyFile(at: path) }
    // FULL: a write that was acknowledged survives a loss of power. Deleted content is overwritten, so
    // that what is forgotten is not left in free pages.
    try connection.script(
      """
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA foreign_keys = ON;
      PRAGMA secure_delete = ON;
      PRAGMA journal_size_limit = 1048576;
      """)
    if try connection.integer("PRAGMA application_id") == Schema.backupID {
      try connection.script("PRAGMA application_id = \(Schema.applicationID)")
    }
    while reached < version {
      try connection.execute("BEGIN IMMEDIATE")
      do throws(StorageError) {
        // Another process may have taken the step while this one waited.
        reached = Int(try connection.integer("PRAGMA user_version") ?? 0)
        if reached < version {
          try connection.script(Schema.migrations[reached].sql)
          reached += 1
          try connection.script(
            """
            PRAGMA application_id = \(Schema.applicationID);
            PRAGMA user_version = \(reached);
            """)
        }
        try connection.execute("COMMIT")
      } catch {
        connection.rollback()
        throw error
      }
    }
  }

  /// The schema version that the file has now; nothing is brought up to date.
  func schemaVersion() throws(StorageError) -> Int {
    guard FileManager.default.fileExists(atPath: path) else { throw .missing(path: path) }
    return try reading { connection throws(StorageError) in try recognise(connection) }
  }

  /// The schema version of the file: 0 for an empty one.
  private func recognise(_ connection: Connection) throws(StorageError) -> Int {
    // One transaction, so one moment: between two of these reads another process could make the store, and
    // half of what was read would be of the empty file.
    try connection.execute("BEGIN")
    let application: Int64
    let version: Int
    let isEmpty: Bool
    do throws(StorageError) {
      application = try connection.integer("PRAGMA application_id") ?? 0
      version = Int(try connection.integer("PRAGMA user_version") ?? 0)
      isEmpty = try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
      try connection.execute("COMMIT")
    } catch {
      connection.rollback()
      throw error
    }
    let isOurs = application == Schema.applicationID || application == Schema.backupID
    guard isOurs || (application == 0 && version == 0 && isEmpty)
    else { throw .notAStore(path: path) }
    guard version <= Schema.version else {
      throw .newerSchema(path: path, found: version, known: Schema.version)
    }
    return version
  }
}
