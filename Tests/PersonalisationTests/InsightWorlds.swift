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
  }

  var nuisance = Nuisance.none
  var days = 84
  var factors = 20
  /// The share of yesterday's departure that is kept; nil draws one for each metric, 0 to 0.85.
  var autocorrelation: Double? = 0.6
  /// The correlation of the outcome with the first factor a day before.
  var correlation = 0.0

  static let outcome = Metric.mood

  /// The factor that the outcome goes with.
  static let factor = Metric.steps

  /// One person's log.
  func log(seed: UInt64) -> PersonalLog {
    var random = SplitMix64(seed: seed)
    var columns = (0...factors).map { _ in
      noise(autocorrelation ?? 0.85 * .random(in: 0..<1, using: &random), &random)
    }
    if correlation > 0 {
      let rest = (1 - correlation * correlation).squareRoot()
      let own = columns[0]
      for day in 1..<days {
        columns[0][day] = correlation * columns[1][day - 1] + rest * own[day]
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

  private func noise(_ share: Double, _ random: inout SplitMix64) -> [Double] {
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
    case .none: break
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
