import DayLog
import FoundationEssentials
import Storage
import TestSupport
import Testing
import Time

/// Three devices of one person, each with a store of its own, that type, clear, import, refresh, forget and
/// sync in a random order: what they show in the end is a pure function of all that was ever said.
@Suite struct `Devices of one person` {
  private static let metrics: [Metric] = [.mood, .steps, .hrv]
  private static let sources = ["apple-health", "fitbit", "oura", "table"]

  /// What was said, in the form in which the rule is written down.
  private struct Said {
    var entries: [Entry] = []
    var marks: [ForgetMark] = []

    /// The log that all of it makes, by the definition: a mark takes away what it covers, and of each
    /// key the later entry stays.
    var log: [Entry] {
      let marks = ForgetMarks(marks)
      var held: [EntryKey: Entry] = [:]
      for entry in entries where !marks.cover(entry) {
        held[entry.key] = held[entry.key].map { Merge.later($0, entry) } ?? entry
      }
      return held.values.sorted { $0.key < $1.key }
    }
  }

  @Test(arguments: 0..<16 as Range<UInt64>)
  func
    `MRG_2: end in the same log whatever they did in which order, and lose nothing that was typed`(
      seed: UInt64
    ) async throws
  {
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    var stores: [LogStore] = []
    for index in 0..<3 { stores.append(try LogStore(path: folder.path + "/\(index).sqlite")) }
    var said = Said()
    // The clocks of the devices agree, and no two things happen at once: then the last word is known.
    for step in 1...90 {
      let now = Instant(seconds: Int64(step) * 100)
      let index = Int.random(in: 0..<3, using: &random)
      let store = stores[index]
      let day = CalendarDay(number: Int.random(in: 0..<4, using: &random))
      let metric = try #require(Self.metrics.randomElement(using: &random))
      switch Int.random(in: 0..<10, using: &random) {
      case 0...2:
        let value = Int.random(in: 0..<5, using: &random) == 0 ? nil : Double(step)
        try await store.type(value, metric, on: day, source: "device \(index)", now: now)
        said.entries.append(typed(value, metric, day, by: index, at: now))
      case 3...5:
        // An export of one source, made some time ago: the longer ago, the less it knows.
        let source = try #require(Self.sources.randomElement(using: &random))
        let madeAt = Int64.random(in: 1...Int64(step), using: &random) * 100
        let export = (0..<4).map { day in
          Entry(
            day, metric, .imported, source, asOf: madeAt * 1000, Double(day * 1000) + Double(madeAt)
          )
        }
        let before = try await typedValues(store)
        try await store.merge(export.shuffled(using: &random))
        #expect(try await typedValues(store) == before, "an import changes nothing typed")
        said.entries += export
      case 6:
        let isWhole = Bool.random(using: &random)
        try await store.forget(day, isWhole ? nil : metric, now: now)
        said.marks.append(ForgetMark(day: day, metric: isWhole ? nil : metric, asOf: now))
      default:
        let other = stores[(index + Int.random(in: 1...2, using: &random)) % 3]
        let document = try await store.syncDocument(includingImported: Bool.random(using: &random))
        try await other.merge(
          try SyncDocument(document.bytes), now: nil, forgetting: .any)
      }
    }
    // Everyone hears of everything, in any order, more than once.
    for _ in 0..<3 {
      for source in stores.indices.shuffled(using: &random) {
        let document = try await stores[source].syncDocument(includingImported: true)
        for target in stores.indices.shuffled(using: &random) {
          try await stores[target].merge(document, now: nil, forgetting: .any)
        }
      }
    }
    let expected = said.log
    for store in stores {
      #expect(try await store.entries() == expected)
      #expect(try await store.integrityProblems() == [])
      let shown = try await store.days()
      for day in shown {
        for metric in Self.metrics {
          let right = Merge.resolve(
            expected.filter { $0.key.day == day.day && $0.key.metric == metric })
          #expect(day[metric] == right)
        }
      }
      try expectLastWords(of: said, in: shown)
    }
  }

  private func typed(
    _ value: Double?, _ metric: Metric, _ day: CalendarDay, by device: Int, at now: Instant
  ) -> Entry {
    Entry(
      key: EntryKey(day: day, metric: metric, source: Source(.typed, "device \(device)")),
      asOf: now, value: value)
  }

  /// The days and metrics that show what was typed, with the value.
  private func typedValues(_ store: LogStore) async throws -> [String: Double] {
    var found: [String: Double] = [:]
    for day in try await store.days() {
      for item in day.items where item.resolved.source.origin == .typed {
        found["\(day.day) \(item.metric)"] = item.resolved.value
      }
    }
    return found
  }

  /// Whether every last word of the person is what the days show: the value typed last, unless the day or
  /// the metric was forgotten or cleared after that.
  private func expectLastWords(of said: Said, in shown: [ResolvedDay]) throws {
    for number in 0..<4 {
      let day = CalendarDay(number: number)
      for metric in Self.metrics {
        let last = said.entries.filter {
          $0.key.day == day && $0.key.metric == metric && $0.key.source.origin == .typed
        }.max { $0.asOf < $1.asOf }
        guard let last else { continue }
        let forgotten = said.marks.contains {
          $0.day == day && ($0.metric == nil || $0.metric == metric) && $0.asOf > last.asOf
        }
        let resolved = shown.first { $0.day == day }?[metric]
        if let value = last.value, !forgotten {
          #expect(resolved == ResolvedValue(value: value, source: last.key.source))
        } else {
          #expect(resolved?.source.origin != .typed)
        }
      }
    }
  }
}
