import DayLog
import Storage
import TestSupport
import Testing
import Time

@Suite struct `The payload queue` {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func payload(_ text: String) throws -> QueuedPayload {
    try QueuedPayload(Array(text.utf8))
  }

  @Test
  func
    `QUE_1: draining a kind leaves other kinds, unknown kinds and failed payloads byte for byte`()
    async throws
  {
    let store = try LogStore(path: folder.store)
    let symptom = try payload(
      #"{"id":"1","kind":"symptom","at":"2024-05-01T09:00:00+02:00","name":"headache","severity":3}"#
    )
    let checkIn = try payload(
      #"{ "kind":"check-in", "id":"2","at":"2024-05-01T10:00:00+02:00","mood":4,"energy":3 }"#)
    let newer = try payload(#"{"id":"3","kind":"dream","at":"later","colour":["blue",{"x":1e3}]}"#)
    let broken = try payload(
      #"{"id":"4","kind":"symptom","at":"2024-05-01T09:00:00+02:00","name":"x"}"#)
    #expect(try await store.enqueue([symptom, checkIn, newer, broken]) == 4)
    #expect(try await store.payloads() == [symptom, checkIn, newer, broken])

    let summary = try await store.drain(.symptom, now: nil)
    #expect(summary.applied == 1 && summary.failed == ["4"])
    #expect(try await store.payloads() == [checkIn, newer, broken])
    let day = try #require(CalendarDay("2024-05-01"))
    let headache = try #require(Metric(symptom: "headache"))
    #expect(try await store.days(from: day, to: day)[0][headache]?.value == 3)
    #expect(
      try await store.drain(kind: "dream") { _ in throw PayloadError.unknownKind }.failed == ["3"])
    #expect(try await store.drain(.checkIn, now: nil).applied == 1)
    #expect(try await store.payloads() == [newer, broken])
  }

  @Test func `QUE_2: an id seen before is acknowledged and not applied again, across restarts`()
    async throws
  {
    let text = #"{"id":"1","kind":"check-in","at":"2024-05-01T09:00:00Z","mood":4}"#
    let first = try LogStore(path: folder.store)
    #expect(try await first.enqueue([payload(text), payload(text)]) == 1)
    #expect(try await first.enqueue([payload(text)]) == 0)
    #expect(try await first.drain(.checkIn, now: nil).applied == 1)
    await first.close()
    let second = try LogStore(path: folder.store)
    #expect(try await second.enqueue([payload(text)]) == 0)
    #expect(try await second.payloads() == [])
    #expect(try await second.drain(.checkIn, now: nil).applied == 0)
  }

  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0], [0, 2, 1]])
  func `of check-ins for one day the later moment wins in every order`(order: [Int]) async throws {
    let store = try LogStore(path: folder.store)
    try await store.set(.dayStart, to: 14_400)
    let texts = [
      #"{"id":"1","kind":"check-in","at":"2024-05-01T09:00:00+02:00","mood":4,"energy":3}"#,
      #"{"id":"2","kind":"check-in","at":"2024-05-01T08:00:00Z","mood":5}"#,
      #"{"id":"3","kind":"check-in","at":"2024-05-02T03:30:00+02:00","mood":6}"#,
    ]
    for place in order {
      try await store.enqueue([payload(texts[place])])
      if place == 1 { try await store.drain(.checkIn, now: nil) }
    }
    try await store.drain(.checkIn, now: nil)
    let days = try await store.days()
    #expect(days.map(\.day.description) == ["2024-05-01"])
    #expect(days[0][.mood]?.value == 6 && days[0][.energy]?.value == 3)
  }

  @Test func `of payloads in a sync comes once to each device`() async throws {
    let store = try LogStore(path: folder.store)
    let other = try LogStore(path: folder.path + "/other.sqlite")
    try await store.enqueue([
      payload("{\"id\":\"1\",\n \"kind\":\"check-in\",\"at\":\"2024-05-01T09:00:00Z\",\"mood\":4}"),
      payload(#"{"id":"9","kind":"dream","x":"} ,\"payload\":{"}"#),
    ])
    let document = try SyncDocument(try await store.syncDocument().bytes)
    #expect(try await other.merge(document, now: nil).newPayloads == 2)
    #expect(try await other.merge(document, now: nil).newPayloads == 0)
    #expect(try await other.payloads()[1] == (try await store.payloads()[1]))
    try await other.drain(.checkIn, now: nil)
    try await store.drain(.checkIn, now: nil)
    try await other.merge(try await store.syncDocument(), now: nil)
    #expect(try await other.entries() == (try await store.entries()))
  }
}
