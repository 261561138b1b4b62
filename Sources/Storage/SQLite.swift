internal import CSQLite

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// One connection to one database file. This is the only file that calls SQLite: codes become
/// ``StorageError``s here, and no pointer leaves it.
///
/// It belongs to whoever made it and is not shared: SQLite's own locks are left out (`NOMUTEX`).
@safe final class Connection {
  /// How a file is opened.
  enum Mode {
    /// Reads and writes, and makes the file where there is none.
    case create
    /// Reads and writes a file that exists.
    case write
    /// Reads alone. Where the file may be written to it is opened for that all the same: whoever closes it
    /// last has to fold the write-ahead log into it, and a connection that SQLite takes for a reader would
    /// leave the log and its index behind.
    case read
    /// Reads alone, and keeps the index of the write-ahead log in memory: for a disk without room for it.
    case alone
    /// Reads a file of which it is known that nobody writes to it; takes no locks and makes no
    /// files beside it, which is what a medium without write access needs.
    case immutable
  }

  let path: String
  private let handle: OpaquePointer
  private var kept: [String: Statement] = [:]

  /// Opens `path`. A statement waits up to `patience` milliseconds for another process; that is set
  /// before anything else is asked of the file.
  init(path: String, mode: Mode, patience: Int32) throws(StorageError) {
    self.path = path
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
    switch mode {
    case .create: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    case .write, .read, .alone: flags |= SQLITE_OPEN_READWRITE
    case .immutable: flags |= SQLITE_OPEN_READONLY
    }
    var opened: OpaquePointer?
    let name = Self.address(of: path, immutable: mode == .immutable)
    let code = unsafe sqlite3_open_v2(name, &opened, flags, nil)
    guard code == SQLITE_OK, let handle = unsafe opened else {
      let extended = unsafe opened == nil ? code : sqlite3_extended_errcode(opened)
      unsafe sqlite3_close_v2(opened)
      throw StorageError(code: extended, path: path)
    }
    unsafe self.handle = handle
    unsafe sqlite3_extended_result_codes(handle, 1)
    unsafe sqlite3_busy_timeout(handle, patience)
    unsafe sqlite3_create_function_v2(
      handle, "seal", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil, computeSeal, nil, nil, nil)
    // A page that is not what it should be is an error where it is read, and nothing in a file of somebody else
    // runs code.
    try script("PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF")
    switch mode {
    case .read: try script("PRAGMA query_only = ON")
    case .alone: try script("PRAGMA locking_mode = EXCLUSIVE; PRAGMA query_only = ON")
    case .create, .write, .immutable: break
    }
  }

  deinit {
    kept.removeAll()
    unsafe sqlite3_close_v2(handle)
  }

  /// Lets go of every statement. What then is closed last folds the write-ahead log into the file.
  func finish() { kept.removeAll() }

  /// Makes an empty file that only its owner may open: not by way of SQLite, so that at no moment
  /// anybody else could. A file that is there already is an error and stays as it is.
  static func makeFile(at path: String) throws(StorageError) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw errno == ENOENT || errno == ENOTDIR ? .cannotOpen(path: path) : .readOnly(path: path)
    }
    close(descriptor)
  }

  /// Leaves an empty file to its owner alone, as one that is made here; a device's rights are the system's.
  static func restrictEmptyFile(at path: String) throws(StorageError) {
    var info = stat()
    guard unsafe stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG, info.st_size == 0 else {
      return
    }
    guard info.st_mode & 0o077 != 0 else { return }
    guard unsafe chmod(path, 0o600) == 0 else { throw .readOnly(path: path) }
  }

  /// Removes a file; one that is not there is no error.
  static func remove(_ path: String) { _ = unsafe unlink(path) }

  /// Whether there is nothing in a file; false where that cannot be found out.
  static func isEmptyOrMissing(_ path: String) -> Bool {
    var info = stat()
    return unsafe stat(path, &info) == 0 ? info.st_size == 0 : errno == ENOENT
  }

  /// A `file:` address, in which the characters with a meaning of their own are escaped.
  private static func address(of path: String, immutable: Bool) -> String {
    // A name of its own among addresses, such as ":memory:", is a file like any other.
    var text = path.hasPrefix("/") ? "file:" : "file:./"
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"):
        text += "%" + String(byte, radix: 16, uppercase: true)
      case 0x21...0x7E: text.unicodeScalars.append(Unicode.Scalar(byte))
      default: text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
    return immutable ? text + "?immutable=1" : text
  }

  /// The statement of this text, made once and kept.
  func statement(_ sql: String) throws(StorageError) -> Statement {
    if let statement = kept[sql] { return statement }
    var prepared: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared = unsafe prepared else { throw failure(code) }
    let statement = unsafe Statement(prepared, self)
    kept[sql] = statement
    return statement
  }

  /// Runs one statement to its end; rows are passed over.
  func execute(_ sql: String, _ values: Value...) throws(StorageError) {
    try statement(sql).run(values)
  }

  /// Runs one statement and hands over its rows one by one.
  func rows(
    _ sql: String, _ values: Value..., each: (Statement) throws(StorageError) -> Void
  ) throws(StorageError) {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step() { try each(statement) }
  }

  /// The first column of the first row as an integer, or nil where there is no row or it is null.
  func integer(_ sql: String, _ values: Value...) throws(StorageError) -> Int64? {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    return try statement.step() && !statement.isNull(0) ? statement.integer(0) : nil
  }

  /// The first column of the first row as text, or nil where there is no row or it is null.
  func text(_ sql: String, _ values: Value...) throws(StorageError) -> String? {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    return try statement.step() && !statement.isNull(0) ? statement.text(0) : nil
  }

  /// Runs several statements, divided by semicolons, that take no values and give no rows.
  func script(_ sql: String) throws(StorageError) {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Takes back the open transaction, if there is one: after some failures SQLite has already.
  func rollback() {
    for statement in kept.values { statement.reset() }
    if unsafe sqlite3_get_autocommit(handle) == 0 {
      unsafe sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
    }
  }

  /// How many rows the last statement changed.
  var changedRowCount: Int { Int(unsafe sqlite3_changes(handle)) }

  fileprivate func failure(_ code: Int32) -> StorageError {
    StorageError(
      code: unsafe code == SQLITE_OK ? code : sqlite3_extended_errcode(handle), path: path)
  }
}

/// A value that goes into a statement.
enum Value {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  static func integer(_ value: Int) -> Value { .integer(Int64(value)) }
  static func real(_ value: Double?) -> Value { value.map(Value.real) ?? .null }
  static func integer(_ value: Int64?) -> Value { value.map(Value.integer) ?? .null }
}

/// One prepared statement; columns and parameters as SQLite counts them, columns from 0 and parameters
/// from 1.
@safe final class Statement {
  private let handle: OpaquePointer
  private unowned let connection: Connection

  fileprivate init(_ handle: OpaquePointer, _ connection: Connection) {
    unsafe self.handle = handle
    self.connection = connection
  }

  deinit { unsafe sqlite3_finalize(handle) }

  /// Puts the statement back to its start and releases its locks.
  func reset() {
    unsafe sqlite3_reset(handle)
  }

  /// Binds the values to the parameters, in order.
  func bind(_ values: [Value]) throws(StorageError) {
    for (position, value) in zip(Int32(1)..., values) { try bind(position, value) }
  }

  /// Binds one value to one parameter.
  func bind(_ position: Int32, _ value: Value) throws(StorageError) {
    // SQLITE_TRANSIENT: SQLite copies the bytes before the call returns.
    let copied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    let code =
      switch value {
      case .null: unsafe sqlite3_bind_null(handle, position)
      case .integer(let value): unsafe sqlite3_bind_int64(handle, position, value)
      case .real(let value): unsafe sqlite3_bind_double(handle, position, value)
      case .text(var value):
        value.withUTF8 { unsafe bindText($0, position, copied) }
      case .blob(let value):
        unsafe value.withUnsafeBytes {
          unsafe $0.baseAddress == nil
            ? sqlite3_bind_zeroblob(handle, position, 0)
            : sqlite3_bind_blob64(handle, position, $0.baseAddress, UInt64($0.count), copied)
        }
      }
    guard code == SQLITE_OK else { throw connection.failure(code) }
  }

  private func bindText(
    _ bytes: UnsafeBufferPointer<UInt8>, _ position: Int32, _ copied: sqlite3_destructor_type?
  ) -> Int32 {
    guard let start = bytes.baseAddress else {
      return unsafe sqlite3_bind_text(handle, position, "", 0, copied)
    }
    return unsafe start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
      unsafe sqlite3_bind_text64(
        handle, position, $0, UInt64(bytes.count), copied, UInt8(SQLITE_UTF8))
    }
  }

  /// Moves to the next row; false at the end.
  func step() throws(StorageError) -> Bool {
    switch unsafe sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      let failure = connection.failure(code)
      reset()
      throw failure
    }
  }

  /// Binds, runs to the end and puts the statement back to its start.
  func run(_ values: [Value]) throws(StorageError) {
    try bind(values)
    while try step() {}
    reset()
  }

  /// Checks the seal that stands behind the first `count` columns.
  ///
  /// - Throws: ``StorageError/damaged(path:)`` where they are not what was written.
  func requireSeal(over count: Int32) throws(StorageError) {
    var seal = Seal()
    for column in 0..<count {
      switch unsafe sqlite3_column_type(handle, column) {
      case SQLITE_INTEGER: seal.add(integer(column))
      case SQLITE_FLOAT: seal.add(real(column))
      case SQLITE_TEXT: seal.add(text: bytes(column))
      case SQLITE_BLOB: seal.add(blob: bytes(column))
      default: seal.addNull()
      }
    }
    guard !isNull(count), integer(count) == seal.value else {
      throw .damaged(path: connection.path)
    }
  }

  /// The value of a column, as it can be bound again.
  func value(_ column: Int32) -> Value {
    switch unsafe sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: .integer(integer(column))
    case SQLITE_FLOAT: .real(real(column))
    case SQLITE_TEXT: .text(text(column))
    case SQLITE_BLOB: .blob(bytes(column))
    default: .null
    }
  }

  func isNull(_ column: Int32) -> Bool {
    unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

  func real(_ column: Int32) -> Double { unsafe sqlite3_column_double(handle, column) }

  func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

  func bytes(_ column: Int32) -> [UInt8] {
    guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  }
}

/// The SQL function `seal(...)`: the seal of a row's columns.
private func computeSeal(
  _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
  var seal = Seal()
  for place in 0..<Int(count) {
    let value = unsafe values?[place]
    switch unsafe sqlite3_value_type(value) {
    case SQLITE_INTEGER: unsafe seal.add(sqlite3_value_int64(value))
    case SQLITE_FLOAT: unsafe seal.add(sqlite3_value_double(value))
    case SQLITE_TEXT: unsafe seal.add(text: bytes(of: value))
    case SQLITE_BLOB: unsafe seal.add(blob: bytes(of: value))
    default: seal.addNull()
    }
  }
  unsafe sqlite3_result_int64(context, seal.value)
}

private func bytes(of value: OpaquePointer?) -> [UInt8] {
  guard let start = unsafe sqlite3_value_blob(value) else { return [] }
  return unsafe Array(
    UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
}

extension StorageError {
  /// What an extended result code means to the owner of the file.
  init(code: Int32, path: String) {
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy(path: path)
    case SQLITE_FULL: self = .diskFull(path: path)
    case SQLITE_READONLY, SQLITE_PERM: self = .readOnly(path: path)
    case SQLITE_CORRUPT: self = .damaged(path: path)
    case SQLITE_NOTADB: self = .notAStore(path: path)
    case SQLITE_CANTOPEN: self = .cannotOpen(path: path)
    // No room for the index beside the log; SQLite tells it as a failure of the system.
    case SQLITE_IOERR where code == SQLITE_IOERR | 19 << 8: self = .diskFull(path: path)
    case SQLITE_IOERR: self = .inputOutput(path: path, code: Int(code))
    default: self = .failed(path: path, code: Int(code))
    }
  }
}
