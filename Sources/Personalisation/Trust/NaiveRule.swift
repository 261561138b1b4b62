/// A forecast that needs no model: what one has to beat.
public enum NaiveRule: Hashable, Sendable, CaseIterable {
  /// The person's own mean so far.
  case mean
  /// The last known value.
  case yesterday
  /// The last known value of the same weekday.
  case weekday
  /// The mean of the last 7 days.
  case mean7
  /// The mean of the last 28 days.
  case mean28
  /// Exponential means with half-lives of 3, 7 and 28 days.
  case exponential3, exponential7, exponential28
  /// The mean of the last 28 days, moved by what is the person's own on that weekday: the mean distance of
  /// its values from the own mean, as if four more lay on it.
  case weekdayLevel

  /// The rules that scores are compared with.
  public static let baselines: [NaiveRule] = [.mean, .yesterday, .weekday, .mean7, .mean28]

  /// The weight that the combination begins with, relative to the others: the last value of the same
  /// weekday is as noisy as yesterday's and seven times as old.
  var prior: Double { self == .weekday ? 0.25 : 1 }

  /// The name in tables and JSON.
  public var name: String {
    switch self {
    case .mean: "mean"
    case .yesterday: "yesterday"
    case .weekday: "weekday"
    case .mean7: "mean7"
    case .mean28: "mean28"
    case .exponential3: "half-life 3 d"
    case .exponential7: "half-life 7 d"
    case .exponential28: "half-life 28 d"
    case .weekdayLevel: "weekday level"
    }
  }
}

/// The forecasts of every naive rule for every day, each from the days known `horizon` days before.
struct NaiveForecasts {
  /// A series a rule, in the order of `NaiveRule.allCases`: one forecast a day, NaN before the first
  /// known outcome.
  let series: [ContiguousArray<Double>]

  /// - Parameters:
  ///   - outcomes: one a day, NaN where unknown; 0 and 1 where binary.
  ///   - horizon: days ahead; forecasts reach that many days beyond the outcomes.
  ///   - firstDay: the number of the first day, for its weekday.
  ///   - isBinary: the forecasts are then probabilities, drawn towards the person's own rate by two
  ///     made-up days, so that none is ever 0 or 1.
  init(_ outcomes: ContiguousArray<Double>, horizon: Int, firstDay: Int, isBinary: Bool) {
    var state = State(isBinary: isBinary)
    let empty = ContiguousArray(repeating: Double.nan, count: outcomes.count + horizon)
    var series = NaiveRule.allCases.map { _ in empty }
    for day in empty.indices {
      let known = day - horizon
      if known >= 0 {
        state.pass(known, outcomes[known], weekday: ((firstDay + known) % 7 + 7) % 7)
      }
      guard state.count > 0 else { continue }
      let weekday = ((firstDay + day) % 7 + 7) % 7
      for (index, rule) in NaiveRule.allCases.enumerated() {
        series[index][day] = state.forecast(rule, outcomes, known: known, weekday: weekday)
      }
    }
    self.series = series
  }

  /// What has been seen so far.
  private struct State {
    let isBinary: Bool
    var count = 0.0
    var sum = 0.0
    var last = 0.0
    var lastDay = 0
    var after: [(count: Double, sum: Double)] = [(0, 0), (0, 0)]
    var weekdays = ContiguousArray(repeating: (last: Double.nan, count: 0.0, sum: 0.0), count: 7)
    /// Begin as plain means: else the first value would outweigh the later ones for a half-life.
    var exponential: [Double] = []
    static let rates = [3, 7, 28].map { 1 - ExponentialMean.decay(halfLife: $0) }

    init(isBinary: Bool) { self.isBinary = isBinary }

    mutating func pass(_ day: Int, _ value: Double, weekday: Int) {
      guard !value.isNaN else { return }
      if count > 0 {
        for index in exponential.indices {
          exponential[index] = ExponentialMean.carried(
            exponential[index], days: day - lastDay, value: value,
            rate: max(Self.rates[index], 1 / (count + 1)))
        }
        let group = last > 0 ? 1 : 0
        after[group].count += 1
        after[group].sum += value
      } else {
        exponential = [value, value, value]
      }
      count += 1
      sum += value
      last = value
      lastDay = day
      weekdays[weekday].last = value
      weekdays[weekday].count += 1
      weekdays[weekday].sum += value
    }

    func forecast(
      _ rule: NaiveRule, _ outcomes: ContiguousArray<Double>, known: Int, weekday: Int
    ) -> Double {
      let mean = isBinary ? (sum + 0.5) / (count + 1) : sum / count
      func drawn(_ sum: Double, _ count: Double) -> Double {
        isBinary ? (sum + 2 * mean) / (count + 2) : count > 0 ? sum / count : mean
      }
      func trailing(_ days: Int) -> Double {
        var (sum, count) = (0.0, 0.0)
        for value in outcomes[max(0, known - days + 1)...known] where !value.isNaN {
          sum += value
          count += 1
        }
        return drawn(sum, count)
      }
      func carried(_ index: Int) -> Double {
        isBinary ? 0.9 * exponential[index] + 0.1 * mean : exponential[index]
      }
      switch rule {
      case .mean: return mean
      case .yesterday:
        let group = after[last > 0 ? 1 : 0]
        return isBinary ? drawn(group.sum, group.count) : last
      case .weekday:
        let same = weekdays[weekday]
        return isBinary ? drawn(same.sum, same.count) : same.last.isNaN ? mean : same.last
      case .mean7: return trailing(7)
      case .mean28: return trailing(28)
      case .exponential3: return carried(0)
      case .exponential7: return carried(1)
      case .exponential28: return carried(2)
      case .weekdayLevel:
        let same = weekdays[weekday]
        if isBinary { return (same.sum + 4 * mean) / (same.count + 4) }
        return trailing(28) + (same.sum - same.count * mean) / (same.count + 4)
      }
    }
  }
}
