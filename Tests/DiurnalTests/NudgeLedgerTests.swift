import DayLog
import Diurnal
import Foundation
import Personalisation
import Storage
import Testing
import Time

@Suite struct `The ledger of nudges` {
  private static let today = CalendarDay(number: 20_000)
  private static let noon = Instant(seconds: 20_000 * 86_400 + 43_200)

  private static func candidate(isOpen: Bool = true, ahead: Int = 1) -> NudgePolicy.Candidate {
    NudgePolicy.Candidate(
      target: Target(.mood), day: today.advanced(by: ahead), value: 2, interval: 1...3,
      bestRule: .mean, rules: [.mean: 6, .mean28: 6, .persistence: 6, .shrunkenMean: 6],
      isGateOpen: isOpen, skill: 0.2)
  }

  private static func time(_ hours: Int = 0) -> NudgePolicy.LocalTime {
    let instant = noon.advanced(bySeconds: Int64(hours) * 3600)
    let seconds = Int(instant.seconds)
    return NudgePolicy.LocalTime(
      day: CalendarDay(number: seconds / 86_400), secondOfDay: seconds % 86_400, instant: instant)
  }

  private func withStores(
    _ body: (LogStore, LogStore) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ledger-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "log.sqlite").path
    try await body(try LogStore(path: path), try LogStore(path: path))
  }

  @Test func `lets one process send the day's nudge, and tells the others why not`() async throws {
    try await withStores { first, second in
      let decision = try await NudgeLedger(first).decide(
        NudgePolicy(), [Self.candidate()], at: Self.time())
      guard case .send(let nudge) = decision else {
        Issue.record("nothing was sent: \(decision)")
        return
      }
      for hours in [0, 5, 9] {
        #expect(
          try await NudgeLedger(second).decide(
            NudgePolicy(), [Self.candidate()], at: Self.time(hours)) == .suppressed(.alreadySent))
      }
      try await NudgeLedger(second).note("printed", of: Self.today)
      let entries = try await NudgeLedger(first).entries()
      #expect(entries.map(\.outcome) == [.sent(id: nudge.id)])
      #expect(entries.map(\.delivery) == ["printed"])
      // The next morning counts as a new day only after a pause.
      let morning = try await NudgeLedger(first).decide(
        NudgePolicy(), [Self.candidate()], at: Self.time(20))
      guard case .send = morning else {
        Issue.record("nothing was sent the next morning: \(morning)")
        return
      }
    }
  }

  @Test func `keeps why none was sent, until one is`() async throws {
    try await withStores { store, _ in
      let ledger = NudgeLedger(store)
      _ = try await ledger.decide(NudgePolicy(), [], at: Self.time(-6))
      #expect(try await ledger.entries().map(\.outcome) == [.suppressed(.quietHours)])
      _ = try await ledger.decide(NudgePolicy(), [Self.candidate(isOpen: false)], at: Self.time())
      #expect(try await ledger.entries().map(\.outcome) == [.suppressed(.gateClosed)])
      _ = try await ledger.decide(NudgePolicy(), [Self.candidate()], at: Self.time(1))
      let sent = try await ledger.entries().map(\.outcome)
      guard case .sent = sent.first else {
        Issue.record("nothing was sent: \(sent)")
        return
      }
      _ = try await ledger.decide(NudgePolicy(), [], at: Self.time(2))
      #expect(try await ledger.entries().map(\.outcome) == sent)
    }
  }

  @Test func `sends none beside an entry of today that it cannot read, and leaves that as it is`()
    async throws
  {
    try await withStores { store, _ in
      let newer = Array(#"{"shown":2}"#.utf8)
      try await store.updateRecords(in: "nudges") { $0["\(Self.today)"] = newer }
      #expect(
        try await NudgeLedger(store).decide(NudgePolicy(), [Self.candidate()], at: Self.time())
          == .suppressed(.alreadySent))
      #expect(try await store.records(in: "nudges") == ["\(Self.today)": newer])
    }
  }

  @Test func `remembers that one was sent when the day it was sent on is forgotten`() async throws {
    try await withStores { store, _ in
      try await store.merge([
        Entry(
          key: EntryKey(day: Self.today, metric: .mood, source: Source(.typed, "phone")),
          asOf: Instant(seconds: 5), value: 4)
      ])
      let ledger = NudgeLedger(store)
      _ = try await ledger.decide(NudgePolicy(), [Self.candidate()], at: Self.time())
      _ = try await store.note(
        NudgeRecord(
          id: "\(Self.today)", day: Self.today.advanced(by: 1), sentAt: Self.noon, text: "4"))
      try await store.forget(Self.today, now: Self.noon)
      // The text may rest on what was forgotten; that there was one does not.
      #expect(try await store.nudges() == [])
      #expect(
        try await ledger.decide(NudgePolicy(), [Self.candidate()], at: Self.time(3))
          == .suppressed(.alreadySent))
    }
  }

  /// The ledger once kept the entries of the 400 latest days, which after a step of the clock are not the last ones.
  @Test func `sends one a day also after the clock was set back behind many days of nudges`()
    async throws
  {
    try await withStores { store, _ in
      let ledger = NudgeLedger(store)
      func decide(_ hours: Int) async throws -> NudgeDecision {
        try await ledger.decide(
          NudgePolicy(), [Self.candidate(ahead: 1000)], at: Self.time(hours))
      }
      for day in 1...450 { _ = try await decide(day * 24) }
      guard case .send = try await decide(0) else {
        Issue.record("nothing was sent on the day that is lived again")
        return
      }
      for hours in [1, 3, 5, 24 * 10, 24 * 450] {
        #expect(try await decide(hours) == .suppressed(.alreadySent), "\(hours)")
      }
      #expect(try await ledger.entries().first?.day == Self.today)
    }
  }
}
