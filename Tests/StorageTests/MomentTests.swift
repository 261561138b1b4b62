import DayLog
import FoundationEssentials
import Storage
import TestSupport
import Testing
import Time

@Suite struct `Moments that no sound clock shows` {
  let folder: TemporaryFolder
  let now = Instant(seconds: 1_767_225_600)
  let day = CalendarDay(number: 20_400)

  init() throws { folder = try TemporaryFolder() }

  private func entry(asOf: Int64, _ value: Double, day number: Int = 20_400) -> Entry {
    Entry(number, .mood, .typed, "diurnal", asOf: asOf, value)
  }

  @Test func `are not taken from another device before they have come`() async throws {
    let store = try LogStore(path: folder.store)
    let grace = now.milliseconds + 86_400_000
    let document = SyncDocument(
      entries: [
        entry(asOf: grace, 1), entry(asOf: grace + 1, 2, day: 20_401),
        entry(asOf: (1 << 53) - 1, 3, day: 20_402),
      ], marks: [ForgetMark(day: day, asOf: Instant(milliseconds: grace + 1))])
    let summary = try await store.merge(document, now: now)
    #expect(summary.fromTheFuture == 3 && summary.merged.added == 1 && summary.newMarks == 0)
    #expect(try await store.entries() == [entry(asOf: grace, 1)])
    // The same file once their moment has come; what no clock will ever show stays out.
    let later = try await store.merge(document, now: now.advanced(bySeconds: 1))
    #expect(later.fromTheFuture == 1 && later.newMarks == 1)
  }

  @Test func `leave room for an edit that every other device takes`() async throws {
    let store = try LogStore(path: folder.store)
    let last = Int64(1 << 53) - 1
    try await store.merge(
      SyncDocument(
        entries: [entry(asOf: last, 1)],
        marks: [ForgetMark(day: day.advanced(by: 1), asOf: Instant(milliseconds: last))]),
      now: nil)
    for number in 0...1 {
      try await store.type(
        5, .mood, on: day.advanced(by: number), source: "diurnal", now: now)
    }
    let document = try SyncDocument(try await store.syncDocument().bytes)
    let other = try LogStore(path: folder.path + "/other.sqlite")
    #expect(try await other.merge(document, now: now).fromTheFuture == 0)
    #expect(try await other.days().map { $0[.mood]?.value } == [5, 5])
    #expect(try await store.integrityProblems() == [])
  }

  @Test func `are dated back only where the person says that this clock is right`() async throws {
    let store = try LogStore(path: folder.store)
    let ahead = now.advanced(bySeconds: 14 * 365 * 86_400)
    try await store.type(4, .mood, on: day, source: "diurnal", now: ahead)
    try await store.type(6, .mood, on: day, source: "diurnal", now: now)
    let other = try LogStore(path: folder.path + "/other.sqlite")
    #expect(try await other.merge(try await store.syncDocument(), now: now).fromTheFuture == 1)
    #expect(try await store.bringBackMoments(to: now) == 1)
    #expect(try await store.bringBackMoments(to: now) == 0)
    try await other.merge(try await store.syncDocument(), now: now)
    #expect(try await other.days().map { $0[.mood]?.value } == [6])
    #expect(try await store.integrityProblems() == [])
  }

  private func file(_ number: UInt8, at moment: Instant) -> ImportedFile {
    ImportedFile(
      hash: Array(repeating: number, count: 16), name: "\(number).csv", importedAt: moment,
      dayStart: nil)
  }

  private func imported(_ value: Double, asOf: Instant) -> [Entry] {
    [Entry(day.number, .mood, .imported, "csv", asOf: asOf.milliseconds, value)]
  }

  @Test func `of an import give way to a real one`() async throws {
    let store = try LogStore(path: folder.store)
    let ahead = now.advanced(bySeconds: 14 * 365 * 86_400)
    try await store.merge(imported(3, asOf: ahead), from: file(1, at: ahead))
    let summary = try await store.merge(imported(8, asOf: now), from: file(2, at: now))
    #expect(summary.refreshed == 1)
    #expect(try await store.entries() == imported(8, asOf: now))
    // A date of the export's own that lies in the future counts as of the import.
    try await store.merge(imported(9, asOf: ahead), from: file(3, at: now.advanced(bySeconds: 5)))
    #expect(try await store.entries() == imported(9, asOf: now.advanced(bySeconds: 5)))
    // A clock that was set back by an hour: what is imported later is later.
    let earlier = now.advanced(bySeconds: -3600)
    #expect(
      try await store.merge(imported(2, asOf: earlier), from: file(4, at: earlier)).refreshed == 1)
    #expect(try await store.days()[0][.mood]?.value == 2)
    // An older export, by its own date, is older still.
    let old = try await store.merge(
      imported(1, asOf: earlier.advanced(bySeconds: -60)), from: file(5, at: now))
    #expect(old.outdated == 1 && old.unchanged == 0)
  }

  @Test func `of a payload count as of its draining`() async throws {
    let store = try LogStore(path: folder.store)
    let payload = #"{"id":"1","kind":"check-in","at":"2099-01-01T08:00:00Z","mood":4,"energy":3}"#
    try await store.enqueue([QueuedPayload(Array(payload.utf8))])
    try await store.drain(.checkIn, now: now)
    #expect(try await store.entries().map(\.asOf) == [now, now])
  }
}

@Suite struct `A hostile sync file` {
  let folder: TemporaryFolder
  let now = Instant(seconds: 1_767_225_600)

  init() throws { folder = try TemporaryFolder() }

  @Test func `does not make a log forget itself unasked`() async throws {
    let store = try LogStore(path: folder.store)
    try await store.merge((0..<100).map { Entry(20_000 + $0, .mood, .typed, "x", asOf: 5, 4) })
    func marks(_ days: Range<Int>) -> SyncDocument {
      SyncDocument(
        entries: [Entry(30_000, .mood, .typed, "x", asOf: 5, 1)],
        marks: days.map { ForgetMark(day: CalendarDay(number: 20_000 + $0), asOf: now) })
    }
    await #expect(throws: ForgetsTooMuch(days: 11, of: 100)) {
      try await store.merge(marks(0..<11), now: now)
    }
    #expect(try await store.days().count == 100)
    #expect(try await store.forgetMarks() == [])
    #expect(try await store.pendingWork().isEmpty)
    try await store.merge(marks(0..<10), now: now)
    #expect(try await store.days().count == 91)
    try await store.merge(marks(0..<100), now: now, forgetting: .any)
    #expect(try await store.days().count == 1)
  }

  @Test func `is merged in batches as in one piece, or not at all`() async throws {
    var random = SplitMix64(seed: 4)
    let lines = (0..<3_000).map { number -> SyncLine in
      let day = CalendarDay(number: 20_000 + Int.random(in: 0..<300, using: &random))
      let asOf = Instant(milliseconds: Int64.random(in: 0..<50, using: &random))
      if number % 50 == 0 { return .mark(ForgetMark(day: day, metric: .mood, asOf: asOf)) }
      return .entry(
        Entry(
          day.number, number % 2 == 0 ? .mood : .energy, .typed, "s\(number % 3)",
          asOf: asOf.milliseconds, Double(number)))
    }
    let whole = try LogStore(path: folder.store)
    let parts = try LogStore(path: folder.path + "/parts.sqlite")
    func batches(of size: Int, failing: Bool = false) -> SyncBatches {
      {
        var start = 0
        return {
          if failing, start > 2_000 { throw SyncError(line: start, problem: .noHeader) }
          guard start < lines.count else { return nil }
          defer { start += size }
          return Array(lines[start..<min(start + size, lines.count)])
        }
      }
    }
    let first = try await whole.merge(now: nil, forgetting: .any, batches(of: lines.count))
    await #expect(throws: SyncError.self) {
      try await parts.merge(now: nil, forgetting: .any, batches(of: 7, failing: true))
    }
    #expect(try await parts.entries() == [])
    let second = try await parts.merge(now: nil, forgetting: .any, batches(of: 7))
    #expect(try await parts.entries() == (try await whole.entries()))
    #expect(try await parts.forgetMarks() == (try await whole.forgetMarks()))
    #expect(first.merged.changedDays == second.merged.changedDays)
    #expect(try await parts.lastChange() == 1, "one merging is one change")
  }

  @Test func `of one endless line is refused before it is held`() throws {
    var reader = SyncReader()
    _ = try reader.read(Array("{\"kind\":\"diurnal-log\",\"version\":1}\n".utf8))
    let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    #expect(throws: SyncError(line: 2, problem: .tooLong)) {
      for _ in 0..<20 { _ = try reader.read(piece) }
    }
  }
}

@Suite struct `What became of entries` {
  @Test func `counts as kept because typed what was imported, and nothing that was typed`()
    async throws
  {
    let folder = try TemporaryFolder()
    let store = try LogStore(path: folder.store)
    let summary = try await store.merge([
      Entry(1, .mood, .typed, "x", asOf: 5, 4), Entry(1, .mood, .imported, "csv", asOf: 5, 3),
    ])
    #expect(summary.added == 1 && summary.keptTyped == 1)
  }

  @Test func `is one change, also where a file is read anew`() async throws {
    let folder = try TemporaryFolder()
    let store = try LogStore(path: folder.store)
    func file(_ reading: String) -> ImportedFile {
      ImportedFile(
        hash: Array(repeating: 1, count: 16), name: "a.csv", importedAt: Instant(seconds: 9),
        dayStart: nil, reading: reading)
    }
    let entries = (0..<5).map { Entry($0, .steps, .imported, "csv", asOf: 9_000, Double($0)) }
    try await store.merge(entries, from: file("one"))
    #expect(try await store.lastChange() == 1)
    try await store.merge(Array(entries.dropFirst()), from: file("other"))
    #expect(try await store.lastChange() == 2)
    #expect(try await store.changedDays(since: 1) == [CalendarDay(number: 0)])
  }
}
