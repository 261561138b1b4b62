package import Storage
internal import Synchronization

/// The files and folders that the health refresh was reading when it was told to stop: tried last the next time, so
/// that one which never ends keeps none of the others from being imported.
package struct UnfinishedFiles: Sendable {
  private static let space = "refresh"
  /// More than that many at once are a fault of the whole disk.
  private static let limit = 100

  private let store: LogStore

  /// Those of a log.
  package init(_ store: LogStore) { self.store = store }

  /// Their paths, in order.
  package func paths() async throws(StorageError) -> [String] {
    try await store.records(in: Self.space).keys.sorted()
  }

  /// Keeps that this path was not read to its end.
  func insert(_ path: String) async throws(StorageError) {
    try await store.updateRecords(in: Self.space) { records in
      if records.count < Self.limit { records[path] = [] }
    }
  }

  /// Keeps of these paths no more that they were not read to their end.
  func remove(_ paths: Set<String>) async throws(StorageError) {
    try await store.updateRecords(in: Self.space) { records in
      for path in paths { records[path] = nil }
    }
  }
}

/// What is being read at this moment, as another thread may ask.
final class CurrentPath: Sendable {
  private let path = Mutex<String?>(nil)

  var value: String? { path.withLock { $0 } }

  func set(_ path: String?) { self.path.withLock { $0 = path } }
}
