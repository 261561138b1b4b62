import DayLog
import Storage
import Testing
import Time

@Suite struct `The days that are learned from` {
  @Test func `are all of a log without a gap of ten years`() {
    #expect(LearnedDays.start(of: Array(0..<400)) == 0)
    // Weighed once a week for thirty years, and every day after a pause of nine.
    #expect(LearnedDays.start(of: stride(from: 0, to: 10_957, by: 7).map(\.self)) == 0)
    #expect(LearnedDays.start(of: Array(0..<300) + Array(3500..<3600)) == 0)
    #expect(LearnedDays.start(of: [Int]()) == 0)
    #expect(LearnedDays.start(of: [7]) == 0)
  }

  @Test func `are those after a gap of ten years`() {
    #expect(LearnedDays.start(of: [-719_162] + Array(20_000..<20_365)) == 1)
    #expect(LearnedDays.start(of: Array(0..<9) + Array(20_000..<20_365)) == 9)
  }

  @Test func `never make more rows than what is logged can bear`() {
    for step in [300, 1000, 3000, 3653] {
      let days = stride(from: -719_162, through: 20_000, by: step).map(\.self)
      let start = LearnedDays.start(of: days)
      let rows = (days.last ?? 0) - days[start] + 1
      #expect(rows <= LearnedDays.longestGap + LearnedDays.spanPerDay * (days.count - start))
      #expect(rows <= LearnedDays.longestSpan)
    }
    #expect(LearnedDays.start(of: Array(-100_000..<20_000)) == 120_000 - 36_525)
  }

  @Test func `leave the first of them out of the table, and tell of it`() async throws {
    let folder = try TemporaryFolder()
    let log = try LogStore(path: folder.store)
    let early = try #require(CalendarDay("0001-01-01"))
    let recent = try #require(CalendarDay("2025-01-01"))
    let now = Instant(seconds: 1_767_225_600)
    _ = try await log.type([(.mood, 5)], on: early, source: "diurnal", now: now)
    for offset in 0..<40 {
      _ = try await log.type(
        [(.mood, Double(offset % 7))], on: recent.advanced(by: offset), source: "diurnal", now: now)
    }
    let learned = try await log.learnedDays(to: recent.advanced(by: 100))
    #expect(learned.table.firstDay == recent)
    #expect(learned.table.dayCount == 40)
    #expect(!learned.typedDays.contains(early))
    #expect(learned.typedDays.count == 40)
    #expect(learned.leftOut.dayCount == 1)
    #expect(learned.leftOut.lastDay == early)
    #expect("\(learned.leftOut)" == "not learned from: 1 day up to 0001-01-01 lies too far back")
    #expect(try await log.days().count == 41, "it is shown all the same")
  }

  @Test func `keep the metrics with most values where there is no room for all`() async throws {
    let folder = try TemporaryFolder()
    let log = try LogStore(path: folder.store)
    let now = Instant(seconds: 1_767_225_600)
    let last = try #require(CalendarDay("2025-01-01"))
    // Rows enough for few columns, without a day for each row: two days nine years apart.
    let first = last.advanced(by: -3600)
    let names = (0..<5000).compactMap { Metric("m\($0)") }
    _ = try await log.type(names.map { ($0, 1) }, on: last, source: "diurnal", now: now)
    _ = try await log.type([(names[4999], 1)], on: first, source: "diurnal", now: now)
    let learned = try await log.learnedDays(to: last)
    #expect(learned.table.metrics.count == LearnedDays.room(days: 3601))
    #expect(learned.table.metrics.contains(names[4999]))
    #expect(learned.leftOut.metricCount == 5000 - LearnedDays.room(days: 3601))
    #expect(learned.table.values.count <= LearnedDays.mostValues)
  }
}
