import DayLog
import TestSupport
import Testing
import Time

@Suite struct `The merge rule` {
  private static let sources = [
    Source(.typed, "phone"), Source(.typed, "tablet"), Source(.imported, "apple-health"),
    Source(.imported, "apple-health/typed"), Source(.imported, "fitbit"),
    Source(.imported, "unheard of"),
  ]

  /// An entry of one of two days, with moments and values so few that they often meet.
  private func entry(
    _ random: inout SplitMix64, on day: CalendarDay? = nil, of source: Source? = nil
  ) throws -> Entry {
    let key = EntryKey(
      day: day ?? CalendarDay(number: Int.random(in: 0..<2, using: &random)), metric: .mood,
      source: try source ?? #require(Self.sources.randomElement(using: &random)))
    let values: [Double?] = [nil, 0, -0.0, 1, 2, -3.5, .leastNonzeroMagnitude]
    return Entry(
      key: key, asOf: Instant(milliseconds: Int64.random(in: 0..<4, using: &random)),
      value: try #require(values.randomElement(using: &random)))
  }

  private func log(_ entries: [Entry]) -> [EntryKey: Entry] {
    entries.reduce(into: [:]) { log, entry in
      log[entry.key] = log[entry.key].map { Merge.later($0, entry) } ?? entry
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `is commutative, associative and idempotent to the bit`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    func bits(_ entry: Entry) -> [UInt64?] {
      [UInt64(bitPattern: entry.asOf.milliseconds), entry.value?.bitPattern]
    }
    let all = try (0..<40).map { _ in try entry(&random) }
    for group in Dictionary(grouping: all, by: \.key).values {
      for a in group {
        #expect(bits(Merge.later(a, a)) == bits(a))
        for b in group {
          #expect(bits(Merge.later(a, b)) == bits(Merge.later(b, a)))
          let replaces = Merge.supersedes(
            asOf: b.asOf, value: b.value, heldAsOf: a.asOf, heldValue: a.value)
          #expect(bits(Merge.later(a, b)) == bits(replaces ? b : a))
          let c = group[0]
          #expect(
            bits(Merge.later(Merge.later(a, b), c)) == bits(Merge.later(a, Merge.later(b, c))))
        }
      }
    }
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `MRG_2: folds the rows of a day into one whatever their order, and twice changes nothing`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let rows = try (0..<6).map { number in
      let entries = try (0..<3).map { _ in
        try entry(&random, on: CalendarDay(number: 1))
      }
      return DayRow(
        id: "row-\(number)", day: CalendarDay(number: 1),
        entries: Array(Dictionary(grouping: entries, by: \.key).values.map { $0[0] }))
    }
    let once = Merge.fold(rows)
    #expect(once.kept.map(\.id) == ["row-0"] && once.deleted.count == 5)
    let shuffled = Merge.fold(rows.shuffled(using: &random))
    #expect(shuffled.kept == once.kept && shuffled.deleted == once.deleted)
    #expect(Merge.fold(once.kept).kept == once.kept)
    // In two steps, as two devices would fold, it comes to the same.
    let parts = Merge.fold(rows.prefix(3)).kept + Merge.fold(rows.suffix(3)).kept
    #expect(Merge.fold(parts).kept == once.kept)
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func
    `MRG_2: makes the same log of the same entries in any order, any grouping, any number of times`(
      seed: UInt64
    ) throws
  {
    var random = SplitMix64(seed: seed)
    let entries = try (0..<60).map { _ in try entry(&random) }
    let once = log(entries)
    for _ in 0..<4 {
      let repeated = (entries + entries.shuffled(using: &random).prefix(20))
        .shuffled(using: &random)
      let cut = Int.random(in: 0...repeated.count, using: &random)
      let parts = [Array(repeated[..<cut]), Array(repeated[cut...])].map(log)
      let joined = log(Array(parts[1].values) + Array(parts[0].values))
      #expect(joined.keys == once.keys)
      for (key, held) in once {
        #expect(joined[key] == held)
        #expect(joined[key]?.value?.bitPattern == held.value?.bitPattern, "-0 is not 0")
      }
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func
    `MRG_1: shows what was typed last, whatever is imported, and imported values only without it`(
      seed: UInt64
    ) throws
  {
    var random = SplitMix64(seed: seed)
    for _ in 0..<100 {
      let day = CalendarDay(number: 0)
      let held = try Self.sources.filter { _ in Bool.random(using: &random) }.map { source in
        try entry(&random, on: day, of: source)
      }
      let shown = Merge.resolve(held.shuffled(using: &random))
      #expect(shown == Merge.resolve(held))
      let typed = held.filter { $0.key.source.origin == .typed }
      let imported = held.filter { $0.key.source.origin == .imported && $0.value != nil }
      let latest = typed.map(\.asOf).max()
      let last = typed.filter { $0.asOf == latest }
      if let value = shown, value.source.origin == .typed {
        #expect(last.contains { $0.key.source == value.source && $0.value == value.value })
        #expect(!last.contains { $0.value == nil }, "a removal of the same moment wins")
      } else if !typed.isEmpty {
        #expect(last.contains { $0.value == nil })
      }
      if shown == nil { #expect(imported.isEmpty) }
      if let value = shown, value.source.origin == .imported {
        let best = imported.map { SourceRanking.standard.rank(of: $0.key.source) }.min()
        #expect(SourceRanking.standard.rank(of: value.source) == best)
      }
    }
  }
}
