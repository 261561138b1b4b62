import CSQLite
import DayLog
import FoundationEssentials
import Storage
import TestSupport
import Testing
import Time

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct `A store's file` {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs SQL on the file behind the store's back.
  private func run(_ sql: String) throws {
    var handle: OpaquePointer?
    try #require(unsafe sqlite3_open(folder.store, &handle) == SQLITE_OK)
    defer { unsafe sqlite3_close(handle) }
    try #require(unsafe sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
  }

  private func fill() async throws {
    let store = try LogStore(path: folder.store)
    try await store.merge([Entry(1, .steps, .imported, "fitbit", asOf: 1, 5)])
    await store.close()
  }

  @Test func `that is missing, of another program, damaged or newer is refused by name`()
    async throws
  {
    let path = folder.store
    #expect(throws: StorageError.missing(path: path)) { try LogStore(path: path, access: .read) }
    let nowhere = folder.path + "/no/log.sqlite"
    #expect(throws: StorageError.cannotOpen(path: nowhere)) { try LogStore(path: nowhere) }

    try Data(
      "steps,day\n1,2\n and so on, for more than a hundred bytes of it, so that it has a header"
        .utf8
    )
    .write(to: URL(filePath: path))
    for access in [LogStore.Access.read, .readWrite] {
      #expect(throws: StorageError.notAStore(path: path)) {
        try LogStore(path: path, access: access)
      }
    }
    try FileManager.default.removeItem(atPath: path)
    try run("CREATE TABLE other (id INTEGER); PRAGMA user_version = 3")
    #expect(throws: StorageError.notAStore(path: path)) { try LogStore(path: path) }

    try FileManager.default.removeItem(atPath: path)
    try await fill()
    try run("PRAGMA user_version = 999")
    #expect(
      throws: StorageError.newerSchema(path: path, found: 999, known: LogStore.schemaVersion)
    ) { try LogStore(path: path) }
  }

  @Test func `with damaged pages is an error and no trap`() async throws {
    let store = try LogStore(path: folder.store)
    try await store.merge(
      (0..<3000).map { Entry($0, .steps, .imported, "fitbit", asOf: 1, Double($0)) })
    await store.close()
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: folder.store)))
    for index in stride(from: 8192, to: bytes.count, by: 7) { bytes[index] = 0xA5 }
    try Data(bytes).write(to: URL(filePath: folder.store))
    do {
      let store = try LogStore(path: folder.store, access: .read)
      _ = try await store.days()
      Issue.record("nothing was noticed")
    } catch {
      #expect(error == .damaged(path: folder.store))
    }
  }

  @Test(arguments: 0..<LogStore.schemaVersion)
  func `STO_3: of every earlier version opens and is brought up to date`(version: Int) async throws
  {
    try LogStore.makeStore(path: folder.store, version: version)
    if version >= 1 {
      try run(
        """
        INSERT INTO metric VALUES (1, 'steps'); INSERT INTO source VALUES (1, 1, 'fitbit');
        INSERT INTO entry VALUES (7, 1, 1, 3, 42.0, NULL);
        """)
    }
    let store = try LogStore(path: folder.store, access: version == 0 ? .readWrite : .read)
    #expect(try await store.days().map { $0[.steps]?.value } == (version >= 1 ? [42] : []))
    #expect(try await store.integrityProblems() == [])
    await store.close()
    let again = try LogStore(path: folder.store)
    try await again.type(
      1, .mood, on: CalendarDay(number: 1), source: "x", now: Instant(seconds: 1))
  }

  @Test func `is for its owner alone also where an empty file was there for everybody`()
    async throws
  {
    try Data().write(to: URL(filePath: folder.store))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.store)
    let store = try LogStore(path: folder.store)
    try await store.merge([Entry(1, .steps, .imported, "fitbit", asOf: 1, 5)])
    for name in ["", "-wal", "-shm"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.store + name)
      let mode = attributes[.posixPermissions]
      #expect((mode as? Int ?? Int(mode as? Int16 ?? 0)) == 0o600)
    }
  }

  private func setModes(folder folderMode: Int, files: Int) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      try FileManager.default.setAttributes(
        [.posixPermissions: files], ofItemAtPath: folder.path + "/" + name)
    }
    try FileManager.default.setAttributes(
      [.posixPermissions: folderMode], ofItemAtPath: folder.path)
  }

  @Test func `STO_5: is read in a folder that cannot be written to, and nothing is written`()
    async throws
  {
    try await fill()
    let before = try folder.allBytes()
    try setModes(folder: 0o555, files: 0o644)
    defer { #expect(throws: Never.self) { try setModes(folder: 0o755, files: 0o600) } }
    let output = folder.path + ".out"
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: output) } }
    let said = try StoreWriter.readAsNobody(store: folder.store, output: output)
    #expect(said == ["days 1", "write: \(StorageError.readOnly(path: folder.store))"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["log.sqlite"])
    #expect(try folder.allBytes() == before)

    // One that is not everybody's to read is refused with its path.
    try setModes(folder: 0o555, files: 0o600)
    if getuid() == 0 {
      let refused = try StoreWriter.readAsNobody(store: folder.store, output: output)
      #expect(refused.first == "read: \(StorageError.cannotOpen(path: folder.store))")
    }
  }

  @Test func `STO_5: with writes that wait in the log is read or refused, never half read`()
    async throws
  {
    try await fill()
    let store = try LogStore(path: folder.store)
    try await store.merge([Entry(2, .steps, .imported, "fitbit", asOf: 1, 5)])
    // What a killed process leaves: the file, the log and its index, as they stand at this moment.
    let left = try TemporaryFolder()
    for suffix in ["", "-wal", "-shm"] {
      try FileManager.default.copyItem(atPath: folder.store + suffix, toPath: left.store + suffix)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o644], ofItemAtPath: left.store + suffix)
    }
    await store.close()
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: left.path)
    let output = folder.path + "/out"
    #expect(try StoreWriter.readAsNobody(store: left.store, output: output).first == "days 2")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: left.path)
    try FileManager.default.removeItem(atPath: left.store + "-shm")
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: left.path)
    #expect(
      try StoreWriter.readAsNobody(store: left.store, output: output).first
        == "read: \(StorageError.unfinishedLog(path: left.store))")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: left.path)
  }

  @Test
  func `STO_4: is one file alone once the last that had it open has closed it, also a reader`()
    async throws
  {
    let writer = try LogStore(path: folder.store)
    try await writer.merge([Entry(1, .steps, .imported, "fitbit", asOf: 1, 5)])
    let reader = try LogStore(path: folder.store, access: .read)
    #expect(try await reader.days().count == 1)
    await writer.close()
    await reader.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["log.sqlite"])
    // And read alone, from a store that was closed.
    let alone = try LogStore(path: folder.store, access: .read)
    #expect(try await alone.days().count == 1)
    await alone.close()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names == ["log.sqlite"])
    let bytes = try folder.allBytes()
    let copy = try TemporaryFolder()
    try Data(bytes).write(to: URL(filePath: copy.store))
    let copied = try LogStore(path: copy.store, access: .read)
    #expect(try await copied.days().count == 1)
    await copied.close()
  }

  @Test func `opened to be read cannot be written to`() async throws {
    try await fill()
    let reader = try LogStore(path: folder.store, access: .read)
    await #expect(throws: StorageError.readOnly(path: folder.store)) {
      try await reader.merge([Entry(2, .steps, .imported, "fitbit", asOf: 1, 5)])
    }
    await reader.close()
  }

  @Test func `tells its own schema, and is left as it is`() throws {
    let path = folder.store
    try LogStore.makeStore(path: path, version: 2)
    #expect(try LogStore.schemaVersion(ofFileAt: path) == 2)
    #expect(try LogStore.schemaVersion(ofFileAt: path) == 2)
    #expect(throws: StorageError.missing(path: path + "x")) {
      try LogStore.schemaVersion(ofFileAt: path + "x")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["log.sqlite"])
  }

  @Test func `that is full is a named error and holds what it held`() async throws {
    let store = try LogStore(path: folder.store)
    try await store.merge([Entry(1, .steps, .imported, "fitbit", asOf: 1, 5)])
    try await store.limitPages(to: 40)
    await #expect(throws: StorageError.diskFull(path: folder.store)) {
      try await store.merge(
        (0..<9000).map { Entry($0, .steps, .imported, "other", asOf: 1, Double($0)) })
    }
    #expect(try await store.entries().count == 1)
    try await store.merge([Entry(2, .steps, .imported, "fitbit", asOf: 1, 5)])
    #expect(try await store.entries().count == 2)
    #expect(try await store.integrityProblems() == [])
  }

  @Test func `STO_1: that another process keeps to itself is a named error after the wait`()
    async throws
  {
    let store = try LogStore(path: folder.store, patience: 0.05)
    var handle: OpaquePointer?
    try #require(unsafe sqlite3_open(folder.store, &handle) == SQLITE_OK)
    unsafe sqlite3_exec(handle, "BEGIN IMMEDIATE", nil, nil, nil)
    await #expect(throws: StorageError.busy(path: folder.store)) {
      try await store.merge([Entry(1, .steps, .imported, "fitbit", asOf: 1, 5)])
    }
    unsafe sqlite3_close(handle)
    try await store.merge([Entry(1, .steps, .imported, "fitbit", asOf: 1, 5)])
  }

  @Test func `STO_2: keeps no long log beside it after a large import`() async throws {
    let store = try LogStore(path: folder.store)
    let file = ImportedFile(
      hash: Array(repeating: 7, count: 16), name: "x", importedAt: Instant(seconds: 1),
      dayStart: nil)
    try await store.merge(
      (0..<12_000).map { Entry($0, .steps, .imported, "other", asOf: 1, Double($0)) }, from: file)
    let size = try FileManager.default.attributesOfItem(atPath: folder.store + "-wal")[.size]
    #expect((size as? Int ?? Int(size as? UInt64 ?? 1)) == 0)
  }
}
