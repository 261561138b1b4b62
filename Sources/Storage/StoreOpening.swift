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

  /// A connection that reads and writes; the file is made where there is none.
  func forWriting() throws(StorageError) -> Connection {
    if !FileManager.default.fileExists(atPath: path), !Self.makeFile(at: path) {
      let hasFolder = FileManager.default.fileExists(atPath: folder)
      throw hasFolder ? .readOnly(path: path) : .cannotOpen(path: path)
    }
    let connection = try Connection(path: path, mode: .write, patience: patience)
    try settle(connection)
    return connection
  }

  /// A connection that only reads.
  func forReading() throws(StorageError) -> Connection {
    guard FileManager.default.fileExists(atPath: path) else { throw .missing(path: path) }
    do throws(StorageError) {
      let connection = try Connection(path: path, mode: .read, patience: patience)
      return try upToDate(connection)
    } catch {
      // A log in WAL form needs an index beside it. Where none can be made, and no write waits in the
      // log, the file alone is complete and nobody can be writing to it.
      switch error {
      case .cannotOpen, .readOnly: break
      default: throw error
      }
      guard waitingBytes == 0 else { throw .unfinishedLog(path: path) }
      let connection = try Connection(path: path, mode: .immutable, patience: patience)
      return try upToDate(connection)
    }
  }

  private func upToDate(_ connection: Connection) throws(StorageError) -> Connection {
    let version = try recognise(connection)
    if version == Schema.version { return connection }
    do throws(StorageError) {
      try settle(try Connection(path: path, mode: .write, patience: patience))
    } catch .readOnly {
      throw .olderSchema(path: path, found: version, known: Schema.version)
    }
    return try Connection(path: path, mode: .read, patience: patience)
  }

  /// Checks that the file is ours, sets what a connection has to have, and takes the steps that the
  /// file has not taken yet.
  private func settle(_ connection: Connection) throws(StorageError) {
    var version = try recognise(connection)
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
    while version < Schema.version {
      try connection.execute("BEGIN IMMEDIATE")
      do throws(StorageError) {
        // Another process may have taken the step while this one waited.
        version = Int(try connection.integer("PRAGMA user_version") ?? 0)
        if version < Schema.version {
          try connection.script(Schema.migrations[version].sql)
          version += 1
          try connection.script(
            """
            PRAGMA application_id = \(Schema.applicationID);
            PRAGMA user_version = \(version);
            """)
        }
        try connection.execute("COMMIT")
      } catch {
        connection.rollback()
        throw error
      }
    }
  }

  /// The schema version of the file: 0 for an empty one.
  private func recognise(_ connection: Connection) throws(StorageError) -> Int {
    let application = try connection.integer("PRAGMA application_id") ?? 0
    let version = Int(try connection.integer("PRAGMA user_version") ?? 0)
    let isEmpty = try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
    guard application == Schema.applicationID || (application == 0 && version == 0 && isEmpty)
    else { throw .notAStore(path: path) }
    guard version <= Schema.version else {
      throw .newerSchema(path: path, found: version, known: Schema.version)
    }
    return version
  }

  /// Makes an empty file that only its owner may open: by hand rather than by SQLite, so that at no
  /// moment anybody else could. False where there is one already, or none can be made.
  static func makeFile(at path: String) -> Bool {
    !FileManager.default.fileExists(atPath: path)
      && FileManager.default.createFile(
        atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
  }

  private var folder: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The size of the write-ahead log beside the file; 0 where there is none.
  private var waitingBytes: Int {
    do {
      let attributes = try FileManager.default.attributesOfItem(atPath: path + "-wal")
      return (attributes[.size] as? Int) ?? Int((attributes[.size] as? UInt64) ?? 0)
    } catch {
      return 0
    }
  }
}
