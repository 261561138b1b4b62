import DayLog
import FoundationEssentials
import Personalisation
import TestSupport
import Testing
import Time

@Suite struct `The search for insights` {
  private static let isLong = ProcessInfo.processInfo.environment["DIURNAL_LONG_TESTS"] == "1"

  /// The share of people who see anything, and of those who see the real relation.
  private func shares(
    of world: InsightWorld, people: Int, seed: UInt64, lags: [Int] = [0, 1, 2]
  ) -> (any: Double, real: Double, wrong: Double) {
    var (any, real, wrong) = (0, 0, 0.0)
    var options = InsightOptions()
    options.outcomes = [InsightWorld.outcome]
    options.lags = lags
    for person in 0..<people {
      let log = world.log(seed: seed + UInt64(person))
      let report = findInsights(in: log, asOf: log.table.endDay, options: options)
      let hits = report.insights.filter {
        $0.pair
          == InsightPair(
            outcome: InsightWorld.outcome, factor: InsightWorld.factor, lag: 1)
      }
      if !report.insights.isEmpty {
        any += 1
        wrong += Double(report.insights.count - hits.count) / Double(report.insights.count)
      }
      real += hits.count
    }
    return (Double(any) / Double(people), Double(real) / Double(people), wrong / Double(people))
  }

  /// What a share may be, above a bound, by the luck of so many people: three standard errors.
  private func luck(_ bound: Double, _ people: Int) -> Double {
    3 * (bound * (1 - bound) / Double(people)).squareRoot()
  }

  @Test func `of pure noise few people see anything, whatever lies over it`() {
    var world = InsightWorld(factors: 8)
    var seen = 0.0
    for (index, nuisance) in InsightWorld.Nuisance.allCases.enumerated() {
      world.nuisance = nuisance
      seen += shares(of: world, people: 3, seed: 20_250_000 + UInt64(100 * index)).any * 3
    }
    let people = 3 * InsightWorld.Nuisance.allCases.count
    #expect(seen / Double(people) <= 0.12 + luck(0.12, people))
  }

  @Test func `a real relation is found by three people in four`() {
    let seen = shares(
      of: InsightWorld(factors: 12, correlation: 0.4), people: 24, seed: 20_270_000, lags: [1])
    #expect(seen.real >= 0.75 - luck(0.75, 24))
    #expect(seen.wrong <= 0.10 + luck(0.10, 24))
  }

  @Test(.enabled(if: isLong, "a long run"), arguments: InsightWorld.Nuisance.allCases)
  func `of pure noise at most 12 people in 100 see anything, 25 where levels move`(
    nuisance: InsightWorld.Nuisance
  ) {
    let people = 1000
    let seen = shares(of: InsightWorld(nuisance: nuisance), people: people, seed: 20_260_000)
    print("noise, \(nuisance): \(seen.any) of \(people) people see anything")
    let bound = [.shift, .drift, .walk].contains(nuisance) ? 0.25 : 0.12
    #expect(seen.any <= bound + luck(bound, people))
  }

  @Test(.enabled(if: isLong, "a long run"))
  func `of a correlation of 0.4 at 84 days among 20 factors three people in four see it`() {
    let seen = shares(
      of: InsightWorld(correlation: 0.4), people: 2000, seed: 20_280_000, lags: [1])
    print("a correlation of 0.4: \(seen)")
    #expect(seen.real >= 0.75)
    #expect(seen.wrong <= 0.10 + luck(0.10, 2000))
  }

  @Test func `every pair is accounted for once`() {
    let world = InsightWorld(nuisance: .gaps, factors: 7, correlation: 0.6)
    let log = world.log(seed: 3)
    let report = findInsights(in: log, asOf: log.table.endDay)
    let pairs = report.insights.map(\.pair) + report.unshown.map(\.pair)
    #expect(Set(pairs).count == pairs.count)
    // Of eight metrics each goes with each other one day, two days and a week ahead, and once on the same day.
    #expect(pairs.count == 3 * 8 * 7 + 8 * 7 / 2)
    #expect(
      report.testCount == report.insights.count + report.unshown.count { $0.reason.isTested })
    for insight in report.insights {
      #expect(!insight.interval.contains(0) && insight.interval.contains(insight.effect))
      expectNoCause(insight.sentence { _ in nil })
    }
    #expect(report == findInsights(in: log, asOf: log.table.endDay))
  }

  @Test func `a straight line is told in the units of both metrics`() throws {
    var random = SplitMix64(seed: 8)
    let days = 400
    let sleep = (0..<days).map { _ in Double.random(in: 5...9, using: &random) }
    var mood = [5.0]
    for slept in sleep.dropLast() {
      let noise = Double.random(in: -1...1, using: &random)
      mood.append(2 + 0.5 * slept + noise)
    }
    let log = PersonalLog(
      DayTable(
        firstDay: CalendarDay(number: 20_000), dayCount: days, metrics: [.mood, .sleepHours],
        values: ContiguousArray(mood + sleep)))
    let insight = try #require(findInsights(in: log, asOf: log.table.endDay).insights.first)
    #expect(insight.pair == InsightPair(outcome: .mood, factor: .sleepHours, lag: 1))
    #expect(insight.step == 1)
    #expect(insight.interval.contains(0.5) && abs(insight.effect - 0.5) < 0.05)
    #expect(insight.dayCount == 364)
    let sentence = insight.sentence { $0 == .sleepHours ? "h" : nil }
    #expect(sentence.hasPrefix("The day after days with sleep_hours 1 h higher, mood was 0."))
  }

  @Test func `what cannot be tested is named with its reason`() throws {
    var random = SplitMix64(seed: 4)
    func column(_ body: (Int) -> Double) -> [Double] { (0..<90).map(body) }
    func noise() -> Double { .random(in: -1...1, using: &random) }
    let hrv = column { _ in 50 + 10 * noise() }
    let columns: [(String, [Double])] = [
      ("always", column { _ in 3 }), ("copy", hrv.map { 2 * $0 + 1 }), ("hrv", hrv),
      ("rarely", column { $0 % 30 == 0 ? 1 : 0 }), ("short", column { $0 < 9 ? noise() : .nan }),
      ("sleep_deep_hours", column { _ in noise() }), ("sleep_hours", column { _ in noise() }),
    ]
    let log = PersonalLog(
      DayTable(
        firstDay: CalendarDay(number: 20_000), dayCount: 90,
        metrics: columns.compactMap { Metric($0.0) },
        values: ContiguousArray(columns.flatMap(\.1))))
    let report = findInsights(in: log, asOf: log.table.endDay)
    let reasons = Dictionary(
      uniqueKeysWithValues: report.untested.map { ($0.metric.name, $0.reason) })
    #expect(
      reasons == [
        "always": .hardlyVaries, "copy": .copy(of: .hrv), "rarely": .hardlyVaries,
        "short": .tooFewDays(9),
      ])
    let kin = report.unshown.filter {
      $0.pair.factor.name == "sleep_deep_hours" && $0.pair.outcome == .sleepHours
    }
    #expect(kin.allSatisfy { $0.reason == .sameThing && $0.probability == nil } && !kin.isEmpty)
  }

  @Test func `extreme values, an open day and an empty log neither fail nor leak`() throws {
    var random = SplitMix64(seed: 6)
    let days = 60
    let largest = Double.greatestFiniteMagnitude
    let extremes: [Double] = [largest, -largest, 0, .leastNonzeroMagnitude, 1]
    var wild: [Double] = []
    var plain: [Double] = []
    for _ in 0..<days {
      wild.append(extremes.randomElement(using: &random) ?? 0)
      plain.append(.random(in: 0...1, using: &random))
    }
    let log = PersonalLog(
      DayTable(
        firstDay: CalendarDay(number: 20_000), dayCount: days, metrics: [.hrv, .steps],
        values: ContiguousArray(wild + plain)))
    let report = findInsights(in: log, asOf: log.table.endDay)
    // Once on the same day, and in both directions one day, two days and a week ahead.
    #expect(report.testCount == 7)
    let open = findInsights(in: log, asOf: log.table.endDay.advanced(by: -1))
    #expect(open.days?.upperBound == log.table.endDay.advanced(by: -2))
    let empty = findInsights(in: PersonalLog(table([])), asOf: CalendarDay(number: 20_000))
    #expect(empty.days == nil && empty.testCount == 0 && empty.streak.dayCount == 0)
    let before = findInsights(in: log, asOf: CalendarDay(number: 1_000))
    #expect(before.days == nil && before.testCount == 0)
  }
}
