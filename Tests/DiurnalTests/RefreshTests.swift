import DayLog
import Diurnal
import FoundationEssentials
import Scheduling
import Storage
import Testing

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
    let now = try #require(Timestamp("2026-01-05T08:00:00Z")).instant
    let day = try #require(CalendarDay("2026-01-04"))

    let journal = try Journal(path: folder.appending(path: "log.sqlite").path)
    try await journal.store.set(.refreshSources, to: [exports.path])
    _ = try await journal.log([(.mood, 7)], on: day, now: now)
    let loop = try JournalLoop(
      journal,
      on: LoopHost(
        time: TimeSource(now: { Moment(milliseconds: now.milliseconds) }), zone: .utc,
        isOnExternalPower: { false }))
    let reports = try await loop.runEligible()
    #expect(reports.map(\.success) == [true, true, true])
    let shown = try #require(try await journal.store.days().first)
    #expect(shown[.steps]?.value == 8000)
    #expect(shown[.mood]?.value == 7)
    #expect(shown[.energy] == nil)
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
        time: TimeSource(now: { Moment(milliseconds: now.milliseconds) }), zone: .utc,
        isOnExternalPower: { false }))
    #expect(try await loop.runEligible().map(\.success) == [false, true, true])
    #expect(try await journal.store.days().first?[.steps]?.value == 8000)
    let refresh = try #require(try await loop.active.report().statuses.first)
    guard case .failed(let reason)? = refresh.record.lastOutcome else {
      Issue.record("not told: \(String(describing: refresh.record.lastOutcome))")
      return
    }
    #expect(reason.contains("\(gone): cannot be read") && reason.contains("1 new file"))
    await journal.store.close()
  }
}
