internal import DayLog

/// The forecast shown and the interval around it, learned day by day: the naive rules and the regressions combined.
///
/// It holds weights and past errors, and no day: what follows from one more outcome is one call of ``observe(_:_:)``.
struct ShownForecast: Sendable {
  private(set) var aggregation: Aggregation
  /// The intervals; nil for a yes/no target.
  private(set) var interval: DayInterval?

  /// The weight that a regression begins with: there are half as many as rules, so that the two kinds
  /// begin with about the same weight.
  static let regressionPrior = 2.0

  /// What is said of a day, kept until its outcome is known.
  struct Outlook: Sendable {
    /// What each forecaster says, NaN where it has nothing to say.
    let row: ContiguousArray<Double>
    let forecast: Double
    /// The outlook on its error; nil for a yes/no target.
    let errors: DayInterval.Outlook?

    /// The interval around the forecast; nil where there is none.
    var interval: ClosedRange<Double>? { errors?.interval }
  }

  /// Forecasters whose errors are not known yet.
  ///
  /// - Parameter regressions: how many there are beside the naive rules.
  init(_ target: Target, regressions: Int, nominal: Double) {
    let priors = ContiguousArray(
      NaiveRule.allCases.map(\.prior)
        + Array(repeating: Self.regressionPrior, count: regressions))
    aggregation = Aggregation(count: priors.count, isBinary: target.isBinary, priors: priors)
    interval = target.isBinary ? nil : DayInterval(of: target.metric, nominal: nominal)
  }

  /// What is said of a day; nil where no forecaster has anything to say.
  func outlook(_ row: ContiguousArray<Double>, weekday: Int) -> Outlook? {
    let forecast = Aggregation.combined(row, aggregation.weights(row))
    guard !forecast.isNaN else { return nil }
    return Outlook(
      row: row, forecast: forecast, errors: interval?.outlook(forecast, weekday: weekday))
  }

  /// Takes in the outcome of a day.
  mutating func observe(_ outcome: Double, _ outlook: Outlook) {
    aggregation.observe(outcome, outlook.row)
    if let errors = outlook.errors { interval?.observe(outcome, errors) }
  }

  /// Takes in an outcome that nothing was said of.
  mutating func observe(unforeseen outcome: Double) { interval?.observe(value: outcome) }
}

/// The forecasts that would have been shown, day by day, each from what was known then.
struct ForecastHistory {
  /// Observed days with a combined forecast, ascending positions.
  private(set) var days: [Int] = []
  /// The combined forecast of each.
  private(set) var forecasts: [Double] = []
  /// The interval around it, nil while there is none.
  private(set) var intervals: [ClosedRange<Double>?] = []
  /// What is known at the end.
  private(set) var shown: ShownForecast

  /// - Parameters:
  ///   - forecasters: a series each, one forecast a day, NaN where it has none; those of the naive rules
  ///     come first.
  ///   - outcomes: one a day, NaN where unknown.
  ///   - horizon: an outcome is known that many days before the forecast it may serve.
  ///   - firstDay: the number of the first day, for its weekday.
  init(
    _ target: Target, _ forecasters: [ContiguousArray<Double>], outcomes: ContiguousArray<Double>,
    horizon: Int, firstDay: Int, nominal: Double
  ) {
    shown = ShownForecast(
      target, regressions: forecasters.count - NaiveRule.allCases.count, nominal: nominal)
    // What was said of days whose outcome was not known yet: at most `horizon` of them.
    var open: [(day: Int, outlook: ShownForecast.Outlook?)] = []
    let observed = outcomes.indices.filter { !outcomes[$0].isNaN }
    for (place, day) in observed.enumerated() {
      while let first = open.first, first.day <= day - horizon {
        close(first, outcomes[first.day])
        open.removeFirst()
      }
      // The first days are too few to say anything of a rule.
      let row = ContiguousArray(forecasters.map { $0[day] })
      let weekday = ((firstDay + day) % 7 + 7) % 7
      let outlook = place < 2 ? nil : shown.outlook(row, weekday: weekday)
      open.append((day, outlook))
      guard let outlook else { continue }
      days.append(day)
      forecasts.append(outlook.forecast)
      intervals.append(outlook.interval)
    }
    for last in open { close(last, outcomes[last.day]) }
  }

  private mutating func close(
    _ said: (day: Int, outlook: ShownForecast.Outlook?), _ outcome: Double
  ) {
    if let outlook = said.outlook {
      shown.observe(outcome, outlook)
    } else {
      shown.observe(unforeseen: outcome)
    }
  }
}
