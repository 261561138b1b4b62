import DayLog
import Learning
import LinearAlgebra
import TestSupport
import Testing
import Time

@testable import Personalisation

/// What was shown on a day must follow from what was known a horizon before it.
@Suite struct `The evaluation looks ahead at nothing` {
  private static let days = 110

  /// The forecasts and intervals of a log's days, with penalties that no day had a say in.
  private func history(_ table: DayTable, _ target: Target, horizon: Int) throws -> (
    history: ForecastHistory, model: PersonalModel
  ) {
    var options = TrainingOptions()
    options.horizon = horizon
    var training = try PersonalTraining(
      PersonalLog(table), target, options, earlier: nil, isPaused: false)
    training.record.penalties = training.record.penalties.map { _ in 100 }
    guard case .trained(let model, _, _) = try training.run(mayContinue: { true }) else {
      throw TrainingError.tooLarge
    }
    return (training.history().0, model)
  }

  /// Three metrics, the target among them, of which one begins late.
  private func log(seed: UInt64, isPositive: Bool = true) -> DayTable {
    var random = SplitMix64(seed: 7_000 + seed)
    func column(_ mean: Double) -> [Double] {
      (0..<Self.days).map { _ in
        Double.random(in: 0..<1, using: &random) < 0.05 ? .nan : mean + 2 * random.normal()
      }
    }
    var late = column(30)
    for day in 0..<60 { late[day] = .nan }
    return dayTable([
      (.hrv, column(isPositive ? 50 : 1)), (.restingHeartRate, late), (.steps, column(20)),
    ])
  }

  private func expectSame(
    _ whole: ForecastHistory, _ other: ForecastHistory, through day: Int, within tolerance: Double
  ) {
    let count = whole.days.count { $0 <= day }
    #expect(count > 20)
    #expect(whole.days.prefix(count) == other.days.prefix(count))
    for index in 0..<count {
      #expect(
        abs(whole.forecasts[index] - other.forecasts[index]) <= tolerance,
        "day \(whole.days[index])")
      switch (whole.intervals[index], other.intervals[index]) {
      case (nil, nil): break
      case (let left?, let right?):
        #expect(abs(left.lowerBound - right.lowerBound) <= tolerance)
        #expect(abs(left.upperBound - right.upperBound) <= tolerance)
      default: Issue.record("only one has an interval on day \(whole.days[index])")
      }
    }
  }

  @Test(arguments: 1...7)
  func `values less than a horizon before a day change no forecast and no interval of it`(
    horizon: Int
  ) throws {
    let table = log(seed: UInt64(horizon))
    let whole = try history(table, Target(.hrv), horizon: horizon).history
    for last in [70, 95] {
      // Day `last` is forecast from day `last - horizon`: all after that becomes another.
      let changes = ((last - horizon + 1)..<Self.days).flatMap { day in
        (0..<3).map { (day, $0, table.values[$0 * Self.days + day] + 9) }
      }
      let other = try history(changing(table, changes), Target(.hrv), horizon: horizon).history
      // The same columns in the same order: the same bits.
      expectSame(whole, other, through: last, within: 0)
      // The last value that may count does.
      let earlier = try history(
        changing(table, [(last - horizon, 0, 90)]), Target(.hrv), horizon: horizon
      ).history
      let place = try #require(
        whole.days.firstIndex(of: last) ?? whole.days.firstIndex { $0 > last })
      #expect(whole.forecasts[place] != earlier.forecasts[place])
    }
  }

  /// The days on which a segment of the evaluation begins: on the others regressions have the column scales of the
  /// day on which theirs began, and a training of just that day has its own.
  private func segmentStarts(_ table: DayTable, horizon: Int) throws -> [Int] {
    let observed = try #require(table.column(.hrv)).enumerated().filter { !$0.element.isNaN }.map(
      \.offset)
    let first = try #require(
      observed.firstIndex { day in
        observed.count { $0 <= day - horizon } >= RollingEvaluation.leastRows
      })
    return stride(
      from: first + RollingEvaluation.segment, to: observed.count, by: RollingEvaluation.segment
    ).map { observed[$0] }
  }

  @Test(arguments: [1, 4, 7])
  func `a log cut off a horizon before a day gives it the same forecast, weights and interval`(
    horizon: Int
  ) throws {
    let table = log(seed: UInt64(20 + horizon))
    let whole = try history(table, Target(.hrv), horizon: horizon).history
    let starts = try segmentStarts(table, horizon: horizon)
    #expect(starts.count >= 2)
    for last in starts {
      let known = beginning(table, days: last - horizon + 1)
      let cut = try history(known, Target(.hrv), horizon: horizon).model
      let place = try #require(whole.days.firstIndex(of: last))
      let prediction = try cut.predict(
        table.firstDay.advanced(by: last), from: PersonalLog(known))
      // A metric that begins later adds columns that are constant till then: equal but for rounding.
      #expect(abs(prediction.value - whole.forecasts[place]) <= 1e-6)
      let (shown, seen) = (prediction.interval, whole.intervals[place])
      #expect((shown == nil) == (seen == nil))
      if let shown, let seen {
        #expect(abs(shown.lowerBound - seen.lowerBound) <= 1e-5)
        #expect(abs(shown.upperBound - seen.upperBound) <= 1e-5)
      }
    }
  }

  @Test func `a season that a year of days shows changes nothing in that year`() throws {
    var random = SplitMix64(seed: 61)
    let table = dayTable([(.hrv, (0..<380).map { 50 + 0.02 * Double($0) + 3 * random.normal() })])
    let whole = try history(table, Target(.hrv), horizon: 1)
    let year = try history(beginning(table, days: 360), Target(.hrv), horizon: 1)
    #expect(whole.model.spec.names != year.model.spec.names)
    expectSame(whole.history, year.history, through: 359, within: 1e-6)
  }

  @Test func `a value without a logarithm ends that regression, and changes nothing before it`()
    throws
  {
    let table = log(seed: 41)
    let whole = try history(table, Target(.hrv), horizon: 1)
    let ended = try history(changing(table, [(80, 0, -1)]), Target(.hrv), horizon: 1)
    expectSame(whole.history, ended.history, through: 80, within: 0)
    #expect(whole.model.parts.contains { $0.name == "ridge log" })
    #expect(!ended.model.parts.contains { $0.name == "ridge log" })
    #expect(ended.model.weights.count == NaiveRule.allCases.count + ended.model.parts.count)
  }
}
