import CSQLite
import DayLog
import FoundationEssentials
import Storage
import TestSupport
import Testing
import Time

@Suite struct `A damaged store` {
  let folder: TemporaryFolder
  let now = Instant(seconds: 1_700_000_000)

  init() throws { folder = try TemporaryFolder() }

  /// A year of two metrics, a week typed, with something in every table.
  private func prepare() async throws {
    let store = try LogStore(path: folder.store)
    let entries = (0..<365).flatMap { (day: Int) -> [Entry] in
      let steps = Entry(
        19_000 + day, .steps, .imported, "fitbit", asOf: 5, Double(day * 37 % 9000))
      let hrv = Entry(19_000 + day, .hrv, .imported, "oura", asOf: 6, Double(day % 40) + 0.25)
      return [steps, hrv]
    }
    let file = ImportedFile(
      hash: (0..<16).map { UInt8($0) }, name: "a.csv", importedAt: now, dayStart: nil)
    try await store.merge(entries, from: file)
    for day in 0..<7 {
      try await store.type(
        Double(day), .mood, on: CalendarDay(number: 19_100 + day), source: "x", now: now)
    }
    try await store.forget(CalendarDay(number: 19_200), .hrv, now: now)
    try await store.set(.dayStart, to: 4 * 3600)
    try await store.enqueue([QueuedPayload(Array(#"{"id":"1","kind":"dream"}"#.utf8))])
    try await store.want([WantedTarget(name: "mood", metric: .mood, isAsked: true)])
    let training = try await store.beginTraining()
    try await store.save(
      [
        StoredModel(
          target: "mood", schemaVersion: 1, bytes: Array(repeating: 7, count: 2000),
          fingerprint: "f", change: 1, madeAt: now)
      ], of: training)
    _ = try await store.note(
      NudgeRecord(id: "a", day: CalendarDay(number: 19_100), sentAt: now, text: "text"))
    await store.close()
  }

  /// All that a store says.
  private struct Content: Equatable {
    let days: [ResolvedDay]
    let entries: [Entry]
    let marks: [ForgetMark]
    let payloads: [QueuedPayload]
    let settings: [String: String]
    let models: [StoredModel]
    let wanted: [WantedTarget]
    let files: [ImportedFile]
    let nudges: [NudgeRecord]

    init(_ store: LogStore) async throws {
      days = try await store.days()
      entries = try await store.entries()
      marks = try await store.forgetMarks()
      payloads = try await store.payloads()
      settings = try await store.settings()
      models = try await store.models()
      wanted = try await store.wantedTargets()
      files = try await store.importedFiles()
      nudges = try await store.nudges()
    }
  }

  @Test func `says so, or what it said before, or the doctor tells: whatever byte has changed`()
    async throws
  {
    try await prepare()
    let sound = try await Content(try LogStore(path: folder.store, access: .read))
    let bytes = try Data(contentsOf: URL(filePath: folder.store))
    var random = SplitMix64(seed: 13)
    let isLong = ProcessInfo.processInfo.environment["DIURNAL_LONG_TESTS"] == "1"
    var found = 0
    for _ in 0..<(isLong ? 5_000 : 400) {
      let other = try TemporaryFolder()
      var changed = bytes
      let place = Int.random(in: 0..<bytes.count, using: &random)
      changed[place] ^= UInt8.random(in: 1...255, using: &random)
      try changed.write(to: URL(filePath: other.store))
      do {
        let store = try LogStore(path: other.store)
        let content = try await Content(store)
        // A row that changed is found where it is read; rows that vanished with a part of a page, by the doctor.
        if content != sound {
          #expect(try await store.integrityProblems() != [], "byte \(place)")
        }
      } catch {
        found += 1
      }
    }
    // Much of the file is free or holds what no row points to: about one in six is met.
    #expect(found > (isLong ? 500 : 40))
  }

  @Test(
    arguments: [
      "UPDATE entry SET value = 5 WHERE day = 19003",
      "UPDATE entry SET value = 9e999 WHERE day = 19003",
      "UPDATE entry SET as_of = 9223372036854775807 WHERE day = 19003",
      "UPDATE entry SET as_of = -9223372036854775808 WHERE day = 19003",
      "UPDATE entry SET day = 9223372036854775807 WHERE day = 19003 AND metric = 1",
      "UPDATE entry SET metric = 4611686018427387904 WHERE day = 19003 AND metric = 1",
      "UPDATE entry SET source = -7 WHERE day = 19003 AND metric = 1",
      "UPDATE metric SET id = 4611686018427387904 WHERE id = 1",
      "UPDATE metric SET name = 'energy' WHERE id = 1",
      "UPDATE source SET name = 'garmin' WHERE id = 1",
      "UPDATE forgotten SET as_of = 9223372036854775807",
      "UPDATE forgotten SET day = -9223372036854775808",
      "UPDATE setting SET value = '05:00'",
      "UPDATE imported_file SET hash = x'00000000000000000000000000000000'",
      "UPDATE payload SET bytes = x'00'",
      "UPDATE model SET change = 9223372036854775807",
      "UPDATE wanted_target SET name = 'hrv'",
      "UPDATE nudge SET text = 'other'",
    ])
  func `names itself where a row is not what was written`(statement: String) async throws {
    try await prepare()
    try execute("PRAGMA foreign_keys = OFF; " + statement)
    let store = try LogStore(path: folder.store)
    await #expect(throws: StorageError.damaged(path: folder.store)) {
      _ = try await Content(store)
    }
    #expect(try await store.integrityProblems() != [])
  }

  @Test(arguments: [
    "UPDATE entry SET as_of = 9007199254740992", "UPDATE forgotten SET as_of = 1 << 62",
  ])
  func `is none where an earlier version counted moments beyond what a file can carry`(
    statement: String
  ) async throws {
    try LogStore.makeStore(path: folder.store, version: 7)
    try execute(
      """
      INSERT INTO metric VALUES (1, 'mood'); INSERT INTO source VALUES (1, 0, 'x');
      INSERT INTO entry VALUES (7, 1, 1, 3, 42.0, NULL); INSERT INTO forgotten VALUES (8, '', 3);
      """ + statement)
    let store = try LogStore(path: folder.store)
    for day in [7, 8] {
      try await store.type(5, .mood, on: CalendarDay(number: day), source: "x", now: now)
    }
    #expect(try await store.days().map { $0[.mood]?.value } == [5, 5])
    let document = try SyncDocument(try await store.syncDocument().bytes)
    let other = try LogStore(path: folder.path + "/other.sqlite")
    try await other.merge(document, now: now)
    #expect(try await other.days().map { $0[.mood]?.value } == [5, 5])
  }

  @Test func `gives up what is whole in it, and says what is lost`() async throws {
    try await prepare()
    let sound = try await Content(try LogStore(path: folder.store, access: .read))
    try execute("UPDATE entry SET value = 5 WHERE day IN (19003, 19101) AND metric <> 2")
    let target = folder.path + "/rescued.sqlite"
    let summary = try LogStore.rescue(from: folder.store, to: target)
    #expect(summary.spoilt == ["values": 3] && summary.unreadable == [] && !summary.isComplete)
    let rescued = try LogStore(path: target)
    #expect(try await rescued.integrityProblems() == [])
    let content = try await Content(rescued)
    let lost = sound.entries.filter { entry in
      [19_003, 19_101].contains(entry.key.day.number) && entry.key.metric != .hrv
    }
    #expect(lost.count == 3)
    #expect(content.entries == sound.entries.filter { !lost.contains($0) })
    #expect(content.marks == sound.marks && content.settings == sound.settings)
    #expect(content.payloads == sound.payloads && content.wanted == sound.wanted)
    #expect(try await rescued.pendingWork().targets == sound.wanted)
    #expect(throws: StorageError.readOnly(path: target)) {
      _ = try LogStore.rescue(from: folder.store, to: target)
    }
  }

  @Test func `gives up the rows on both sides of a page that is gone`() async throws {
    try await prepare()
    let sound = try await Content(try LogStore(path: folder.store, access: .read))
    let bytes = try Data(contentsOf: URL(filePath: folder.store))
    let pages = bytes.count / 4096
    var rescuedCounts: [Int] = []
    var refused = 0
    for page in 1..<pages {
      var broken = bytes
      broken.replaceSubrange(page * 4096..<page * 4096 + 64, with: Data(repeating: 0xFF, count: 64))
      let other = try TemporaryFolder()
      try broken.write(to: URL(filePath: other.store))
      do {
        let summary = try LogStore.rescue(from: other.store, to: other.path + "/rescued.sqlite")
        let rescued = try LogStore(path: other.path + "/rescued.sqlite")
        let entries = try await rescued.entries()
        #expect(entries.allSatisfy { sound.entries.contains($0) }, "page \(page)")
        if entries != sound.entries { #expect(!summary.isComplete, "page \(page)") }
        rescuedCounts.append(entries.count)
      } catch {
        refused += 1
      }
    }
    #expect(refused < pages / 2)
    #expect(rescuedCounts.contains { $0 > 300 && $0 < sound.entries.count })
  }

  private func execute(_ sql: String) throws {
    var handle: OpaquePointer?
    try #require(unsafe sqlite3_open(folder.store, &handle) == SQLITE_OK)
    defer { unsafe sqlite3_close(handle) }
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    try #require(code == SQLITE_OK, "\(sql): \(code)")
  }
}
