internal import DayLog
internal import Personalisation
import Time

/// A made-up world in which it is known how much of tomorrow can be known.
struct SimulatedWorld: Sendable {
  let name: String
  /// The share of the target's variance that yesterday's four real metrics explain.
  var explained = 0.0
  /// How much of the rest stays from one day to the next.
  var persistence = 0.0
  /// The day on which the target moves for good by 1.5 of its standard deviations; nil for never.
  var shiftDay: Int?

  static let metricCount = 12
  static let realCount = 4
  /// Mean and standard deviation of the target.
  static let (level, spread) = (50.0, 8.0)
}

/// One person of a world: twelve independent metrics of pure noise and a target, without a gap.
struct SimulatedPerson {
  static let target = Target(Metric("outcome") ?? .mood)

  let world: SimulatedWorld
  let dayCount: Int
  private let metrics: [[Double]]
  private let outcomes: [Double]
  /// What one who knows the world would say of each day.
  let expected: [Double]

  init(_ world: SimulatedWorld, days: Int, seed: UInt64) {
    self.world = world
    dayCount = days
    var numbers = SeededNumbers(seed: seed &* 0x2545_F491_4F6C_DD1D &+ 11)
    metrics = (0..<SimulatedWorld.metricCount).map { _ in
      (0..<days).map { _ in 20 + 3 * numbers.normal() }
    }
    let share = (world.explained / Double(SimulatedWorld.realCount)).squareRoot()
    let rest = (1 - world.explained).squareRoot()
    let fresh = (1 - world.persistence * world.persistence).squareRoot()
    var noise = numbers.normal()
    var (outcomes, expected): ([Double], [Double]) = ([], [])
    for day in 0..<days {
      let carried = day == 0 ? 0 : world.persistence * noise
      let shock = (day == 0 ? 1 : fresh) * numbers.normal()
      noise = carried + shock
      var known = 0.0
      if day > 0 {
        for metric in 0..<SimulatedWorld.realCount {
          known += share * (metrics[metric][day - 1] - 20) / 3
        }
      }
      if let shiftDay = world.shiftDay, day >= shiftDay { known += 1.5 }
      outcomes.append(SimulatedWorld.level + SimulatedWorld.spread * (known + rest * noise))
      expected.append(SimulatedWorld.level + SimulatedWorld.spread * (known + rest * carried))
    }
    self.outcomes = outcomes
    self.expected = expected
  }

  /// Standard deviation of what nobody can know.
  var unknown: Double {
    ((1 - world.explained) * (1 - world.persistence * world.persistence)).squareRoot()
      * SimulatedWorld.spread
  }

  subscript(day: Int) -> Double { outcomes[day] }

  /// The log of the first `days` days.
  func log(days: Int) -> PersonalLog {
    let names = metrics.indices.compactMap { Metric("factor_\($0 < 10 ? "0" : "")\($0)") }
    var values = ContiguousArray<Double>()
    values.reserveCapacity(days * (metrics.count + 1))
    for metric in metrics { values += metric[..<days] }
    values += outcomes[..<days]
    return PersonalLog(
      DayTable(
        firstDay: CalendarDay(number: 18_262), dayCount: days,
        metrics: names + [Self.target.metric], values: values))
  }
}
