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
    var state = NaiveState(isBinary: isBinary, horizon: horizon)
    let empty = ContiguousArray(repeating: Double.nan, count: outcomes.count + horizon)
    var series = NaiveRule.allCases.map { _ in empty }
    for day in empty.indices {
      if day >= horizon { state.observe(firstDay + day - horizon, outcomes[day - horizon]) }
      guard state.knowsAny else { continue }
      for (index, rule) in NaiveRule.allCases.enumerated() {
        series[index][day] = state.forecast(rule, on: firstDay + day)
      }
    }
    self.series = series
  }

  /// The forecasts of one rule.
  subscript(rule: NaiveRule) -> ContiguousArray<Double> {
    // `allCases` lists the cases in the order of the series.
    series[NaiveRule.allCases.firstIndex(of: rule) ?? 0]
  }
}
