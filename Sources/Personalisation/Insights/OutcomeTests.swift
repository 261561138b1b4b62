internal import DayLog
internal import Learning

/// What a test found of one pair, in scores.
struct Association {
  let dayCount: Int
  let degreesOfFreedom: Double
  /// How much the outcome's score differs for 1 of the factor's.
  let slope: Double
  let standardError: Double
  let correlation: Double
  /// The probability of a slope at least as far from 0 were there none.
  let probability: Double
}

/// The tests of one outcome against any factor: what they share is computed once.
struct OutcomeTests {
  let outcome: MetricSeries
  private let firstDay: Int
  private let noise: SerialNoise
  private var cache: [[Int]: Side] = [:]

  /// A regression and what it leaves of the outcome.
  private struct Side {
    let regression: SerialRegression
    let departure: ContiguousArray<Double>
  }

  /// Prepares the tests of an outcome whose position 0 is the day numbered `firstDay`.
  ///
  /// - Parameter search: one made for an earlier outcome, which serves again where the days are the same.
  init(_ outcome: MetricSeries, firstDay: Int, search: inout NoiseSearch) {
    self.outcome = outcome
    self.firstDay = firstDay
    let days = outcome.days.map { firstDay + $0 }
    if search.days != days { search = NoiseSearch(days) }
    noise = search.noise(of: ContiguousArray(outcome.days.map { outcome.scores[$0] }))
  }

  /// The positions of the days on which the outcome is known and the factor `lag` days before.
  func days(_ factor: MetricSeries, lag: Int) -> [Int] {
    outcome.days.filter { $0 >= lag && !factor.scores[$0 - lag].isNaN }
  }

  /// Tests the factor `lag` days before the outcome, on `days`; nil where nothing is left to test once weekday
  /// and level are out.
  mutating func test(_ factor: MetricSeries, lag: Int, on days: [Int]) -> Association? {
    let side = side(days)
    let freedom = side.regression.degreesOfFreedom
    guard freedom >= 1 else { return nil }
    let whitened = side.regression.whitened(ContiguousArray(days.map { factor.scores[$0 - lag] }))
    let left = side.regression.departure(ofWhitened: whitened)
    let factorSquare = SerialRegression.product(left, left)
    let square = SerialRegression.product(side.departure, side.departure)
    guard factorSquare > 1e-10 * SerialRegression.product(whitened, whitened), square > 0 else {
      return nil
    }
    let product = SerialRegression.product(left, side.departure)
    let slope = product / factorSquare
    let correlation = min(1, max(-1, product / (factorSquare * square).squareRoot()))
    let error =
      (square / factorSquare * (1 - correlation * correlation) / freedom).squareRoot()
    return Association(
      dayCount: days.count, degreesOfFreedom: freedom, slope: slope, standardError: error,
      correlation: correlation,
      probability: StudentT(degreesOfFreedom: freedom).twoSidedTail(slope / error))
  }

  private mutating func side(_ days: [Int]) -> Side {
    if let known = cache[days] { return known }
    let numbers = days.map { firstDay + $0 }
    let regression = SerialRegression(numbers, noise, NuisanceBasis(numbers))
    let outcomes = regression.whitened(ContiguousArray(days.map { outcome.scores[$0] }))
    let side = Side(
      regression: regression, departure: regression.departure(ofWhitened: outcomes))
    cache[days] = side
    return side
  }
}
