import DayLog
import FoundationEssentials
import Storage
import TestSupport
import Testing
import Time

@Suite struct `A log store` {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `keeps what was merged after it was closed, in a file for its owner alone`()
    async throws
  {
    let store = try LogStore(path: folder.store)
    let summary = try await store.merge([
      Entry(10, .steps, .imported, "fitbit", asOf: 5, 100),
      Entry(12, .mood, .typed, "phone", asOf: 6, 4),
    ])
    #expect(summary.added == 2)
    #expect(summary.changedDays == [CalendarDay(number: 10), CalendarDay(number: 12)])
    await store.close()
    await #expect(throws: StorageError.closed(path: folder.store)) { try await store.days() }

    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names == ["log.sqlite"], "the file alone is complete")
    let mode = try FileManager.default.attributesOfItem(atPath: folder.store)[.posixPermissions]
    #expect((mode as? Int ?? Int(mode as? Int16 ?? 0)) == 0o600)

    let again = try LogStore(path: folder.store, access: .read)
    let days = try await again.days()
    #expect(days.map(\.day.number) == [10, 12])
    #expect(days[1][.mood] == ResolvedValue(value: 4, source: Source(.typed, "phone")))
    let table = try await again.dayTable()
    #expect(table.dayCount == 3 && table.metrics == [.mood, .steps])
    #expect(table.column(.steps)?.first == 100)
    #expect(table.column(.mood)?.last == 4)
    #expect(table.values.filter(\.isNaN).count == 4)
  }

  @Test func `MRG_1: nothing imported replaces what was typed, and clearing shows it again`()
    async throws
  {
    // Where a sync must not fill what a person took away, that is what forgetting is for.
    let day = CalendarDay(number: 10)
    let store = try LogStore(path: folder.store)
    try await store.type(7, .mood, on: day, source: "phone", now: Instant(seconds: 10))
    let summary = try await store.merge([
      Entry(10, .mood, .imported, "csv", asOf: 99_000, 3),
      Entry(10, .energy, .imported, "csv", asOf: 99_000, 2),
    ])
    #expect(summary.keptTyped == 1 && summary.added == 1)
    #expect(try await store.days()[0][.mood]?.value == 7)
    #expect(try await store.days()[0][.energy]?.source.origin == .imported)
    try await store.type(nil, .mood, on: day, source: "tablet", now: Instant(seconds: 9))
    #expect(try await store.days()[0][.mood]?.value == 3, "an edit is later than what it saw")
  }

  @Test func `what is typed together is typed as a whole or not at all`() async throws {
    let day = CalendarDay(number: 10)
    let store = try LogStore(path: folder.store)
    let summaries = try await store.type(
      [(.mood, 7), (.energy, 3), (.mood, 6), (.energy, nil)], on: day, source: "phone",
      now: Instant(seconds: 10))
    #expect(summaries.map(\.total) == [1, 1, 1, 1])
    #expect(try await store.days()[0][.mood]?.value == 6, "of two the last one said")
    #expect(try await store.days()[0][.energy] == nil)
    let before = try await store.entries()
    try await store.limitPages(to: 30)
    let many = try (0..<3000).map { (metric: try #require(Metric("m\($0)")), value: 1.0) }
    await #expect(throws: StorageError.diskFull(path: folder.store)) {
      try await store.type(many, on: day, source: "phone", now: Instant(seconds: 20))
    }
    #expect(try await store.entries() == before)
  }

  @Test func `STO_8: merging one metric of a day leaves the others as they are`() async throws {
    let store = try LogStore(path: folder.store)
    try await store.merge([Entry(10, .mood, .imported, "csv", asOf: 1, 4)])
    try await store.merge([Entry(10, .steps, .imported, "csv", asOf: 2, 8000)])
    let day = try #require(try await store.days().first)
    #expect(day[.mood]?.value == 4 && day[.steps]?.value == 8000)
    // The same key again, with and without a value, is one row still.
    try await store.merge([Entry(10, .steps, .imported, "csv", asOf: 3, 9000)])
    try await store.merge([Entry(10, .steps, .imported, "csv", asOf: 4, nil)])
    #expect(try await store.entries().count == 2)
    #expect(try await store.days().first?[.mood]?.value == 4)
  }

  @Test func `MRG_3: a setting that was never set has its standard value and a stored false stays`()
    async throws
  {
    let store = try LogStore(path: folder.store)
    #expect(try await store.value(of: .notifications))
    try await store.set(.notifications, to: false)
    #expect(try await !store.value(of: .notifications))
    try await store.set(.dayStart, to: 14_400)
    #expect(try await store.settings() == ["notifications": "false", "day.start": "04:00"])
    await #expect(throws: StorageError.unreadableSetting(name: "day.start")) {
      try await store.set("day.start", to: "25:00")
    }
    #expect(try await store.value(of: .dayStart) == 14_400)
    try await store.set(.notifications, to: nil)
    #expect(try await store.value(of: .notifications))
  }

  @Test(arguments: 0..<24 as Range<UInt64>)
  func `MRG_2: any order of merging ends in the same log, which shows what the merge rule says`(
    seed: UInt64
  ) async throws {
    var random = SplitMix64(seed: seed)
    let metrics: [Metric] = [.mood, .steps]
    let sources = [
      Source(.typed, "phone"), Source(.typed, "tablet"), Source(.imported, "fitbit/a"),
      Source(.imported, "fitbit/b"), Source(.imported, "oura"), Source(.imported, "apple-health/x"),
    ]
    var entries: [Entry] = []
    for _ in 0..<120 {
      let key = EntryKey(
        day: CalendarDay(number: Int.random(in: 0..<4, using: &random)),
        metric: metrics.randomElement(using: &random)!,
        source: sources.randomElement(using: &random)!)
      let isTombstone = Int.random(in: 0..<4, using: &random) == 0
      entries.append(
        Entry(
          key: key, asOf: Instant(milliseconds: Int64.random(in: 0..<6, using: &random)),
          value: isTombstone ? nil : [0.0, -0.0, 1, 2].randomElement(using: &random)!))
    }
    let marks = (0..<2).map { _ in
      ForgetMark(
        day: CalendarDay(number: Int.random(in: 0..<4, using: &random)),
        metric: Bool.random(using: &random) ? .mood : nil,
        asOf: Instant(milliseconds: Int64.random(in: 0..<5, using: &random)))
    }
    // The log as a pure function of everything that was ever said.
    let all = ForgetMarks(marks)
    var expected: [EntryKey: Entry] = [:]
    for entry in entries where !all.cover(entry) {
      expected[entry.key] = expected[entry.key].map { Merge.later($0, entry) } ?? entry
    }

    var documents: [[UInt8]] = []
    for round in 0..<3 {
      let name = folder.path + "/\(round).sqlite"
      let store = try LogStore(path: name)
      var parts = stride(from: 0, to: entries.count, by: 15).map {
        SyncDocument(entries: Array(entries[$0..<min($0 + 15, entries.count)]))
      }
      parts.append(SyncDocument(marks: [marks[0]]))
      parts.append(SyncDocument(marks: [marks[1]]))
      parts += parts.shuffled(using: &random).prefix(3)
      for part in parts.shuffled(using: &random) {
        try await store.merge(part, now: nil, forgetting: .any)
      }

      let held = try await store.entries()
      #expect(held == expected.values.sorted { $0.key < $1.key })
      documents.append(try await store.syncDocument(includingImported: true).bytes)
      let table = try await store.dayTable()
      for day in try await store.days() {
        for metric in metrics {
          let right = Merge.resolve(
            held.filter { $0.key.day == day.day && $0.key.metric == metric })
          #expect(day[metric] == right)
          let value = table.column(metric).map {
            $0[$0.startIndex + (day.day.number - table.firstDay.number)]
          }
          #expect((value?.isNaN ?? true) == (right == nil))
          if let right { #expect(value?.bitPattern == right.value.bitPattern) }
        }
      }
    }
    #expect(documents[0] == documents[1] && documents[1] == documents[2])
    #expect(try SyncDocument(documents[0]).bytes == documents[0])
  }
}
