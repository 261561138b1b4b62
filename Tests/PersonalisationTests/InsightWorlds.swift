import DayLog
import Personalisation
import TestSupport
import Time

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Made-up people whose truth is known: an outcome and factors that are noise, and perhaps one real
/// relation, under what makes naive tests fail.
struct InsightWorld {
  /// What is laid over the noise.
  enum Nuisance: String, CaseIterable {
    /// Nothing.
    case none
    /// Every metric jumps by 1.5 standard deviations once.
    case shift
    /// Every metric drifts by three standard deviations.
    case drift
    /// Every metric's level walks at random.
    case walk
    /// All metrics share a weekend.
    case weekend
    /// A third of all values is missing.
    case missing
    /// Days in a row are missing.
    case gaps
    /// Values are the exponentials of normal ones.
    case skewed
    /// Everything is yes or no.
    case binary
    /// White noise is added to everything, so that no noise is a pure autoregression.
    case measured
    /// A rhythm of 29.5 days, at a phase of each metric's own, of the noise's own variance.
    case monthly
    /// A second-order autoregression that swings with a period of twelve days.
    case cycle
    /// A week in every two months moves all metrics by 1.5 standard deviations, each its own way.
    case holidays
    /// The outcome and the factor are two standard deviations off for good from the same day on.
    case shiftOfTwo
  }

  var nuisance = Nuisance.none
  var days = 84
  var factors = 20
  /// The share of yesterday's departure that is kept; nil draws one for each metric, 0 to 0.85.
  var autocorrelation: Double? = 0.6
  /// The correlation of the outcome with the first factor ``lag`` days before.
  var correlation = 0.0
  var lag = 1
  /// The share that the first factor keeps; nil takes that of all.
  var factorAutocorrelation: Double?

  static let outcome = Metric.mood

  /// The factor that the outcome goes with.
  static let factor = Metric.steps

  /// One person's log.
  func log(seed: UInt64) -> PersonalLog {
    var random = SplitMix64(seed: seed)
    var columns = (0...factors).map { index in
      noise(
        index == 1 ? factorAutocorrelation ?? autocorrelation : autocorrelation, &random)
    }
    if correlation > 0 {
      let rest = (1 - correlation * correlation).squareRoot()
      let own = columns[0]
      for day in lag..<days {
        columns[0][day] = correlation * columns[1][day - lag] + rest * own[day]
      }
    }
    if nuisance == .holidays {
      let effects = columns.map { _ in Bool.random(using: &random) ? 1.5 : -1.5 }
      for month in stride(from: 0, to: days - 40, by: 60) {
        let start = month + .random(in: 10..<30, using: &random)
        for index in columns.indices {
          for day in start..<(start + 7) { columns[index][day] += effects[index] }
        }
      }
    }
    if nuisance == .shiftOfTwo {
      let start = Int.random(in: 14..<(days - 14), using: &random)
      for index in 0..<2 {
        for day in start..<days { columns[index][day] += index == 0 ? 2 : -2 }
      }
    }
    for index in columns.indices { overlay(&columns[index], &random) }
    let others = (1..<factors).compactMap { Metric("factor\($0)") }
    let named = zip([Self.outcome, Self.factor] + others, columns).sorted { $0.0 < $1.0 }
    return PersonalLog(
      DayTable(
        firstDay: CalendarDay(number: 20_000 + Int(seed % 7)), dayCount: days,
        metrics: named.map(\.0), values: ContiguousArray(named.map(\.1).joined())))
  }

  private func noise(_ share: Double?, _ random: inout SplitMix64) -> [Double] {
    let share = share ?? 0.85 * .random(in: 0..<1, using: &random)
    if nuisance == .cycle {
      var values = [0.0, 0.0]
      for _ in 0..<(days + 100) {
        let (last, before) = (values[values.count - 1], values[values.count - 2])
        values.append(
          1.9 * cos(2 * .pi / 12) * last - 0.9025 * before + Self.normal(&random))
      }
      return values.suffix(days)
    }
    let fresh = (1 - share * share).squareRoot()
    var value = Self.normal(&random)
    return (0..<days).map { _ in
      defer { value = share * value + fresh * Self.normal(&random) }
      return value
    }
  }

  private func overlay(_ column: inout [Double], _ random: inout SplitMix64) {
    let sign = Bool.random(using: &random) ? 1.0 : -1.0
    switch nuisance {
    case .none, .cycle, .holidays, .shiftOfTwo: break
    case .monthly:
      let phase = Double.random(in: 0..<1, using: &random)
      for day in 0..<days {
        column[day] += 2.0.squareRoot() * cos(2 * .pi * (Double(day) / 29.5 + phase))
      }
    case .shift:
      for day in Int.random(in: 10..<(days - 10), using: &random)..<days {
        column[day] += 1.5 * sign
      }
    case .drift: for day in 0..<days { column[day] += 3 * sign * Double(day) / Double(days) }
    case .walk:
      var level = 0.0
      for day in 0..<days {
        level += 0.15 * Self.normal(&random)
        column[day] += level
      }
    case .weekend: for day in 0..<days { column[day] += [0, 0, 0, 0, 0.3, 1.2, 1.0][day % 7] }
    case .missing:
      for day in 0..<days where Double.random(in: 0..<1, using: &random) < 0.35 {
        column[day] = .nan
      }
    case .gaps:
      var away = 0
      for day in 0..<days {
        if away == 0, Double.random(in: 0..<1, using: &random) < 0.03 {
          away = .random(in: 3..<13, using: &random)
        }
        if away > 0 {
          away -= 1
          column[day] = .nan
        }
      }
    case .skewed: for day in 0..<days { column[day] = exp(column[day]) }
    case .binary: for day in 0..<days { column[day] = column[day] > 0.7 ? 1 : 0 }
    case .measured: for day in 0..<days { column[day] += 0.7 * Self.normal(&random) }
    }
  }

  private static func normal(_ random: inout SplitMix64) -> Double {
    let radius = (-2 * log1p(-Double.random(in: 0..<1, using: &random))).squareRoot()
    return radius * cos(2 * .pi * .random(in: 0..<1, using: &random))
  }
}
