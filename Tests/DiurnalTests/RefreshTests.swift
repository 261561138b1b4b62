import DayLog
import Dispatch
import FoundationEssentials
import HealthImport
import Storage
import Synchronization
import Testing
import Time

@testable import Diurnal
@testable import Scheduling

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

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
    #expect(try await journal.store.entries().map(\.key.metric) == [.mood])
    await journal.store.close()
  }

  @Test(.timeLimit(.minutes(1)))
  func `does not wait for a pipe that lies among the files, names it, and reads the rest`()
    async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "refresh-\(UUID())")
    let exports = folder.appending(path: "exports")
    try FileManager.default.createDirectory(at: exports, withIntermediateDirectories: true)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
    try #require(unsafe mkfifo(exports.appending(path: "a-pipe").path, 0o600) == 0)
    try Data("day,steps\n2026-01-04,8000\n".utf8).write(to: exports.appending(path: "b.csv"))
    let now = try #require(Timestamp("2026-01-05T08:00:00Z")).instant
    let journal = try Journal(path: folder.appending(path: "log.sqlite").path)
    try await journal.store.set(.refreshSources, to: [exports.path])
    let loop = try JournalLoop(
      journal,
      on: LoopHost(time: TimeSource(now: { now }), zone: .utc, isOnExternalPower: { false }))
    let outcome = try #require(try await loop.runEligible().first).outcome
    guard case .succeeded(let note) = outcome else {
      Issue.record("not done: \(outcome)")
      return
    }
    #expect(note.contains("1 new file") && note.contains("a-pipe: is a pipe or device"), "\(note)")
    #expect(try await journal.store.days().first?[.steps]?.value == 8000)
    await journal.store.close()
  }

  /// A budget whose clock stops the thread that reads it inside of a file, as a mount does that no longer answers.
  private final class Stop: Sendable {
    let reached = AsyncStream.makeStream(of: Void.self)
    let gate = DispatchSemaphore(value: 0)
    private let calls = Mutex(0)

    func look() -> Duration {
      let number = calls.withLock { calls in
        calls += 1
        return calls
      }
      // The first call makes the budget, the second comes before the file, the third while it is read.
      if number == 3 {
        reached.continuation.yield()
        gate.wait()
      }
      return .zero
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `keeps which file never ended, and reads it after all others the next time`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "refresh-\(UUID())")
    let exports = folder.appending(path: "exports")
    try FileManager.default.createDirectory(at: exports, withIntermediateDirectories: true)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
    let stuck = exports.appending(path: "a.csv").path
    try Data("day,steps\n2026-01-04,8000\n".utf8).write(to: URL(filePath: stuck))
    try Data("day,steps,mood\n2026-01-03,8000,7\n".utf8).write(
      to: exports.appending(path: "b.csv"))
    let now = try #require(Timestamp("2026-01-05T08:00:00Z")).instant
    let journal = try Journal(path: folder.appending(path: "log.sqlite").path)
    try await journal.store.set(.refreshSources, to: [exports.path])

    let stop = Stop()
    let context = TaskContext(
      identifier: JournalLoop.refresh,
      budget: RunBudget(
        allowance: .seconds(30), limit: nil, elapsed: { stop.look() }, processorTime: { .zero }))
    let work = Task(executorPreference: WorkQueue(JournalLoop.refresh)) {
      try await JournalLoop.refreshing(journal, zone: .utc, now: now, context)
    }
    for await _ in stop.reached.stream { break }
    work.cancel()
    let unfinished = UnfinishedFiles(journal.store)
    while try await unfinished.paths().isEmpty { await Task.yield() }
    #expect(try await unfinished.paths() == [stuck])
    stop.gate.signal()
    _ = await work.result

    // Smaller than the other, and yet the last.
    try Data("day,steps\n2026-01-04,9000\n".utf8).write(to: URL(filePath: stuck))
    try Data("day,steps,mood\n2026-01-03,9000,7\n".utf8).write(
      to: exports.appending(path: "b.csv"))
    let loop = try JournalLoop(
      journal,
      on: LoopHost(time: TimeSource(now: { now }), zone: .utc, isOnExternalPower: { false }))
    #expect(try await loop.runEligible().first?.success == true)
    #expect(try await journal.store.importedFiles().first?.name == "a.csv")
    #expect(try await unfinished.paths() == [])
    await journal.store.close()
  }
}
