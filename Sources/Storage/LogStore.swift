internal import DayLog

/// A person's log in one SQLite file, and the only door to it.
///
/// Each call is one transaction: it happens as a whole, and once it has returned it survives a crash and
/// a loss of power. Other processes may read and write the same file at the same time. The file, not
/// this actor, is the truth, so nothing is cached that another process could have changed.
///
/// Close a store (``close()``): once the last that has it open has, the file alone is complete, with no log
/// beside it.
public actor LogStore {
  /// What a store is opened for.
  public enum Access: Sendable {
    /// Reading and writing; the file is made where there is none, for its owner alone (mode 0600).
    case readWrite
    /// Reading a file that exists. A store of an earlier version is brought up to date where it can be
    /// written to. On a medium without write access nothing is written anywhere.
    case read
  }

  /// Where the file is.
  public nonisolated let path: String
  /// Whether this store can be written to.
  public nonisolated let isReadOnly: Bool

  private var openConnection: Connection?
  private var isSuspended = false
  private var holders = 1
  private let patience: Double
  var names = NameTable()
  private var dataVersion: Int64?

  /// Opens the store at `path`.
  ///
  /// - Parameter patience: how long a write waits for that of another process, in seconds.
  /// - Throws: ``StorageError``: `missing`, `cannotOpen`, `readOnly`, `notAStore`, `damaged`, `newerSchema`,
  ///   `olderSchema`, `unfinishedLog` or `busy`, each with the path.
  public init(
    path: String, access: Access = .readWrite, patience: Double = 5
  ) throws(StorageError) {
    let opening = StoreOpening(path: path, patience: Int32(max(0, min(patience, 3600)) * 1000))
    self.path = path
    self.patience = patience
    switch access {
    case .readWrite:
      openConnection = try opening.forWriting()
      isReadOnly = false
      openConnection?.eraseLeftTraces(patience: opening.patience)
    case .read:
      openConnection = try opening.forReading()
      isReadOnly = true
    }
  }

  /// Folds the write-ahead log into the file and closes it; every later call throws
  /// ``StorageError/closed(path:)``.
  public func close() {
    openConnection?.finish()
    openConnection = nil
    isSuspended = false
  }

  /// Closes the file until ``resume()`` where nobody else has asked for it: once this returns for the last of them, no
  /// lock is held. A phone ends an app that it puts to sleep with a file of a shared folder locked.
  ///
  /// Opening counts as the first ``resume()``. Calls on a store that sleeps throw ``StorageError/suspended(path:)`` and
  /// change nothing.
  public func suspend() {
    holders = max(0, holders - 1)
    guard holders == 0, openConnection != nil else { return }
    openConnection?.finish()
    openConnection = nil
    isSuspended = true
  }

  /// Opens the file again after ``suspend()``, and keeps it open until a further ``suspend()``.
  ///
  /// - Throws: as opening it does, or ``StorageError/closed(path:)``; nothing has changed then.
  public func resume() throws(StorageError) {
    if isSuspended {
      let opening = StoreOpening(path: path, patience: Int32(max(0, min(patience, 3600)) * 1000))
      openConnection = try isReadOnly ? opening.forReading() : opening.forWriting()
      isSuspended = false
      // Another process may have written meanwhile.
      dataVersion = nil
    }
    guard openConnection != nil else { throw .closed(path: path) }
    holders += 1
  }

  /// Makes a store as an earlier version left it: with the first `version` steps taken.
  package static func makeStore(path: String, version: Int) throws(StorageError) {
    try StoreOpening(path: path, patience: 5000, version: version).forWriting().finish()
  }

  /// Lets the file grow to no more than `count` pages, as a full disk would.
  package func limitPages(to count: Int) throws(StorageError) {
    _ = try connection.integer("PRAGMA max_page_count = \(count)")
  }

  // MARK: - Transactions

  /// The connection of the transaction that is running.
  var connection: Connection {
    get throws(StorageError) {
      guard let openConnection else {
        throw isSuspended ? .suspended(path: path) : .closed(path: path)
      }
      return openConnection
    }
  }

  /// Runs `body` as one transaction that writes: the whole of it happens, or nothing.
  ///
  /// It waits for other writers at its start (`BEGIN IMMEDIATE`), so that it cannot fail in the middle
  /// because of one.
  ///
  /// - Parameter keeps: whether what `body` did is to happen, by its result.
  func write<Result>(
    keepsIf keeps: (Result) -> Bool = { _ in true },
    _ body: (Connection) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    guard !isReadOnly else { throw .readOnly(path: path) }
    do throws(StorageError) {
      return try transaction("BEGIN IMMEDIATE", keepsIf: keeps, body)
    } catch {
      forgetNames()
      throw error
    }
  }

  /// Lets the next transaction read the names of metrics and sources anew.
  func forgetNames() { dataVersion = nil }

  /// Runs `body` on one state of the file, whatever other processes write meanwhile.
  func read<Result>(
    _ body: (Connection) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try transaction("BEGIN", keepsIf: { _ in true }, body)
  }

  private func transaction<Result>(
    _ begin: String, keepsIf keeps: (Result) -> Bool,
    _ body: (Connection) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    let connection = try connection
    try connection.execute(begin)
    do throws(StorageError) {
      try refreshNames(connection)
      let result = try body(connection)
      if keeps(result) {
        try connection.execute("COMMIT")
      } else {
        connection.rollback()
        forgetNames()
      }
      return result
    } catch {
      connection.rollback()
      throw error
    }
  }

  /// Reads the names of metrics and sources anew where another process has written, or a
  /// transaction was taken back.
  private func refreshNames(_ connection: Connection) throws(StorageError) {
    let current = try connection.integer("PRAGMA data_version")
    guard dataVersion == nil || current != dataVersion else { return }
    names = try NameTable(connection)
    dataVersion = current
  }
}
