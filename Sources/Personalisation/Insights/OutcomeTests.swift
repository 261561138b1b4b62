internal import DayLog
internal import Learning

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

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
  /// Whether nothing is left without the two weeks that speak most for it.
  let restsOnFewDays: Bool
}

/// A metric at a distance from the outcome, as a regression takes it.
struct LaggedFactor {
  let series: MetricSeries
  let lag: Int
  let window: Int

  /// Its score for an outcome at position `day`; NaN where it is missing or before the first day.
  func score(for day: Int) -> Double {
    day < lag ? .nan : series.score(before: day, lag, window: window)
  }
}

/// The tests of one outcome against any factor: what they share is computed once.
struct OutcomeTests {
  let outcome: MetricSeries
  /// What moved the outcome, by day number.
  private(set) var disturbances: Disturbances
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
  /// - Parameters:
  ///   - events: stretches of day numbers that moved many metrics.
  ///   - search: one made for an earlier outcome, which serves again where the days are the same.
  init(
    _ outcome: MetricSeries, firstDay: Int, events: [Range<Int>] = [], search: inout NoiseSearch
  ) {
    self.outcome = outcome
    self.firstDay = firstDay
    let days = outcome.days.map { firstDay + $0 }
    let scores = ContiguousArray(outcome.days.map { outcome.scores[$0] })
    var disturbances = Disturbances(events: events)
    if search.days != days || search.disturbances != disturbances {
      search = NoiseSearch(days, disturbances)
    }
    var noise = search.noise(of: scores)
    // A change of level makes noise look persistent, so the noise is looked for anew after each.
    let threshold = 2 * log(Double(max(2, days.count))) + 4
    while disturbances.steps.count < Self.mostSteps {
      let regression = SerialRegression(days, noise, NuisanceBasis(days, disturbances))
      let scan = WindowScan(
        days, regression, departure: regression.departure(ofWhitened: regression.whitened(scores)))
      guard let step = scan.furthestStep(), step.departure * step.departure > threshold else {
        break
      }
      disturbances.steps.append(step.day)
      var own = NoiseSearch(days, disturbances)
      noise = own.noise(of: scores)
    }
    self.noise = noise
    self.disturbances = disturbances
  }

  /// The most changes of level that are taken out of one outcome.
  private static let mostSteps = 4

  /// The scan of the outcome for stretches on which it was off.
  mutating func scan() -> WindowScan {
    let side = side(outcome.days)
    return WindowScan(
      outcome.days.map { firstDay + $0 }, side.regression, departure: side.departure)
  }

  /// Takes out one more stretch of day numbers.
  mutating func add(_ event: Range<Int>) {
    disturbances.events.append(event)
    cache = [:]
  }

  /// The positions of the days on which the outcome and all factors are known.
  func days(_ factors: [LaggedFactor]) -> [Int] {
    var days = outcome.days
    for factor in factors { days.removeAll { factor.score(for: $0).isNaN } }
    return days
  }

  /// Tests a factor on `days`; nil where nothing is left to test once weekday and level are out.
  mutating func test(_ factor: LaggedFactor, on days: [Int]) -> Association? {
    test([factor], on: days)?.first
  }

  /// Tests each of some factors with the others taken out of both sides, on `days`; nil where that leaves nothing
  /// to test of any.
  mutating func test(_ factors: [LaggedFactor], on days: [Int]) -> [Association]? {
    let side = side(days)
    let freedom = side.regression.degreesOfFreedom - Double(factors.count - 1)
    guard freedom >= 1 else { return nil }
    var columns: [ContiguousArray<Double>] = []
    for factor in factors {
      let whitened = side.regression.whitened(ContiguousArray(days.map { factor.score(for: $0) }))
      let left = side.regression.departure(ofWhitened: whitened)
      guard
        SerialRegression.product(left, left)
          > 1e-10 * SerialRegression.product(whitened, whitened)
      else { return nil }
      columns.append(left)
    }
    var found: [Association] = []
    for index in columns.indices {
      var (left, right) = (columns[index], side.departure)
      var others: [ContiguousArray<Double>] = []
      for other in columns.indices where other != index {
        var column = columns[other]
        for known in others { Self.remove(known, from: &column) }
        others.append(column)
      }
      for other in others {
        Self.remove(other, from: &left)
        Self.remove(other, from: &right)
      }
      guard
        SerialRegression.product(left, left)
          > 1e-6 * SerialRegression.product(columns[index], columns[index]),
        let one = association(left, right, freedom: freedom, on: days)
      else { return nil }
      found.append(one)
    }
    return found
  }

  private static func remove(
    _ other: ContiguousArray<Double>, from column: inout ContiguousArray<Double>
  ) {
    let square = SerialRegression.product(other, other)
    guard square > 0 else { return }
    let share = SerialRegression.product(other, column) / square
    for row in column.indices { column[row] -= share * other[row] }
  }

  /// The regression of one departure on another.
  private func association(
    _ left: ContiguousArray<Double>, _ right: ContiguousArray<Double>, freedom: Double,
    on days: [Int]
  ) -> Association? {
    let factorSquare = SerialRegression.product(left, left)
    let square = SerialRegression.product(right, right)
    guard square > 0 else { return nil }
    let slope = SerialRegression.product(left, right) / factorSquare
    let correlation = min(1, max(-1, slope * (factorSquare / square).squareRoot()))
    var error =
      (square / factorSquare * (1 - correlation * correlation) / freedom).squareRoot()
    var freedom = freedom
    var probability = StudentT(degreesOfFreedom: freedom).twoSidedTail(slope / error)
    var restsOnFewDays = false
    // What is far from holding needs no closer look: it could only become less likely.
    if probability <= Self.closerLook {
      // The outcome as it would be were there nothing: a slope would take a rhythm that both have out of the rest.
      let ratio = EffectiveSample.varianceRatio(days, left, right)
      error *= ratio.squareRoot()
      freedom = max(1, freedom / ratio)
      let distribution = StudentT(degreesOfFreedom: freedom)
      probability = distribution.twoSidedTail(slope / error)
      let without = withoutStrongest(left, right, on: days)
      let t = without.product / without.square.squareRoot() / (error * factorSquare.squareRoot())
      let left = t > 0 ? distribution.twoSidedTail(t) : 1
      restsOnFewDays = left > Self.closerLook
      if restsOnFewDays { probability = max(probability, left) }
    }
    return Association(
      dayCount: days.count, degreesOfFreedom: freedom, slope: slope, standardError: error,
      correlation: correlation, probability: probability, restsOnFewDays: restsOnFewDays)
  }

  /// The probability up to which a test gets a closer look.
  private static let closerLook = 0.2
  /// The length, in days, of the stretch without which a finding has to stand.
  private static let fortnight = 14

  /// The sum of products, counted in the direction of the whole, and the sum of the factor's squares without the
  /// fortnight that adds most to the products.
  private func withoutStrongest(
    _ left: ContiguousArray<Double>, _ right: ContiguousArray<Double>, on days: [Int]
  ) -> (product: Double, square: Double) {
    let sign = SerialRegression.product(left, right) < 0 ? -1.0 : 1.0
    var (first, product, square) = (0, 0.0, 0.0)
    var most = (product: 0.0, square: 0.0)
    for row in days.indices {
      product += sign * left[row] * right[row]
      square += left[row] * left[row]
      while days[row] - days[first] >= Self.fortnight {
        product -= sign * left[first] * right[first]
        square -= left[first] * left[first]
        first += 1
      }
      if product > most.product { most = (product, square) }
    }
    let rest = SerialRegression.product(left, left) - most.square
    return (
      sign * SerialRegression.product(left, right) - most.product, max(rest, 1e-300)
    )
  }

  private mutating func side(_ days: [Int]) -> Side {
    if let known = cache[days] { return known }
    let numbers = days.map { firstDay + $0 }
    let regression = SerialRegression(numbers, noise, NuisanceBasis(numbers, disturbances))
    let outcomes = regression.whitened(ContiguousArray(days.map { outcome.scores[$0] }))
    let side = Side(
      regression: regression, departure: regression.departure(ofWhitened: outcomes))
    cache[days] = side
    return side
  }
}
