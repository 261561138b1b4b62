import Foundation
import TestSupport
import Testing

@testable import Personalisation

@Suite struct `A naive rule` {
  /// The rules by their words, from the days known before `day` alone.
  private func forecast(
    _ rule: NaiveRule, _ outcomes: ArraySlice<Double>, day: Int, horizon: Int
  ) -> Double {
    let known = outcomes.indices.filter { !outcomes[$0].isNaN }
    func mean(_ indices: [Int]) -> Double {
      indices.reduce(0) { $0 + outcomes[$1] } / Double(indices.count)
    }
    func within(_ days: Int) -> Double {
      let recent = known.filter { $0 >= outcomes.endIndex - days }
      return mean(recent.isEmpty ? known : recent)
    }
    func halving(_ days: Double) -> Double {
      // The rule of the missing days: weights renormalised at every value, the first ones alike.
      var (level, last) = (outcomes[known[0]], known[0])
      for (count, index) in known.enumerated().dropFirst() {
        let a = max(1 - pow(2, -1 / days), 1 / Double(count + 1))
        let kept = pow(1 - a, Double(index - last))
        level = (kept * level + a * outcomes[index]) / (kept + a)
        last = index
      }
      return level
    }
    func weekBefore(_ end: Int) -> Double? {
      let week = known.filter { $0 > end - 7 && $0 <= end }
      return week.isEmpty ? nil : mean(week)
    }
    // The slope of values on what was known `horizon` days before, as if ten more pairs showed none.
    func kept(_ pairs: [(Double, Double)]) -> Double {
      let count = Double(pairs.count)
      let x = pairs.reduce(0) { $0 + $1.0 } / count
      let y = pairs.reduce(0) { $0 + $1.1 } / count
      let squares = pairs.reduce(0) { $0 + ($1.0 - x) * ($1.0 - x) }
      let products = pairs.reduce(0) { $0 + ($1.0 - x) * ($1.1 - y) }
      return squares > 0 ? min(1, max(-1, products / squares * count / (count + 10))) : 0
    }
    switch rule {
    case .weekdayMean:
      let same = known.filter { ($0 - day) % 7 == 0 }
      let sum = same.reduce(0) { $0 + outcomes[$1] }
      return (sum + 4 * mean(known)) / Double(same.count + 4)
    case .persistence:
      let slope = kept(
        known.compactMap {
          $0 >= horizon && !outcomes[$0 - horizon].isNaN
            ? (outcomes[$0 - horizon], outcomes[$0]) : nil
        })
      let last = known[known.count - 1]
      let share =
        day - last == horizon
        ? slope : slope > 0 ? pow(slope, Double(day - last) / Double(horizon)) : 0
      return mean(known) + share * (outcomes[last] - mean(known))
    case .shrunkenMean:
      let slope = kept(
        known.compactMap { index in weekBefore(index - horizon).map { ($0, outcomes[index]) } })
      return weekBefore(day - horizon).map { mean(known) + slope * ($0 - mean(known)) }
        ?? mean(known)
    case .mean: return mean(known)
    case .yesterday: return outcomes[known[known.count - 1]]
    case .weekday: return known.last { ($0 - day) % 7 == 0 }.map { outcomes[$0] } ?? mean(known)
    case .mean7: return within(7)
    case .mean28: return within(28)
    case .exponential3: return halving(3)
    case .exponential7: return halving(7)
    case .exponential28: return halving(28)
    case .weekdayLevel:
      let same = known.filter { ($0 - day) % 7 == 0 }
      let distances = same.reduce(0) { $0 + outcomes[$1] - mean(known) }
      return within(28) + distances / Double(same.count + 4)
    }
  }

  @Test(arguments: [1, 3, 7])
  func `says what its words say, from days known a horizon before`(horizon: Int) {
    var random = SplitMix64(seed: UInt64(horizon))
    let outcomes = ContiguousArray(
      (0..<90).map { _ in
        Double.random(in: 0...1, using: &random) < 0.2 ? .nan : 10 + random.normal()
      })
    let made = NaiveForecasts(outcomes, horizon: horizon, firstDay: 18_262, isBinary: false)
    for (index, rule) in NaiveRule.allCases.enumerated() {
      #expect(made.series[index].count == 90 + horizon)
      for day in made.series[index].indices {
        let known = outcomes[..<max(0, min(90, day - horizon + 1))]
        guard known.contains(where: { !$0.isNaN }) else {
          #expect(made.series[index][day].isNaN)
          continue
        }
        let expected = forecast(rule, ArraySlice(known), day: day, horizon: horizon)
        #expect(
          abs(made.series[index][day] - expected) <= 1e-9 * abs(expected), "\(rule.name), \(day)")
      }
    }
  }

  @Test func `of a yes/no target is never sure`() {
    for outcomes in [ContiguousArray(repeating: 0.0, count: 40), .init(repeating: 1, count: 40)] {
      let made = NaiveForecasts(outcomes, horizon: 1, firstDay: 0, isBinary: true)
      for series in made.series {
        for value in series.dropFirst() { #expect(value > 0 && value < 1) }
      }
    }
  }

  @Test func `keeps its value over a gap of a year`() {
    var outcomes = ContiguousArray(repeating: Double.nan, count: 400)
    outcomes[0] = 4
    outcomes[1] = 6
    let made = NaiveForecasts(outcomes, horizon: 1, firstDay: 0, isBinary: false)
    for (index, rule) in NaiveRule.allCases.enumerated() {
      let value = made.series[index][399]
      #expect(value >= 4 && value <= 6, "\(rule.name)")
    }
  }

  @Test func `that halves its weights begins as the plain mean`() {
    let outcomes: ContiguousArray<Double> = [90, 10, 20, 30, 40]
    let made = NaiveForecasts(outcomes, horizon: 1, firstDay: 0, isBinary: false)
    let place = NaiveRule.allCases.firstIndex(of: .exponential28) ?? 0
    #expect(abs(made.series[place][4] - 37.5) <= 1.5)
    #expect(abs(made.series[place][5] - 38) <= 2)
  }
}
