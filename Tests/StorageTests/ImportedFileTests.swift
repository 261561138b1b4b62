import DayLog
import Storage
import TestSupport
import Testing
import Time

@Suite struct `An imported file` {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private struct Sample {
    let instant: Instant
    let value: Double
  }

  private func file(_ number: UInt8, dayStart: Int?) -> ImportedFile {
    ImportedFile(
      hash: Array(repeating: number, count: 16), name: "\(number)",
      importedAt: Instant(seconds: 1_000_000),
      dayStart: dayStart)
  }

  /// Daily totals as a reader of samples makes them.
  private func entries(_ samples: [Sample], asOf: Int64, dayStart: Int) -> [Entry] {
    Dictionary(grouping: samples) { $0.instant.day(utcOffset: 0, dayStart: dayStart).number }
      .map { day, samples in
        Entry(day, .steps, .imported, "watch", asOf: asOf, samples.map(\.value).reduce(0, +))
      }
  }

  @Test func `IMP_17: is known by its content, and once more with a longer export changes nothing`()
    async throws
  {
    let store = try LogStore(path: folder.store)
    let short = (0..<5).map { Entry($0, .steps, .imported, "watch", asOf: 10, Double($0)) }
    let long = (0..<8).map { Entry($0, .steps, .imported, "watch", asOf: 20, Double($0)) }
    try await store.merge(short, from: file(1, dayStart: nil))
    #expect(try await store.importedFiles() == [file(1, dayStart: nil)])
    #expect(try await store.merge(short, from: file(1, dayStart: nil)).unchanged == 5)
    let summary = try await store.merge(long, from: file(2, dayStart: nil))
    #expect(summary.unchanged == 5 && summary.added == 3)
    #expect(summary.changedDays.map(\.number) == [5, 6, 7])
    #expect(try await store.merge(short, from: file(1, dayStart: nil)).unchanged == 5)
  }

  @Test func `IMP_21: a later total of the same source replaces its earlier one, in any order`()
    async throws
  {
    let store = try LogStore(path: folder.store)
    let partial = Entry(3, .steps, .imported, "watch", asOf: 10, 900)
    let whole = Entry(3, .steps, .imported, "watch", asOf: 20, 8000)
    #expect(try await store.merge([partial]).added == 1)
    #expect(try await store.merge([whole]).refreshed == 1)
    #expect(try await store.merge([partial]).outdated == 1)
    #expect(try await store.days()[0][.steps]?.value == 8000)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func
    `after another day start is imported again and then stands as if it had never been otherwise`(
      seed: UInt64
    ) async throws
  {
    var random = SplitMix64(seed: seed)
    let all = (0..<60).map { _ in
      Sample(
        instant: Instant(seconds: Int64.random(in: 0..<864_000, using: &random)),
        value: Double(Int.random(in: 1...50, using: &random)))
    }
    // The second export was made later and holds the first and more.
    let exports: [(number: UInt8, samples: [Sample], asOf: Int64)] = [
      (1, all.filter { $0.instant.seconds < 500_000 }, 600_000_000), (2, all, 900_000_000),
    ]
    let store = try LogStore(path: folder.store)
    var dayStarts = [0]
    for _ in 0..<3 { dayStarts.append([0, 14_400, 79_200].randomElement(using: &random)!) }
    for dayStart in dayStarts {
      try await store.set(.dayStart, to: dayStart)
      for export in exports.shuffled(using: &random) {
        let hash = Array(repeating: export.number, count: 16)
        let held = try await store.importedFiles().first { $0.hash == hash }
        let isStale = try await store.staleFiles().contains { $0.hash == hash }
        #expect(isStale == (held.map { $0.dayStart != dayStart } ?? false))
        let entries = entries(export.samples, asOf: export.asOf, dayStart: dayStart)
        try await store.merge(
          entries.shuffled(using: &random), from: file(export.number, dayStart: dayStart))
      }
      #expect(try await store.staleFiles() == [])
      let held = try await store.entries()
      let expected = entries(all, asOf: 900_000_000, dayStart: dayStart)
        .sorted { $0.key < $1.key }
      #expect(held == expected, "day start \(dayStart)")
    }
    #expect(try await store.integrityProblems() == [])
  }
}
