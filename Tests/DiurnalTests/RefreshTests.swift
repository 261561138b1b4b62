import DayLog
import Diurnal
import FoundationEssentials
import HealthImport
import Scheduling
import Storage
import Testing
import Time

@Suite struct `The health refresh` {
  @Test func `reads what is new in the folders that are named and below them`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "refresh-\(UUID())")
    let exports = folder.appending(path: "exports")
    try FileManager.default.createDirectory(at: exports, withIntermediateDirectories: true)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
    let below = exports.appending(path: "below")
    try FileManager.default.createDirectory(at: below, withIntermediateDirectories: true)
    try Data("day,steps,mood\n2026-01-04,8000,3\n".utf8).write(
      to: below.appending(path: "a.csv"))
    try Data("day,energy\n2026-01-04,5\n".utf8).write(to: exports.appending(path: ".hidden.csv"))
    // The first by name cannot be read, and takes nothing from the second.
    try Data("day,steps,steps\n2026-01-04,1,2\n".utf8).write(
      to: exports.appending(path: "0.csv"))
    // Nor does a large one that comes before it by name, which is read last.
    try Data(String(repeating: "day,mood,mood\n", count: 100).utf8).write(
      to: exports.appending(path: "00.csv"))
    let now = try #require(Timestamp("2026-01-05T08:00:00Z")).instant
    let day = try #require(CalendarDay("2026-01-04"))

    let journal = try Journal(path: folder.appending(path: "log.sqlite").path)
    try await journal.store.set(.refreshSources, to: [exports.path])
    _ = try await journal.log([(.mood, 7)], on: day, now: now)
    let loop = try JournalLoop(
      journal,
      on: LoopHost(
        time: TimeSource(now: { now }), zone: .utc,
        isOnExternalPower: { false }))
    let reports = try await loop.runEligible()
    #expect(reports.map(\.success) == [true, true, true])
    let shown = try #require(try await journal.store.days().first)
    #expect(shown[.steps]?.value == 8000)
    #expect(shown[.mood]?.value == 7)
    #expect(shown[.energy] == nil)
    let refresh = try #require(try await loop.active.report().statuses.first)
    guard case .succeeded(let note)? = refresh.record.lastOutcome else {
      Issue.record("not done: \(String(describing: refresh.record.lastOutcome))")
      return
    }
    #expect(note.contains("2 not read, the first: \(exports.path)/0.csv"), "\(note)")
    await journal.store.close()
  }

  @Test func `reads the folders that are there where one is gone, and says which is`() async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "refresh-\(UUID())")
    let exports = folder.appending(path: "exports")
    try FileManager.default.createDirectory(at: exports, withIntermediateDirectories: true)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
    try Data("day,steps\n2026-01-04,8000\n".utf8).write(to: exports.appending(path: "a.csv"))
    let now = try #require(Timestamp("2026-01-05T08:00:00Z")).instant

    let journal = try Journal(path: folder.appending(path: "log.sqlite").path)
    let gone = folder.appending(path: "gone").path
    try await journal.store.set(.refreshSources, to: [gone, exports.path])
    let loop = try JournalLoop(
      journal,
      on: LoopHost(
        time: TimeSource(now: { now }), zone: .utc,
        isOnExternalPower: { false }))
    #expect(try await loop.runEligible().map(\.success) == [false, true, true])
    #expect(try await journal.store.days().first?[.steps]?.value == 8000)
    let refresh = try #require(try await loop.active.report().statuses.first)
    guard case .failed(let reason)? = refresh.record.lastOutcome else {
      Issue.record("not told: \(String(describing: refresh.record.lastOutcome))")
      return
    }
    #expect(reason.contains("\(gone): is not there") && reason.contains("1 new file"))
    await journal.store.close()
  }

  @Test func `leaves a file as the person had it read, by another name, zone or format of dates`()
    async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "refresh-\(UUID())")
    let exports = folder.appending(path: "exports")
    try FileManager.default.createDirectory(at: exports, withIntermediateDirectories: true)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
    let table = exports.appending(path: "diary.csv")
    try Data("day,Stimmung\n2026-01-04,4\n".utf8).write(to: table)
    let now = try #require(Timestamp("2026-01-05T08:00:00Z")).instant

    let journal = try Journal(path: folder.appending(path: "log.sqlite").path)
    try await journal.store.set(.refreshSources, to: [exports.path])
    _ = try await journal.importFile(
      table.path, options: ImportOptions(now: now, metrics: ["Stimmung": "mood"]))
    let before = try await journal.store.entries()
    #expect(before.map(\.key.metric) == [.mood])
    for dayStart in [0, 14_400] {
      // Also where the day start has changed since: it waits to be imported again by the person.
      try await journal.store.set(.dayStart, to: dayStart)
      let host = LoopHost(
        time: TimeSource(now: { Instant(milliseconds: now.milliseconds + Int64(dayStart) * 1000) }),
        zone: .utc, isOnExternalPower: { false })
      _ = try await JournalLoop(journal, on: host).runEligible()
      #expect(try await journal.store.entries() == before)
    }
    // Asked for by the person it is another import.
    _ = try await journal.importFile(table.path, options: ImportOptions(now: now))
    #expect(try await journal.store.entries().map(\.key.metric.name) == ["stimmung"])
    await journal.store.close()
  }
}
