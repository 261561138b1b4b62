internal import DayLog
internal import Personalisation
internal import Time

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A made-up world for insights: what moves its metrics, and what of it is true.
struct InsightWorld: Sendable {
  /// What one metric's noise is like from day to day.
  enum Noise: Sendable {
    /// Keeps this share of yesterday's.
    case autoregression(Double)
    /// Keeps a share that each metric draws for itself, 0 to this.
    case mixed(Double)
    /// Swings with a period of about 12 days, as a second-order autoregression with roots of modulus 0.95 does.
    case cycle
    /// Half of it a rhythm of 29.5 days of one standard deviation, at a phase of each metric's own.
    case monthly
    /// A random walk that gains 0.3 a day, with a weekday pattern of one standard deviation.
    case walk
  }

  /// How values are written down.
  enum Scale: Sendable {
    case normal
    /// Five grades.
    case ordinal
    /// The exponential.
    case skewed
    /// Six days in ten are 0.
    case zeroHeavy
  }

  /// What moves several metrics at once without any of them moving another.
  enum SharedEvent: Sendable {
    /// A week or ten days in every two months that move every metric by 1.5 standard deviations, each its own way.
    case holidays
    /// One day from which the outcome and the factor are two standard deviations off for good.
    case shiftOfTwo
  }

  /// What is true between the outcome and the factor.
  enum Truth: Sendable {
    case nothing
    /// The outcome's correlation with the factor `lag` days before; what is left of the outcome is its own noise.
    case lagged(Double, lag: Int)
    /// The same with the mean of the factor on the seven days before.
    case week(Double)
  }

  let name: String
  var noise = Noise.autoregression(0.6)
  /// The factor's own noise; nil takes that of all.
  var factorNoise: Noise?
  var scale = Scale.normal
  /// The share of values that are missing.
  var missing = 0.0
  var event: SharedEvent?
  var truth = Truth.nothing
  var metricCount = 10

  static let outcome = Metric.mood
  static let factor = Metric.steps
}

/// One person of a world.
struct InsightPerson {
  let log: PersonalLog

  init(_ world: InsightWorld, days: Int, seed: UInt64) {
    var numbers = SeededNumbers(seed: seed &* 0x2545_F491_4F6C_DD1D &+ 29)
    var columns = (0..<world.metricCount).map { index in
      Self.noise(index == 1 ? world.factorNoise ?? world.noise : world.noise, days, &numbers)
    }
    switch world.truth {
    case .nothing: break
    case .lagged(let share, let lag):
      let rest = (1 - share * share).squareRoot()
      for day in 0..<days {
        columns[0][day] = rest * columns[0][day] + (day < lag ? 0 : share * columns[1][day - lag])
      }
    case .week(let share):
      let rest = (1 - share * share).squareRoot()
      var means = (0..<days).map { day in
        day < 7 ? 0 : columns[1][(day - 7)..<day].reduce(0, +) / 7
      }
      let spread = (means.reduce(0) { $0 + $1 * $1 } / Double(days)).squareRoot()
      for day in 0..<days {
        means[day] /= spread
        columns[0][day] = rest * columns[0][day] + share * means[day]
      }
    }
    Self.addEvents(world.event, to: &columns, &numbers)
    for index in columns.indices {
      Self.write(&columns[index], as: world.scale)
      for day in 0..<days where world.missing > 0 && numbers.uniform() < world.missing {
        columns[index][day] = .nan
      }
    }
    let others = (2..<world.metricCount).compactMap { Metric("factor\($0 < 10 ? "0" : "")\($0)") }
    let named = zip([InsightWorld.outcome, InsightWorld.factor] + others, columns)
      .sorted { $0.0 < $1.0 }
    log = PersonalLog(
      DayTable(
        firstDay: CalendarDay(number: 20_000 + Int(seed % 7)), dayCount: days,
        metrics: named.map(\.0), values: ContiguousArray(named.map(\.1).joined())))
  }

  /// Noise of one standard deviation (the walk's grows).
  private static func noise(
    _ kind: InsightWorld.Noise, _ days: Int, _ numbers: inout SeededNumbers
  ) -> [Double] {
    switch kind {
    case .autoregression(let share): return autoregression(share, days, &numbers)
    case .mixed(let largest): return autoregression(largest * numbers.uniform(), days, &numbers)
    case .cycle:
      let (first, second) = (2 * 0.95 * cos(2 * .pi / 12), -0.95 * 0.95)
      var values = [0.0, 0.0]
      for _ in 0..<(days + 100) {
        values.append(
          first * values[values.count - 1] + second * values[values.count - 2] + numbers.normal())
      }
      let kept = Array(values.suffix(days))
      let spread = (kept.reduce(0) { $0 + $1 * $1 } / Double(days)).squareRoot()
      return kept.map { $0 / spread }
    case .monthly:
      let phase = numbers.uniform()
      let own = autoregression(0.3, days, &numbers)
      return own.enumerated().map {
        0.5.squareRoot() * ($1 + 2.0.squareRoot() * cos(2 * .pi * (Double($0) / 29.5 + phase)))
      }
    case .walk:
      let pattern = (0..<7).map { _ in numbers.normal() }
      var level = 0.0
      return (0..<days).map { day in
        level += 0.3 * numbers.normal()
        return level + pattern[day % 7] + numbers.normal()
      }
    }
  }

  private static func autoregression(
    _ share: Double, _ days: Int, _ numbers: inout SeededNumbers
  ) -> [Double] {
    let fresh = (1 - share * share).squareRoot()
    var value = numbers.normal()
    return (0..<days).map { _ in
      defer { value = share * value + fresh * numbers.normal() }
      return value
    }
  }

  private static func addEvents(
    _ event: InsightWorld.SharedEvent?, to columns: inout [[Double]],
    _ numbers: inout SeededNumbers
  ) {
    guard let event else { return }
    let days = columns[0].count
    switch event {
    case .holidays:
      let effects = columns.map { _ in numbers.uniform() < 0.5 ? -1.5 : 1.5 }
      var month = 0
      while month + 40 <= days {
        let start = month + 10 + Int(20 * numbers.uniform())
        let end = min(days, start + (numbers.uniform() < 0.5 ? 7 : 10))
        for index in columns.indices {
          for day in start..<end { columns[index][day] += effects[index] }
        }
        month += 60
      }
    case .shiftOfTwo:
      let start = 14 + Int(Double(days - 28) * numbers.uniform())
      for index in 0..<2 {
        let shift = numbers.uniform() < 0.5 ? -2.0 : 2.0
        for day in start..<days { columns[index][day] += shift }
      }
    }
  }

  private static func write(_ column: inout [Double], as scale: InsightWorld.Scale) {
    switch scale {
    case .normal: break
    case .ordinal:
      for day in column.indices { column[day] = min(5, max(1, (3 + 1.2 * column[day]).rounded())) }
    case .skewed:
      for day in column.indices { column[day] = exp(column[day]) }
    case .zeroHeavy:
      for day in column.indices { column[day] = max(0, column[day] - 0.25) }
    }
  }
}
