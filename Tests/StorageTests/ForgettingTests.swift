import DayLog
import FoundationEssentials
import Storage
import TestSupport
import Testing
import Time

@Suite struct `Forgetting` {
  let folder: TemporaryFolder
  let day = CalendarDay(number: 20_000)
  /// A value whose eight bytes are found nowhere by chance.
  let secret = Double(bitPattern: 0x40F3_A7C5_91E6_2B7D)
  let otherSecret = Double(bitPattern: 0x40E9_3B52_C8D1_F469)

  init() throws { folder = try TemporaryFolder() }

  private func holds(_ bytes: [UInt8], _ value: Double) -> Bool {
    let wanted = (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (56 - 8 * $0)) }
    return bytes.firstRange(of: wanted) != nil || bytes.firstRange(of: wanted.reversed()) != nil
      || bytes.firstRange(of: Array(value.description.utf8)) != nil
  }

  @Test
  func
    `takes the value out of the rows, the write-ahead log, the free pages, the queue and the models`()
    async throws
  {
    let store = try LogStore(path: folder.store)
    try await store.merge(
      (0..<800).map { Entry(19_600 + $0, .steps, .imported, "fitbit", asOf: 1, Double($0)) })
    try await store.merge([Entry(day.number, .hrv, .imported, "fitbit", asOf: 1, otherSecret)])
    try await store.merge([Entry(day.number, .hrv, .imported, "fitbit", asOf: 2, secret)])
    try await store.type(secret, .mood, on: day, source: "phone", now: Instant(seconds: 5))
    let at = Timestamp(instant: Instant(seconds: Int64(day.number) * 86_400), utcOffset: 0)
    let payload = #"{"id":"p","kind":"check-in","at":"\#(at)","hrv":\#(secret),"energy":3}"#
    try await store.enqueue([QueuedPayload(Array(payload.utf8))])
    let model = StoredModel(
      target: "mood", schemaVersion: 1,
      bytes: (0..<8).map { UInt8(truncatingIfNeeded: secret.bitPattern >> (8 * $0)) },
      fingerprint: "f", change: 1, madeAt: Instant(seconds: 6))
    let training = try await store.beginTraining()
    try await store.save([model], of: training)
    try await store.keep(model.bytes, for: "energy", of: training)
    #expect(holds(try folder.allBytes(), secret))

    let later = Instant(seconds: 4_000_000_000)
    #expect(try await store.forget(day, .hrv, now: later) == [day])
    #expect(try await store.model(for: "mood") == nil)
    #expect(try await store.payloads() == [])
    #expect(try await store.days(from: day, to: day)[0][.energy]?.value == 3)
    #expect(try await store.days(from: day, to: day)[0][.hrv] == nil)
    #expect(try await store.forget(day, now: later) == [day])
    let bytes = try folder.allBytes()
    #expect(!holds(bytes, secret) && !holds(bytes, otherSecret))
    #expect(try await store.days(from: day, to: day) == [])
    #expect(try await store.changedDays(since: 4).contains(day))
    await store.close()
    #expect(!holds(try folder.allBytes(), secret))
  }

  @Test func `takes the name of a metric and of a source with the last value of either`()
    async throws
  {
    let store = try LogStore(path: folder.store)
    let secret = try #require(Metric("symptom.zzsecretdisease"))
    try await store.type(4, .mood, on: day, source: "phone", now: Instant(seconds: 5))
    try await store.type(3, secret, on: day, source: "phone", now: Instant(seconds: 5))
    try await store.merge([Entry(day.number, secret, .imported, "zzsecretapp", asOf: 5, 1)])
    try await store.type(
      2, secret, on: day.advanced(by: 1), source: "phone", now: Instant(seconds: 5))
    try await store.want([
      WantedTarget(name: "symptom.zzsecretdisease", metric: secret, isAsked: true),
      WantedTarget(name: "mood", metric: .mood, isAsked: true),
    ])
    try await store.forget(day, now: Instant(seconds: 9))
    func holds(_ text: String) throws -> Bool {
      try folder.allBytes().firstRange(of: Array(text.utf8)) != nil
    }
    #expect(try holds("zzsecretdisease"), "there is a value of it left")
    #expect(try !holds("zzsecretapp"))
    try await store.forget(day.advanced(by: 1), now: Instant(seconds: 9))
    #expect(try !holds("zzsecretdisease"))
    #expect(try await store.wantedTargets() == [])
    await store.close()
    #expect(try !holds("zzsecretdisease"))
    // The name may come again, and be another number's.
    let again = try LogStore(path: folder.store)
    try await again.type(1, secret, on: day, source: "phone", now: Instant(seconds: 10))
    #expect(try await again.days().map { $0[secret]?.value } == [1])
  }

  @Test func `keeps an import and a sync from bringing the value back, but not the person`()
    async throws
  {
    let store = try LogStore(path: folder.store)
    let other = try LogStore(path: folder.path + "/other.sqlite")
    let entries = [
      Entry(day.number, .mood, .typed, "phone", asOf: 5_000, 4),
      Entry(day.number, .steps, .imported, "fitbit", asOf: 5_000, 9_000),
    ]
    for each in [store, other] { try await each.merge(entries) }
    try await store.forget(day, now: Instant(seconds: 10))

    let summary = try await store.merge([
      Entry(day.number, .steps, .imported, "oura", asOf: 99_000_000, 1)
    ])
    #expect(summary.forgotten == 1 && summary.total == 1)
    try await store.merge(try await other.syncDocument(includingImported: true), now: nil)
    #expect(try await store.entries() == [])
    let document = try await store.syncDocument()
    #expect(!String(decoding: document.bytes, as: UTF8.self).contains("9000"))
    try await other.merge(document, now: nil)
    #expect(try await other.entries() == [])

    // A clock that runs behind makes no difference: the edit is later than the wish it saw.
    try await store.type(6, .mood, on: day, source: "phone", now: Instant(seconds: 2))
    try await other.merge(try await store.syncDocument(), now: nil)
    try await other.merge(document, now: nil)
    #expect(try await other.days()[0][.mood]?.value == 6)
  }
}

@Suite struct `Forgetting what waits or was cleared` {
  let folder: TemporaryFolder
  let day = CalendarDay(number: 20_000)
  let noon = Instant(seconds: 20_000 * 86_400 + 43_200)

  init() throws { folder = try TemporaryFolder() }

  /// A check-in at eight in the evening of the day, which is later than the moment of forgetting.
  private func checkIn(_ id: String) throws -> QueuedPayload {
    let evening = Timestamp(instant: noon.advanced(bySeconds: 8 * 3600), utcOffset: 0)
    return try QueuedPayload(
      Array(#"{"id":"\#(id)","kind":"check-in","at":"\#(evening)","mood":4,"energy":3}"#.utf8))
  }

  @Test(arguments: [Metric?.none, .mood])
  func `takes along what waits in the queue, also where a clock ahead has dated it`(metric: Metric?)
    async throws
  {
    let store = try LogStore(path: folder.store)
    let newer = try QueuedPayload(Array(#"{"id":"2","kind":"dream"}"#.utf8))
    try await store.enqueue([checkIn("1"), newer])
    let changed = try await store.forget(day, metric, now: noon)
    #expect(try await store.payloads() == [newer])
    let shown = try await store.days()
    #expect(shown.first?[.mood] == nil)
    #expect(shown.first?[.energy]?.value == (metric == nil ? nil : 3))
    #expect(changed == (metric == nil ? [] : [day]))
    // Delivered again it is an id that was seen before.
    #expect(try await store.enqueue([checkIn("1")]) == 0)
  }

  @Test func `takes along what waits in the queue of a device that only hears of it`() async throws
  {
    let store = try LogStore(path: folder.store)
    let other = try LogStore(path: folder.path + "/other.sqlite")
    for each in [store, other] { try await each.enqueue([checkIn("1")]) }
    try await store.forget(day, now: noon)
    try await other.merge(try await store.syncDocument(), now: nil)
    #expect(try await other.payloads() == [])
    #expect(try await other.entries() == [])
    // A third that still has it hands it over in vain.
    let third = try LogStore(path: folder.path + "/third.sqlite")
    try await third.enqueue([checkIn("1"), checkIn("3")])
    try await other.merge(try await third.syncDocument(), now: nil)
    #expect(try await other.payloads() == [])
    #expect(try await other.entries() == [])
  }

  @Test func `leaves no model that knew a value which was cleared before it was forgotten`()
    async throws
  {
    let store = try LogStore(path: folder.store)
    func save(_ target: String, of training: TrainingStart) async throws {
      let model = StoredModel(
        target: target, schemaVersion: 1, bytes: [1], fingerprint: "", change: training.change,
        madeAt: noon)
      try await store.save([model], of: training)
    }
    try await store.type(4, .mood, on: day, source: "phone", now: noon)
    try await save("knows", of: try await store.beginTraining())
    let late = try await store.beginTraining()
    try await store.keep([5], for: "paused", of: late)
    try await store.type(nil, .mood, on: day, source: "phone", now: noon)
    // Of another metric, or another day, nothing was ever said.
    try await store.forget(day, .energy, now: noon)
    try await store.forget(day.advanced(by: 1), now: noon)
    #expect(try await store.models().map(\.target) == ["knows"])

    #expect(try await store.forget(day, .mood, now: noon) == [])
    #expect(try await store.models() == [])
    #expect(try await store.progress(for: "paused") == nil)
    await #expect(throws: StorageError.outdatedTraining(target: "late")) {
      try await save("late", of: late)
    }
    // To forget it once more takes nothing from what was trained since.
    try await save("after", of: try await store.beginTraining())
    try await store.forget(day, .mood, now: noon.advanced(bySeconds: 60))
    #expect(try await store.models().map(\.target) == ["after"])
  }
}

@Suite struct `Clearing and changes` {
  @Test func `changed days are those that show something else, and no others`() async throws {
    let folder = try TemporaryFolder()
    let store = try LogStore(path: folder.store)
    func days(since change: ChangeNumber) async throws -> [Int] {
      try await store.changedDays(since: change).map(\.number)
    }
    try await store.merge([
      Entry(1, .steps, .imported, "fitbit", asOf: 1, 5),
      Entry(2, .steps, .imported, "fitbit", asOf: 1, 6),
    ])
    let first = try await store.lastChange()
    #expect(try await days(since: 0) == [1, 2])
    #expect(try await days(since: first) == [])
    // The same again, later; and another value behind one that is believed before it.
    try await store.merge([Entry(1, .steps, .imported, "fitbit", asOf: 9, 5)])
    try await store.merge([Entry(1, .steps, .imported, "unheard", asOf: 9, 77)])
    #expect(try await store.lastChange() == first)
    try await store.merge([Entry(2, .steps, .imported, "fitbit", asOf: 9, 7)])
    #expect(try await days(since: first) == [2])
    let second = try await store.lastChange()
    try await store.set(.sourceOrder, to: ["unheard"])
    #expect(try await days(since: second) == [1])
    #expect(try await store.days()[0][.steps]?.value == 77)
    let third = try await store.lastChange()
    try await store.forget(CalendarDay(number: 2), now: Instant(seconds: 1))
    #expect(try await days(since: third) == [2])
  }
}
