internal import DayLog

/// What a test found of one pair.
struct Association {
  let dayCount: Int
  let degreesOfFreedom: Int
  /// How much the outcome differs for 1 of the factor, both in their series' units.
  let slope: Double
  let standardError: Double
  let correlation: Double
  /// The larger of the probabilities of the values and of the ranks; 1 where the two disagree about the direction.
  let probability: Double
}

/// The tests of one outcome against any factor: what they share is computed once.
struct OutcomeTests {
  let outcome: MetricSeries
  private let firstDay: Int
  private let share: Double
  private let rankShare: Double
  private var cache: [[Int]: (values: Side, ranks: Side)] = [:]

  /// A regression and what it leaves of the outcome.
  private struct Side {
    let regression: SerialRegression
    let departure: ContiguousArray<Double>
  }

  /// Prepares the tests of an outcome whose position 0 is the day numbered `firstDay`.
  init(_ outcome: MetricSeries, firstDay: Int) {
    self.outcome = outcome
    self.firstDay = firstDay
    let days = outcome.days.map { firstDay + $0 }
    let nuisance = NuisanceBasis.columns(days)
    func share(_ values: ContiguousArray<Double>) -> Double {
      SerialRegression.autocorrelation(
        of: ContiguousArray(outcome.days.map { values[$0] }), days, nuisance: nuisance)
    }
    self.share = share(outcome.values)
    rankShare = share(outcome.scores)
  }

  /// The positions of the days on which the outcome is known and the factor `lag` days before.
  func days(_ factor: MetricSeries, lag: Int) -> [Int] {
    outcome.days.filter { $0 >= lag && !factor.values[$0 - lag].isNaN }
  }

  /// Tests the factor `lag` days before the outcome, on `days`; nil where nothing is left to test once weekday
  /// and level are out.
  mutating func test(_ factor: MetricSeries, lag: Int, on days: [Int]) -> Association? {
    let (values, ranks) = sides(days)
    func column(_ series: ContiguousArray<Double>) -> ContiguousArray<Double> {
      ContiguousArray(days.map { series[$0 - lag] })
    }
    guard let plain = Self.slope(values, column(factor.values)),
      let ranked = Self.slope(ranks, column(factor.scores))
    else { return nil }
    let agrees = plain.slope * ranked.slope > 0
    return Association(
      dayCount: days.count, degreesOfFreedom: values.regression.degreesOfFreedom,
      slope: plain.slope, standardError: plain.error, correlation: plain.correlation,
      probability: agrees ? max(plain.probability, ranked.probability) : 1)
  }

  private mutating func sides(_ days: [Int]) -> (values: Side, ranks: Side) {
    if let known = cache[days] { return known }
    let numbers = days.map { firstDay + $0 }
    let nuisance = NuisanceBasis.columns(numbers)
    func side(_ series: ContiguousArray<Double>, _ share: Double) -> Side {
      let regression = SerialRegression(numbers, autocorrelation: share, nuisance: nuisance)
      return Side(
        regression: regression,
        departure: regression.departure(ContiguousArray(days.map { series[$0] })))
    }
    let made = (values: side(outcome.values, share), ranks: side(outcome.scores, rankShare))
    cache[days] = made
    return made
  }

  private static func slope(
    _ side: Side, _ column: ContiguousArray<Double>
  ) -> (slope: Double, error: Double, correlation: Double, probability: Double)? {
    let freedom = side.regression.degreesOfFreedom
    guard freedom > 0 else { return nil }
    let whitened = side.regression.whitened(column)
    let left = side.regression.departure(column)
    let ownSquare = SerialRegression.product(left, left)
    let square = SerialRegression.product(side.departure, side.departure)
    guard ownSquare > 1e-10 * SerialRegression.product(whitened, whitened), square > 0 else {
      return nil
    }
    let product = SerialRegression.product(left, side.departure)
    let slope = product / ownSquare
    let correlation = min(1, max(-1, product / (ownSquare * square).squareRoot()))
    let error = (square / ownSquare * (1 - correlation * correlation) / Double(freedom))
      .squareRoot()
    let probability = StudentT(degreesOfFreedom: Double(freedom)).twoSidedTail(slope / error)
    return (slope, error, correlation, probability)
  }
}
