internal import Learning

/// The forecasts that would have been shown, day by day, each from what was known then: the naive rules and
/// the regressions combined, with an interval.
struct ForecastHistory {
  /// Observed days with a combined forecast, ascending positions.
  private(set) var days: [Int] = []
  /// The combined forecast of each.
  private(set) var forecasts: [Double] = []
  /// Half the width of its interval, nil while there is none.
  private(set) var halfWidths: [Double?] = []
  /// What is known at the end.
  private(set) var aggregation: Aggregation
  private(set) var interval: AdaptiveInterval

  /// The weight that a regression begins with: there are half as many as rules, so that the two kinds
  /// begin with about the same weight.
  static let regressionPrior = 2.0

  /// - Parameters:
  ///   - forecasters: a series each, one forecast a day, NaN where it has none; those of the naive rules
  ///     come first.
  ///   - outcomes: one a day, NaN where unknown.
  ///   - horizon: an outcome is known that many days before the forecast it may serve.
  init(
    _ forecasters: [ContiguousArray<Double>], outcomes: ContiguousArray<Double>, horizon: Int,
    isBinary: Bool, nominal: Double
  ) {
    var priors = ContiguousArray(NaiveRule.allCases.prefix(forecasters.count).map(\.prior))
    while priors.count < forecasters.count { priors.append(Self.regressionPrior) }
    aggregation = Aggregation(count: forecasters.count, isBinary: isBinary, priors: priors)
    interval = AdaptiveInterval(unchecked: nominal)
    let observed = outcomes.indices.filter { !outcomes[$0].isNaN }
    var next = 0
    // The first days are too few to say anything of a rule.
    for day in observed.dropFirst(2) {
      while next < days.count, days[next] <= day - horizon {
        let past = days[next]
        aggregation.observe(outcomes[past], Self.row(forecasters, past))
        interval.observe(
          checked: abs(forecasts[next] - outcomes[past]), halfWidth: halfWidths[next])
        next += 1
      }
      let row = Self.row(forecasters, day)
      let combined = Aggregation.combined(row, aggregation.weights(row))
      guard !combined.isNaN else { continue }
      days.append(day)
      forecasts.append(combined)
      halfWidths.append(interval.halfWidth)
    }
    while next < days.count {
      let past = days[next]
      aggregation.observe(outcomes[past], Self.row(forecasters, past))
      interval.observe(checked: abs(forecasts[next] - outcomes[past]), halfWidth: halfWidths[next])
      next += 1
    }
  }

  private static func row(
    _ forecasters: [ContiguousArray<Double>], _ day: Int
  ) -> ContiguousArray<Double> {
    ContiguousArray(forecasters.map { $0[day] })
  }
}
