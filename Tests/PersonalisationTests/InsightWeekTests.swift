import DayLog
import Personalisation
import TestSupport
import Testing
import Time

@Suite struct `The week of an insight report` {
  private func day(_ text: String) throws -> CalendarDay { try #require(CalendarDay(text)) }

  @Test func `FEA_5: a streak ends today or yesterday, and begins after the last gap`() throws {
    let logged = try Set([1, 2, 3, 5, 6, 7, 8, 9].map { try day("2024-05-0\($0)") })
    let streak = Streak(logged, today: try day("2024-05-10"))
    #expect(streak.dayCount == 5)
    #expect(streak.first?.description == "2024-05-05")
    #expect(streak.last?.description == "2024-05-09")
    let none = Streak(logged, today: try day("2024-05-11"))
    #expect(none.dayCount == 0 && none.first == nil && none.last == nil)
    // Today counts once it has something, and a day in the future never does.
    let today = try day("2024-05-10")
    #expect(Streak(logged.union([today]), today: today).dayCount == 6)
    #expect(Streak([today.advanced(by: 1)], today: today).dayCount == 0)
  }

  @Test func `FEA_6: a week runs from Monday to Sunday and names its dates`() throws {
    let week = ISOWeek(containing: try day("2024-03-10"))
    #expect("\(week.first) \(week.last)" == "2024-03-04 2024-03-10")
    #expect(week.description == "2024-W10")
    // The turn of the year, by the examples of the standard.
    for (text, name) in [
      ("2005-01-01", "2004-W53"), ("2007-01-01", "2007-W01"), ("2008-12-29", "2009-W01"),
      ("2010-01-03", "2009-W53"), ("0001-01-01", "0001-W01"), ("9999-12-31", "9999-W52"),
    ] {
      let week = ISOWeek(containing: try day(text))
      #expect(week.description == name)
    }
    let report = findInsights(in: PersonalLog(table([])), asOf: try day("2024-03-11"))
    #expect(report.week == week)
  }

  @Test func `FEA_7: a mean runs over days with a value, says how many, or why there is none`()
    throws
  {
    // From 2020-01-01, a Wednesday: the week of Monday the 6th.
    let values = [Double?](repeating: 5000, count: 5) + [6000, nil, 6000, nil, nil, 6000, nil]
    let log = PersonalLog(table(values, metric: .steps))
    let report = findInsights(in: log, asOf: try day("2020-01-13"))
    let steps = try #require(report.metrics.first)
    #expect(steps.mean == 6000 && steps.dayCount == 3 && steps.whyNoMean == nil)
    // The first day of a log.
    let first = findInsights(in: PersonalLog(table([7])), asOf: try day("2020-01-02"))
    let mood = try #require(first.metrics.first)
    #expect(mood.mean == nil && mood.dayCount == 1 && mood.usual == nil)
    #expect(mood.whyNoMean == "1 of 7 days has a value; 3 are needed")
    let empty = findInsights(in: PersonalLog(table([])), asOf: try day("2020-01-02"))
    #expect(empty.metrics.allSatisfy { $0.mean == nil && $0.dayCount == 0 })
  }

  @Test func `a symptom's week is the share of days with it`() throws {
    let headache = try #require(Metric("symptom.headache"))
    let log = PersonalLog(table([3, 0, 0, 1, nil, 0, 0], metric: headache))
    let report = findInsights(in: log, asOf: try day("2020-01-05"))
    // Wednesday to Sunday of the first week: two of four days with a value.
    #expect(try #require(report.metrics.first).mean == 0.5)
  }

  @Test func `a week stands out only against weeks that can be compared`() throws {
    var values = [Double?](repeating: nil, count: 5)
    for week in 0..<8 { values += (0..<7).map { Double(100 + week + $0) } }
    let usual = values + [Double?](repeating: 105, count: 7)
    let high = values + [Double?](repeating: 150, count: 7)
    let short = values + [150, 150, 150, 150, nil, nil, nil]
    let today = CalendarDay(number: 18_262 + high.count)
    func standing(_ values: [Double?]) throws -> MetricWeek.Standing? {
      let log = PersonalLog(table(values, metric: .hrv))
      return try #require(findInsights(in: log, asOf: today).metrics.first).standing
    }
    #expect(try standing(usual) == .usual)
    #expect(try standing(high) == .aboveUsual)
    #expect(try standing(short) == nil)
  }

  @Test func `a week of long ago knows nothing of what came after it`() throws {
    var random = SplitMix64(seed: 12)
    let whole = randomTable(days: 300, metrics: [.hrv, .mood, .steps], using: &random)
    let week = ISOWeek(containing: whole.firstDay.advanced(by: 150))
    let count = whole.firstDay.distance(to: week.last) + 1
    var values: ContiguousArray<Double> = []
    for metric in whole.metrics { values += try #require(whole.column(metric)).prefix(count) }
    let cut = DayTable(
      firstDay: whole.firstDay, dayCount: count, metrics: whole.metrics, values: values)
    let today = week.last.advanced(by: 1)
    let then = findInsights(in: PersonalLog(cut), asOf: today, week: week)
    let now = findInsights(
      in: PersonalLog(whole), asOf: whole.endDay, week: week,
      logged: Set((0..<count).map { whole.firstDay.advanced(by: $0) }))
    #expect(now.insights == then.insights && now.unshown == then.unshown)
    #expect(now.metrics == then.metrics)
  }
}
