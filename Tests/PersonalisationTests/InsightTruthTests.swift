import DayLog
import TestSupport
import Testing
import Time

@testable import Personalisation

/// What is told of people whose truth is known. The figures of larger runs are those of `bench --suite insights`.
@Suite struct `The truth of insights` {
  private typealias World = InsightWorld

  private func report(_ world: InsightWorld, seed: UInt64) -> InsightReport {
    let log = world.log(seed: seed)
    return findInsights(in: log, asOf: log.table.endDay)
  }

  /// Whether a pair is of the outcome and the factor that truly go together, in either direction.
  private func isRealPair(_ pair: InsightPair) -> Bool {
    Set([pair.outcome, pair.factor]) == [World.outcome, World.factor]
  }

  @Test(arguments: [0.3, 0.6, 0.9])
  func `a real effect leaves no echo with the opposite sign at the next lag`(
    persistence: Double
  ) {
    var world = World(days: 365, factors: 3, autocorrelation: persistence, correlation: 0.4)
    (world.lag, world.factorAutocorrelation) = (0, 0)
    var (real, opposite) = (0, 0)
    for seed in 20_300_000..<20_300_004 {
      let found = report(world, seed: UInt64(seed)).insights.filter { isRealPair($0.pair) }
      if found.contains(where: { $0.pair.lag == 0 && $0.effect > 0 }) { real += 1 }
      if found.contains(where: { $0.effect < 0 }) { opposite += 1 }
    }
    // The effect is some seven standard errors; of 200 people 2 in 100 see its opposite, before 22 to 100 did.
    #expect(real == 4)
    #expect(opposite <= 1)
  }

  @Test func `an effect two days later is found there, and its echo a day later is not told`() {
    var world = World(days: 365, factors: 3, autocorrelation: 0.6, correlation: 0.4)
    (world.lag, world.factorAutocorrelation) = (2, 0)
    var opposite = 0
    for seed in 20_310_000..<20_310_004 {
      let report = report(world, seed: UInt64(seed))
      let found = report.insights.filter { isRealPair($0.pair) && $0.pair.outcome == World.outcome }
      #expect(found.first?.pair.lag == 2 && found.first?.pair.window == 1, "seed \(seed)")
      #expect(found.allSatisfy { $0.effect > 0 || !$0.isEstablished }, "seed \(seed)")
      if found.contains(where: { $0.effect < 0 }) { opposite += 1 }
    }
    // Tested alone, the echo of -0.24 is over four standard errors and shown to nearly all. Judged together, what
    // is left of it is a first sight by chance, of some one in a hundred people a test.
    #expect(opposite <= 1)
  }

  @Test func `noise that is no autoregression, holidays and shared shifts are seldom told`() {
    var seen = 0
    let worlds: [World.Nuisance] = [.monthly, .cycle, .holidays, .shiftOfTwo]
    for (index, nuisance) in worlds.enumerated() {
      let world = World(nuisance: nuisance, factors: 8)
      for person in 0..<3 {
        let seed = UInt64(20_320_000 + 100 * index + person)
        if !report(world, seed: seed).insights.isEmpty { seen += 1 }
      }
    }
    // At most one person in five, and of twelve people three standard errors of luck.
    #expect(Double(seen) <= 12 * (0.2 + 3 * (0.2 * 0.8 / 12).squareRoot()))
  }

  @Test func `a week on which all metrics are off is found, and named`() throws {
    let world = World(nuisance: .holidays, days: 84, factors: 11, autocorrelation: 0.3)
    let report = report(world, seed: 20_330_001)
    let event = try #require(report.sharedEvents.first)
    #expect(report.sharedEvents.count == 1)
    // The week may be told a day or two too long or too short at each end.
    #expect(abs(event.lowerBound.distance(to: event.upperBound) - 6) <= 3)
  }

  @Test func `what is established is news once, and said again when it no longer is`() throws {
    var random = SplitMix64(seed: 20_340_000)
    var sleep: [Double] = []
    var mood: [Double] = [6]
    for _ in 0..<300 { sleep.append(.random(in: 5...9, using: &random)) }
    for night in sleep.dropLast() {
      mood.append(3 + 0.5 * night + .random(in: -1.5...1.5, using: &random))
    }
    let log = PersonalLog(
      DayTable(
        firstDay: CalendarDay(number: 20_003), dayCount: 300, metrics: [.mood, .sleepHours],
        values: ContiguousArray(mood + sleep)))
    let pair = InsightPair(outcome: .mood, factor: .sleepHours, lag: 1)
    var news: [Int] = []
    var wasEstablished = false
    // The log begins on a Monday, so each report is of the week that is just over.
    for day in stride(from: 35, to: 300, by: 7) {
      let report = findInsights(in: log, asOf: log.table.firstDay.advanced(by: day))
      let isEstablished = report.insights.contains { $0.pair == pair && $0.isEstablished }
      #expect(report.news.contains(pair) == (isEstablished && !wasEstablished), "day \(day)")
      #expect(
        report.lost.contains { $0.pair == pair } == (wasEstablished && !isEstablished),
        "day \(day)")
      if report.news.contains(pair) { news.append(day) }
      wasEstablished = isEstablished
    }
    #expect(wasEstablished && !news.isEmpty)
  }

  @Test func `what is there or not is told as days in 100, by whatever name`() throws {
    var random = SplitMix64(seed: 20_350_000)
    let alcohol = try #require(Metric("alcohol"))
    let nap = try #require(Metric("nap"))
    var drinks: [Double] = []
    var naps: [Double] = [0]
    for _ in 0..<200 { drinks.append(Double.random(in: 0..<1, using: &random) < 0.3 ? 1 : 0) }
    for drink in drinks.dropLast() {
      naps.append(Double.random(in: 0..<1, using: &random) < 0.2 + 0.5 * drink ? 1 : 0)
    }
    let log = PersonalLog(
      DayTable(
        firstDay: CalendarDay(number: 20_004), dayCount: 200, metrics: [alcohol, nap],
        values: ContiguousArray(drinks + naps)))
    let insight = try #require(findInsights(in: log, asOf: log.table.endDay).insights.first)
    #expect(insight.pair == InsightPair(outcome: nap, factor: alcohol, lag: 1))
    #expect(insight.interval.contains(0.5) && insight.step == 1)
    let sentence = insight.sentence { _ in nil }
    #expect(sentence.hasPrefix("The day after days with alcohol, nap came "))
    #expect(sentence.contains("days in 100 more often"))
  }

  @Test func `near-twins are told in one sentence`() throws {
    var random = SplitMix64(seed: 20_360_000)
    var columns: [[Double]] = [[], [], []]
    for day in 0..<300 {
      let night = Double.random(in: 5...9, using: &random)
      let before = day > 0 ? columns[2][day - 1] : 7
      columns[0].append(3 + 0.5 * before + .random(in: -1...1, using: &random))
      columns[1].append(0.2 * night + .random(in: -0.3...0.3, using: &random))
      columns[2].append(night)
    }
    let deep = try #require(Metric("sleep_deep_hours"))
    let log = PersonalLog(
      DayTable(
        firstDay: CalendarDay(number: 20_004), dayCount: 300, metrics: [.mood, deep, .sleepHours],
        values: ContiguousArray(columns.joined())))
    let insights = findInsights(in: log, asOf: log.table.endDay).insights.filter {
      $0.pair.lag == 1 && $0.pair.window == 1
    }
    let lead = try #require(insights.first)
    #expect(lead.pair == InsightPair(outcome: .mood, factor: .sleepHours, lag: 1))
    let twins = insights.filter { $0.twin == lead.pair }
    #expect(twins.map(\.pair.factor) == [deep])
    #expect(lead.sentence(twins: twins) == "The same goes for sleep_deep_hours.")
  }

  @Test func `a log of weekends alone is tested and told of like any other`() throws {
    var random = SplitMix64(seed: 20_370_000)
    // From Monday 2024-10-07 on, Saturdays and Sundays alone.
    var columns: [[Double]] = [[], []]
    for day in 0..<364 {
      let steps = Double.random(in: 2000...12_000, using: &random)
      // A correlation of 0.64: from 0.85 on they would be taken for one thing measured twice.
      let mood = 2 + steps / 2000 + .random(in: -3...3, using: &random)
      columns[0].append(day % 7 < 5 ? .nan : mood)
      columns[1].append(day % 7 < 5 ? .nan : steps)
    }
    let first = try #require(CalendarDay("2024-10-07"))
    let log = PersonalLog(
      DayTable(
        firstDay: first, dayCount: 364, metrics: [.mood, .steps],
        values: ContiguousArray(columns.joined())))
    let report = findInsights(in: log, asOf: log.table.endDay)
    let insight = try #require(report.insights.first)
    #expect(Set([insight.pair.outcome, insight.pair.factor]) == [.mood, .steps])
    // Of 104 days, or of the 52 Sundays where the day before is judged together with the day itself.
    #expect(insight.pair.lag == 0 && insight.pair.window == 1)
    #expect([52, 104].contains(insight.dayCount) && insight.effect > 0)
  }
}
