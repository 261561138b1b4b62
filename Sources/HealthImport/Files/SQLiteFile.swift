internal import CSQLite

/// An export that is an SQLite database, held in memory and only read.
///
/// All of SQLite's C interface that importing needs stands here.
@safe final class SQLiteFile {
  private let connection: OpaquePointer
  private let name: String

  /// The databases that are held whole.
  static let byteLimit = 1 << 28

  /// The database that bytes are.
  ///
  /// - Throws: `.malformed` where they are none.
  init(_ bytes: ContiguousArray<UInt8>, name: String) throws(ImportError) {
    self.name = name
    var handle: OpaquePointer?
    let opened = unsafe sqlite3_open_v2(
      ":memory:", &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    guard opened == SQLITE_OK, let handle = unsafe handle else {
      unsafe sqlite3_close(handle)
      throw ImportError(file: name, .malformed("could not be opened as a database"))
    }
    unsafe connection = handle
    guard bytes.count >= 100, let copy = unsafe sqlite3_malloc64(UInt64(bytes.count)) else {
      throw ImportError(file: name, .malformed("is no whole database"))
    }
    let memory = unsafe copy.assumingMemoryBound(to: UInt8.self)
    unsafe bytes.withUnsafeBufferPointer { source in
      if let start = source.baseAddress {
        unsafe memory.initialize(from: start, count: source.count)
      }
    }
    // One that was in use says that a log lies beside it; what is in the file alone is read.
    unsafe memory[18] = 1
    unsafe memory[19] = 1
    let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY)
    let loaded = unsafe sqlite3_deserialize(
      handle, "main", memory, Int64(bytes.count), Int64(bytes.count), flags)
    guard loaded == SQLITE_OK else {
      throw ImportError(file: name, .malformed("could not be opened as a database"))
    }
    // No function of the file's own making runs, and no page is believed beyond what it holds.
    unsafe sqlite3_exec(
      handle, "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON", nil, nil, nil)
    _ = try rows("SELECT count(*) FROM sqlite_master", columns: 1) { _ in }
  }

  deinit { unsafe sqlite3_close(connection) }

  /// The names of its tables.
  func tables() throws(ImportError) -> Set<String> {
    var names: Set<String> = []
    try rows("SELECT name FROM sqlite_master WHERE type = 'table'", columns: 1) { row in
      if case .text(let name)? = row.first { names.insert(name) }
    }
    return names
  }

  enum Value {
    case null
    case number(Double)
    case text(String)

    var number: Double? { if case .number(let value) = self, value.isFinite { value } else { nil } }
  }

  /// Calls `body` with each row that a query of ours gives.
  func rows(
    _ sql: String, columns: Int32, _ body: ([Value]) -> Void
  ) throws(ImportError) {
    var statement: OpaquePointer?
    guard unsafe sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else {
      throw ImportError(
        file: name, .malformed("is a database without the columns that its kind has"))
    }
    defer { unsafe sqlite3_finalize(statement) }
    while true {
      switch unsafe sqlite3_step(statement) {
      case SQLITE_ROW:
        var row: [Value] = []
        for column in 0..<columns {
          switch unsafe sqlite3_column_type(statement, column) {
          case SQLITE_INTEGER, SQLITE_FLOAT:
            row.append(.number(unsafe sqlite3_column_double(statement, column)))
          case SQLITE_TEXT:
            let count = Int(unsafe sqlite3_column_bytes(statement, column))
            if let text = unsafe sqlite3_column_text(statement, column) {
              let bytes = unsafe UnsafeBufferPointer(start: text, count: count)
              row.append(.text(unsafe String(decoding: bytes, as: UTF8.self)))
            } else {
              row.append(.null)
            }
          default: row.append(.null)
          }
        }
        body(row)
      case SQLITE_DONE: return
      default: throw ImportError(file: name, .malformed("is a damaged database"))
      }
    }
  }
}
