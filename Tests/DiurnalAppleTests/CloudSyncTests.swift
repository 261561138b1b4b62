import CloudKit
import DayLog
import Diurnal
import DiurnalApple
import Foundation
import Storage
import Synchronization
import Testing
import Time

@Suite(.timeLimit(.minutes(1))) struct `Two devices of one person` {
  /// A device, which keeps what its sync reports.
  private final class Device: Sendable {
    let journal: PhoneJournal
    let sync: CloudSync
    let problems: Problems

    final class Problems: Sendable {
      let all = Mutex<[String]>([])
    }

    init(_ name: String, _ server: CKDatabase.Server) async throws {
      journal = try PhoneJournal()
      let problems = Problems()
      self.problems = problems
      sync = CloudSync(
        journal.host, device: name, database: CKDatabase(server), now: { PhoneJournal.now },
        report: { problem in problems.all.withLock { $0.append(problem) } })
      try await sync.start()
    }

    func type(_ value: Double?, _ day: String, minute: Int) async throws {
      _ = try await journal.host.journal.log(
        [(.hrv, value)], on: CalendarDay(day)!,
        now: PhoneJournal.now.advanced(by: .minutes(minute)))
      try await sync.noteChanges()
    }

    func value(_ day: String) async throws -> Double? {
      let day = CalendarDay(day)!
      return try await journal.host.journal.days(from: day, to: day).first?[.hrv]?.value
    }

    func exchange() async throws {
      try await sync.syncNow()
    }
  }

  @Test func `come to the same log, the later word winning, also from sleep`() async throws {
    let server = CKDatabase.Server()
    let phone = try await Device("phone", server)
    let pad = try await Device("pad", server)
    try await phone.type(50, "2024-05-01", minute: 0)
    try await phone.type(40, "2024-04-01", minute: 0)
    try await pad.type(60, "2024-05-01", minute: 1)
    await pad.journal.host.enterBackground()
    for _ in 0..<3 {
      try await phone.exchange()
      try await pad.exchange()
    }
    try await pad.journal.host.enterForeground()
    for device in [phone, pad] {
      #expect(try await device.value("2024-05-01") == 60)
      #expect(try await device.value("2024-04-01") == 40)
      #expect(device.problems.all.withLock { $0 } == [])
    }
    // A month a device, and nothing more is sent once they agree.
    let documents = server.documents
    #expect(documents.count == 4)
    try await phone.exchange()
    try await pad.exchange()
    #expect(server.documents == documents)
  }

  @Test func `take the old version of a month away, and never send what was imported`()
    async throws
  {
    let server = CKDatabase.Server()
    let phone = try await Device("phone", server)
    _ = try await phone.journal.host.journal.store.merge([
      Entry(
        key: EntryKey(
          day: CalendarDay("2024-03-01")!, metric: .steps,
          source: Source(.imported, "apple-health")),
        asOf: PhoneJournal.now, value: 12_345)
    ])
    for value in [50.0, 51, 52] {
      try await phone.type(value, "2024-05-01", minute: Int(value))
      try await phone.exchange()
    }
    #expect(server.documents.count == 1)
    let data = try #require(server.documents.values.first?["document"])
    let document = try SyncDocument([UInt8](data))
    #expect(document.entries.map(\.value) == [52])
  }

  @Test func `lose nothing while there is no network, or when the process ends before it is sent`()
    async throws
  {
    let server = CKDatabase.Server()
    let phone = try await Device("phone", server)
    server.setReachable(false)
    try await phone.type(50, "2024-05-01", minute: 0)
    await #expect(throws: CKError.self) { try await phone.exchange() }
    server.setReachable(true)
    // Another launch on the same journal: the engine's state was not kept.
    let next = CloudSync(
      phone.journal.host, device: "phone", database: CKDatabase(server),
      now: { PhoneJournal.now }, report: { _ in })
    try await next.start()
    try await next.syncNow()
    #expect(server.documents.count == 1)
  }
}
