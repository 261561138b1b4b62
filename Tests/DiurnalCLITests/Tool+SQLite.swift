import CSQLite
import Testing

extension Tool {
  /// Changes the log's file as another program would.
  func sqlite(_ statements: String) throws {
    var handle: OpaquePointer?
    try #require(unsafe sqlite3_open(store, &handle) == SQLITE_OK)
    defer { unsafe sqlite3_close(handle) }
    try #require(unsafe sqlite3_exec(handle, statements, nil, nil, nil) == SQLITE_OK)
  }
}
