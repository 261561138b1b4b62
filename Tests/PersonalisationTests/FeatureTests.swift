import DayLog
import Foundation
import TestSupport
import Testing
import Time

@testable import Personalisation

/// A table with one metric from 2020-01-01 on; nil is missing.
func table(_ values: [Double?], metric: Metric = .mood) -> DayTable {
  DayTable(
    firstDay: CalendarDay(number: 18_262), dayCount: values.count, metrics: [metric],
    values: ContiguousArray(values.map { $0 ?? .nan }))
}

/// A table of random walks with gaps.
func randomTable(
  days: Int, metrics: [Metric], missing: Double = 0.08, firstDay: Int = 18_262,
  using random: inout SplitMix64
) -> DayTable {
  var values: ContiguousArray<Double> = []
  for _ in metrics {
    var level = Double.random(in: 10...100, using: &random)
    for _ in 0..<days {
      level += Double.random(in: -1...1, using: &random)
      let lost = Double.random(in: 0...1, using: &random) < missing
      values.append(lost ? .nan : level + .random(in: -5...5, using: &random))
    }
  }
  return DayTable(
    firstDay: CalendarDay(number: firstDay), dayCount: days, metrics: metrics, values: values)
}

let everyKind: [Feature] =
  FeatureSpec.full(.hrv, horizon: 1) + FeatureSpec.full(.steps, horizon: 1)
  + FeatureSpec.relative(.steps, horizon: 1) + FeatureSpec.weekdays + FeatureSpec.season

@Suite struct `A feature` {
  @Test func `is made again from its readable name`() throws {
    let spec = FeatureSpec(everyKind)
    #expect(try FeatureSpec(names: spec.names) == spec)
    let benchmark = FeatureSpec.benchmark([.hrv, .steps])
    #expect(try FeatureSpec(names: benchmark.names) == benchmark)
    #expect(Feature(.value, of: .hrv, age: 2).description == "hrv lag 2")
    #expect(Feature(.mean(days: 7), of: .sleepHours, age: 1).description == "sleep_hours mean 7 d")
    #expect(
      Feature(.mean(days: 7), of: .sleepHours, age: 3).description == "sleep_hours mean 7 d lag 3")
    for name in [
      "", "hrv", "hrv lag", "hrv lag -1", "hrv lag 01", "hrv mean 7", "weekday 8", "a b c",
    ] {
      #expect(Feature(name) == nil, "\(name)")
      #expect(throws: UnknownFeature(name: name)) { try FeatureSpec(names: [name]) }
    }
    #expect(throws: UnknownFeature(name: "hrv lag 1")) {
      try FeatureSpec(names: ["hrv lag 1", "hrv lag 1"])
    }
  }

  @Test func `FEA_1: lags and windows go by calendar day`() throws {
    // Values on 1, 2, 5 and 6 January.
    let log = table([1, 1, nil, nil, 1, 1])
    let spec = FeatureSpec([
      Feature(.value, of: .mood, age: 1), Feature(.mean(days: 2), of: .mood, age: 0),
      Feature(.spread(days: 2), of: .mood, age: 0),
    ])
    let days = log.firstDay..<log.endDay
    let matrix = FeatureMatrix(spec, of: log, days: days)
    #expect(matrix[4, 0].isNaN)
    #expect((0..<6).map { matrix[$0, 0].isNaN } == [true, false, false, true, true, false])
    #expect((0..<6).map { matrix[$0, 1].isNaN } == [false, false, false, true, false, false])
    // Two values stand in the window on 2 and 6 January alone.
    #expect((0..<6).map { matrix[$0, 2].isNaN } == [true, false, true, true, true, false])
  }

  @Test
  func
    `FEA_2: exponential means decay by calendar day, a rule's by the recursion, a feature's by the sum`()
    throws
  {
    // The rule: renormalised at every value, and a missing day leaves it as it was.
    let days: [(day: Int, value: Double)] = [(0, 0), (1, 1), (2, 2), (4, 4)]
    var (mean, last) = (days[0].value, 0)
    var means = [mean]
    for (day, value) in days.dropFirst() {
      mean = ExponentialMean.carried(mean, days: day - last, value: value, rate: 2.0 / 3)
      means.append(mean)
      last = day
    }
    let right = [0, 0.666667, 1.555556, 3.650794]
    for (found, right) in zip(means, right) { #expect(abs(found - right) <= 5e-7) }

    // The feature: weights by age over the values present, so that a gap neither bridges nor decays it.
    var random = SplitMix64(seed: 2)
    let values: [Double?] = (0..<900).map { day in
      (300..<665).contains(day) ? nil : 50 + random.normal()
    }
    let log = table(values)
    let (cut, uncut) = (224, 900)
    let spec = FeatureSpec([
      Feature(.exponentialMean(halfLife: 28, days: cut), of: .mood, age: 1),
      Feature(.exponentialMean(halfLife: 28, days: nil), of: .mood, age: 1),
    ])
    let matrix = FeatureMatrix(spec, of: log, days: log.firstDay..<log.endDay)
    for day in 1..<900 {
      for (column, reach) in [cut, uncut].enumerated() {
        var (sum, total) = (0.0, 0.0)
        for age in 1...min(reach, day) {
          guard let value = values[day - age] else { continue }
          sum += exp2(-Double(age) / 28) * value
          total += exp2(-Double(age) / 28)
        }
        let found = matrix[day, column]
        #expect(total > 0 ? abs(found - sum / total) <= 1e-9 : found.isNaN, "\(day)")
      }
    }
  }

  @Test func `FEA_3: for a day only the days before it count`() {
    let log = table([0, 1, 2, 3, 4])
    let spec = FeatureSpec([Feature(.mean(days: 365), of: .mood, age: 1)])
    let matrix = FeatureMatrix(spec, of: log, days: log.firstDay..<log.endDay)
    #expect(matrix[0, 0].isNaN)
    #expect((1..<5).map { matrix[$0, 0] } == [0, 0.5, 1, 1.5])
  }

  @Test(arguments: [1, 3, 7])
  func `moves with no value of the days not yet known`(horizon: Int) throws {
    var random = SplitMix64(seed: UInt64(horizon))
    let spec = FeatureSpec(
      FeatureSpec.full(.hrv, horizon: horizon) + FeatureSpec.relative(.hrv, horizon: horizon)
        + FeatureSpec.brief(.steps, horizon: horizon) + FeatureSpec.weekdays)
    #expect(spec.age == horizon)
    let log = randomTable(days: 120, metrics: [.hrv, .steps], using: &random)
    for day in stride(from: 5, to: 119, by: 3) {
      var values = log.values
      for metric in 0..<2 {
        for later in (day + 1)..<120 { values[metric * 120 + later] = 1e9 * Double(later) }
      }
      let moved = DayTable(
        firstDay: log.firstDay, dayCount: 120, metrics: log.metrics, values: values)
      let row = log.firstDay.advanced(by: day + horizon)
      let days = row..<row.advanced(by: 1)
      #expect(
        FeatureMatrix(spec, of: log, days: days) == FeatureMatrix(spec, of: moved, days: days))
    }
  }

  @Test func `agrees with its definition on random logs`() {
    var random = SplitMix64(seed: 7)
    let log = randomTable(days: 300, metrics: [.hrv, .steps], missing: 0.3, using: &random)
    let spec = FeatureSpec(everyKind)
    let days = log.firstDay.advanced(by: -5)..<log.endDay.advanced(by: 40)
    let matrix = FeatureMatrix(spec, of: log, days: days)
    for (column, feature) in spec.features.enumerated() {
      for row in stride(from: 0, to: matrix.rowCount, by: 7) {
        let expected = byDefinition(feature, days.lowerBound.advanced(by: row), log)
        let found = matrix[row, column]
        #expect(
          expected.isNaN ? found.isNaN : abs(found - expected) <= 1e-9 * max(1, abs(expected)),
          "\(feature) on row \(row): \(found) for \(expected)")
      }
    }
  }
}

/// A feature as the documentation words it, without regard to cost.
private func byDefinition(_ feature: Feature, _ day: CalendarDay, _ log: DayTable) -> Double {
  func value(_ age: Int) -> Double {
    let row = log.firstDay.distance(to: day) - age
    guard let metric = feature.metric, let column = log.column(metric), row >= 0, row < log.dayCount
    else { return .nan }
    return column[column.startIndex + row]
  }
  func window(_ days: Int, _ age: Int) -> [Double] {
    (age..<(age + days)).map(value).filter { !$0.isNaN }
  }
  func mean(_ values: [Double]) -> Double {
    values.isEmpty ? .nan : values.reduce(0, +) / Double(values.count)
  }
  func spread(_ values: [Double]) -> Double {
    guard values.count > 1 else { return .nan }
    let centre = mean(values)
    let squares = values.reduce(0) { $0 + ($1 - centre) * ($1 - centre) }
    return (squares / Double(values.count - 1)).squareRoot()
  }
  let age = feature.age
  switch feature.kind {
  case .value: return value(age)
  case .mean(let days): return mean(window(days, age))
  case .spread(let days): return spread(window(days, age))
  case .minimum(let days): return window(days, age).min() ?? .nan
  case .maximum(let days): return window(days, age).max() ?? .nan
  case .deviation(let days): return value(age) - mean(window(days, age + 1))
  case .score(let days):
    let past = window(days, age + 1)
    return (value(age) - mean(past)) / spread(past)
  case .difference: return value(age) - value(age + 1)
  case .missing: return value(age).isNaN ? 1 : 0
  case .daysSince(let limit): return Double((0..<limit).first { value(age + $0) > 0 } ?? limit)
  case .exponentialMean(let halfLife, let days):
    var (sum, total, weight) = (0.0, 0.0, 1.0)
    let decay = Double.halfLife(halfLife)
    for back in 0..<(days ?? 10_000) {
      let found = value(age + back)
      if !found.isNaN {
        sum += weight * found
        total += weight
      }
      weight *= decay
    }
    return total > 0 ? sum / total : .nan
  case .weekday(let weekday): return day.weekday == weekday ? 1 : 0
  case .annualSine, .annualCosine:
    let turn = Double(day.number) / 365.2425
    let angle = 2 * Double.pi * (turn - turn.rounded())
    return feature.kind == .annualSine ? .sine(angle) : .sine(angle + .pi / 2)
  }
}

extension Double {
  /// The daily factor of a half-life, by Newton's method for the root.
  fileprivate static func halfLife(_ days: Int) -> Double {
    var root = 1 - 0.7 / Double(days)
    for _ in 0..<60 {
      var power = 1.0
      for _ in 1..<days { power *= root }
      root -= (power * root - 0.5) / (Double(days) * power)
    }
    return root
  }

  /// The sine by its series, for angles up to five.
  fileprivate static func sine(_ angle: Double) -> Double {
    var (term, sum, k) = (angle, angle, 1.0)
    while abs(term) > 1e-18 {
      term *= -angle * angle / ((2 * k) * (2 * k + 1))
      sum += term
      k += 1
    }
    return sum
  }
}
