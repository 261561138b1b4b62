import CSQLite
import DayLog
import FoundationEssentials
import Storage
import TestSupport
import Testing
import Time

@Suite struct `What a removal leaves to be done` {
  let folder: TemporaryFolder
  let day = CalendarDay(number: 20_000)
  let now = Instant(seconds: 4_000_000_000)
  /// A value whose eight bytes are found nowhere by chance.
  let secret = Double(bitPattern: 0x40F3_A7C5_91E6_2B7D)

  init() throws { folder = try TemporaryFolder() }

  private var mood: WantedTarget { WantedTarget(name: "mood", metric: .mood, isAsked: false) }
  private var low: WantedTarget { WantedTarget(name: "mood<=4", metric: .mood, isAsked: true) }

  /// A log with a secret value and two models that know it.
  private func prepare(_ store: LogStore) async throws {
    try await store.type(4, .mood, on: day.advanced(by: 1), source: "phone", now: now)
    try await store.type(secret, .mood, on: day, source: "phone", now: now)
    try await store.want([mood, low])
    try await save(["mood", "mood<=4"], in: store)
  }

  private func save(_ targets: [String], in store: LogStore) async throws {
    let training = try await store.beginTraining()
    let models = targets.map {
      StoredModel(
        target: $0, schemaVersion: 1, bytes: [1], fingerprint: "", change: training.change,
        madeAt: now)
    }
    try await store.save(models, of: training)
  }

  private func holdsSecret() throws -> Bool {
    let wanted = (0..<8).map { UInt8(truncatingIfNeeded: secret.bitPattern >> (56 - 8 * $0)) }
    return try folder.allBytes().firstRange(of: wanted) != nil
  }

  @Test func `is pending until each model is there again`() async throws {
    let store = try LogStore(path: folder.store)
    try await prepare(store)
    #expect(try await store.pendingWork().isEmpty)
    try await store.forget(day, now: now)
    #expect(try await store.models() == [])
    #expect(try await store.pendingWork() == PendingWork(traces: false, targets: [mood, low]))
    try await save(["mood"], in: store)
    #expect(try await store.pendingWork().targets == [low])
    // One that cannot be trained stays wanted and waits no more.
    try await store.settle("mood<=4", of: try await store.beginTraining())
    #expect(try await store.pendingWork().isEmpty)
    #expect(try await store.wantedTargets() == [mood, low])
  }

  @Test func `is not settled by a training that began before it`() async throws {
    let store = try LogStore(path: folder.store)
    try await prepare(store)
    let late = try await store.beginTraining()
    try await store.forget(day, now: now)
    await #expect(throws: StorageError.outdatedTraining(target: "mood")) {
      try await store.settle("mood", of: late)
    }
    #expect(try await store.pendingWork().targets == [mood, low])
  }

  @Test func `waits while somebody reads an earlier state, and is finished by the next opening`()
    async throws
  {
    let store = try LogStore(path: folder.store, patience: 0.05)
    try await prepare(store)
    let reader = try Reader(folder.store)
    #expect(try await store.forget(day, now: now) == [day])
    #expect(try await store.days(from: day, to: day) == [])
    #expect(try await store.pendingWork() == PendingWork(traces: true, targets: [mood, low]))
    #expect(try await !store.eraseTraces())
    // Another opening beside the reader does not wait for it and loses nothing.
    let other = try LogStore(path: folder.store)
    #expect(try await other.pendingWork().traces)
    #expect(try holdsSecret())
    reader.end()
    let next = try LogStore(path: folder.store)
    #expect(try await next.pendingWork() == PendingWork(traces: false, targets: [mood, low]))
    #expect(try !holdsSecret())
  }

  @Test func `is there, or nothing is forgotten, wherever a process that forgets is killed`()
    async throws
  {
    var killAfter = 1
    var outcomes: Set<String> = []
    var isDone = false
    while !isDone {
      let folder = try TemporaryFolder()
      let store = try LogStore(path: folder.store)
      try await prepare(store)
      await store.close()
      let said = try StoreWriter.forget(
        store: folder.store, killAfter: killAfter, day: day.number, output: folder.path + "/out")
      isDone = said.contains("done")
      let left = try LogStore(path: folder.store)
      let work = try await left.pendingWork()
      let models = try await left.models().map(\.target)
      if try await left.days(from: day, to: day).isEmpty {
        #expect(models == [] && work.targets == [mood, low], "killed after \(killAfter)")
        #expect(!work.traces, "killed after \(killAfter)")
        let secret = (0..<8).map {
          UInt8(truncatingIfNeeded: self.secret.bitPattern >> (56 - 8 * $0))
        }
        #expect(try folder.allBytes().firstRange(of: secret) == nil, "killed after \(killAfter)")
        outcomes.insert("forgotten")
      } else {
        #expect(models == ["mood", "mood<=4"] && work.isEmpty, "killed after \(killAfter)")
        #expect(!said.contains("forgotten"))
        outcomes.insert("kept")
      }
      killAfter += 1 + killAfter / 30
      try #require(killAfter < 5_000)
    }
    #expect(outcomes == ["forgotten", "kept"])
  }

  @Test func `the models of an earlier version become wanted targets`() async throws {
    try LogStore.makeStore(path: folder.store, version: 6)
    let names = ["hrv", "mood", "mood 3 days ahead", "mood<=4", "symptom.a_1>2 2 days ahead"]
    try Reader.execute(
      folder.store,
      names.map {
        "INSERT INTO model (target, schema, fingerprint, change, made_at, bytes) VALUES ('\($0)', 1, '', 0, 0, x'00')"
      }.joined(separator: ";"))
    let store = try LogStore(path: folder.store)
    let wanted = try await store.wantedTargets()
    #expect(wanted.map(\.name) == names)
    #expect(wanted.map(\.metric.name) == ["hrv", "mood", "mood", "mood", "symptom.a_1"])
    #expect(wanted.map(\.isAsked) == [false, false, true, true, true])
    #expect(try await store.pendingWork().isEmpty)
  }
}

/// Another program that reads the file and is in no hurry.
@safe private final class Reader {
  private var handle: OpaquePointer?

  init(_ path: String) throws {
    try #require(unsafe sqlite3_open(path, &handle) == SQLITE_OK)
    let sql = "BEGIN; SELECT count(*) FROM entry"
    try #require(unsafe sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
  }

  func end() {
    unsafe sqlite3_close(handle)
    unsafe handle = nil
  }

  static func execute(_ path: String, _ sql: String) throws {
    var handle: OpaquePointer?
    try #require(unsafe sqlite3_open(path, &handle) == SQLITE_OK)
    defer { unsafe sqlite3_close(handle) }
    try #require(unsafe sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
  }
}
