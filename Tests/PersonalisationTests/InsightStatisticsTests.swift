import DayLog
import Learning
import TestSupport
import Testing

@testable import Personalisation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The numbers behind the insights, against SciPy and dense algebra (`Golden/insights`).
@Suite struct `The statistics of insights` {
  struct Document: Decodable {
    struct Tail: Decodable { let df, t, tail: Double }
    struct Regression: Decodable {
      let firstDay: Int
      let days: [Int]
      let factor, outcome: [Double]
      let autocorrelation, weekdaySpread: Double
      let slope, variance, rest: Double
    }
    struct Noise: Decodable { let autocorrelation, weekdaySpread: Double }
    struct Scores: Decodable { let values, scores: [Double] }
    struct Discoveries: Decodable { let p, adjusted: [Double] }
    let tails: [Tail]
    let regression: Regression
    let likeliest: Noise
    let normalScores: Scores
    let discoveries: Discoveries
  }

  static let document = Result { try Golden.read("insights/insights.json", as: Document.self) }

  @Test func `tails and quantiles of Student's t are SciPy's`() throws {
    for row in try Self.document.get().tails {
      let distribution = StudentT(degreesOfFreedom: row.df)
      let tail = distribution.twoSidedTail(row.t)
      // Near t = 0 the tail is 1 less a small number; far out some hundred roundings are in it.
      #expect(abs(tail - row.tail) <= 1e-11 * row.tail, "t \(row.t) with \(row.df)")
      guard row.t > 0.1 else { continue }
      #expect(abs(distribution.quantile(twoSidedTail: tail) - row.t) <= 1e-10 * row.t)
    }
    let distribution = StudentT(degreesOfFreedom: 5)
    #expect(distribution.twoSidedTail(.infinity) == 0 && distribution.twoSidedTail(0) == 1)
    #expect(distribution.twoSidedTail(1e300) == 0 && distribution.twoSidedTail(.nan).isNaN)
  }

  @Test func `a slope, its variance and the rest are those of the whole covariance matrix`() throws
  {
    let golden = try Self.document.get().regression
    let days = golden.days.map { golden.firstDay + $0 }
    let noise = SerialNoise(
      autocorrelation: golden.autocorrelation, weekdaySpread: golden.weekdaySpread)
    let regression = SerialRegression(days, noise, NuisanceBasis(days))
    func departure(_ column: [Double]) -> ContiguousArray<Double> {
      regression.departure(ofWhitened: regression.whitened(ContiguousArray(column)))
    }
    let (outcome, factor) = (departure(golden.outcome), departure(golden.factor))
    let square = SerialRegression.product(factor, factor)
    let slope = SerialRegression.product(factor, outcome) / square
    let rest = SerialRegression.product(outcome, outcome) - slope * slope * square
    // The matrices on the other side have condition numbers of some hundred.
    #expect(abs(slope - golden.slope) <= 1e-11)
    #expect(abs(1 / square - golden.variance) <= 1e-11)
    #expect(abs(rest - golden.rest) <= 1e-9)
    // 118 days less mean, three waves, at most six weekdays and the slope.
    #expect(regression.degreesOfFreedom > 107 && regression.degreesOfFreedom < 113)
  }

  @Test func `weekdays cost nothing where they are not believed, and six numbers where they are`() {
    let days = Array(20_000..<20_070)
    func freedom(_ spread: Double) -> Double {
      let noise = SerialNoise(autocorrelation: 0.3, weekdaySpread: spread)
      return SerialRegression(days, noise, NuisanceBasis(days)).degreesOfFreedom
    }
    // One wave in seventy days.
    #expect(freedom(0) == 70 - 1 - 2)
    #expect(abs(freedom(1e4) - (70 - 1 - 2 - 6)) < 1e-3)
  }

  @Test func `the noise is the likeliest of a grid`() throws {
    let document = try Self.document.get()
    let days = document.regression.days.map { document.regression.firstDay + $0 }
    var search = NoiseSearch(days)
    let found = search.noise(of: ContiguousArray(document.regression.outcome))
    // Both end with steps of 0.005, and the search stops beside the top at the latest.
    #expect(abs(found.autocorrelation - document.likeliest.autocorrelation) <= 0.0051)
    #expect(found.weekdaySpread == document.likeliest.weekdaySpread)
  }

  @Test func `normal scores share the rank of equal values`() throws {
    let golden = try Self.document.get().normalScores
    let scores = NormalScores.of(ContiguousArray(golden.values))
    for (found, right) in zip(scores, golden.scores) { #expect(abs(found - right) <= 1e-12) }
  }

  @Test func `the scale of tied values is their slope on the scores, whichever value comes first`()
    throws
  {
    let headache = try #require(Metric("symptom.headache"))
    // A symptom on nine of sixty days, on the first day, on the last, on both or on neither.
    for (first, last) in [(0.0, 0.0), (1, 0), (0, 1), (1, 1)] {
      var values = [Double](repeating: 0, count: 60)
      for day in 0..<(9 - Int(first + last)) { values[5 + 6 * day] = 1 }
      (values[0], values[59]) = (first, last)
      let series = MetricSeries(headache, values)
      let low = try #require(series.scores.min())
      let high = try #require(series.scores.max())
      // Two values lie on a straight line: its slope is theirs, to a few roundings of sums of sixty.
      #expect(abs(series.scale - 1 / (high - low)) <= 1e-12)
    }
    // Ratings with ties, against the sums of least squares written out.
    let ratings: [Double] = [5, 5, 4, 5, 3, 5, 5, 4, 2, 5, 5, 4]
    let series = MetricSeries(.mood, ratings)
    let mean = (ratings.reduce(0, +) / 12, series.scores.reduce(0, +) / 12)
    var sums = (product: 0.0, square: 0.0)
    for (value, score) in zip(ratings, series.scores) {
      sums.product += (value - mean.0) * (score - mean.1)
      sums.square += (score - mean.1) * (score - mean.1)
    }
    #expect(abs(series.scale - sums.product / sums.square) <= 1e-12)
  }

  @Test func `a stretch of days departs as its column does in the regression`() {
    var random = SplitMix64(seed: 20_380_000)
    let days = (0..<100).filter { $0 % 9 != 4 }.map { 20_000 + $0 }
    let outcome = ContiguousArray(days.map { _ in Double.random(in: -1...1, using: &random) })
    let regression = SerialRegression(
      days, SerialNoise(autocorrelation: 0.6, weekdaySpread: 0.5), NuisanceBasis(days))
    let departure = regression.departure(ofWhitened: regression.whitened(outcome))
    let deviation =
      (SerialRegression.product(departure, departure) / regression.degreesOfFreedom).squareRoot()
    let scan = WindowScan(days, regression, departure: departure)
    for rows in [0..<5, 20..<21, 30..<44, 70..<89] {
      let column = ContiguousArray(days.indices.map { rows.contains($0) ? 1.0 : 0 })
      let left = regression.departure(ofWhitened: regression.whitened(column))
      let square = SerialRegression.product(left, left)
      let expected =
        SerialRegression.product(left, departure) / (square.squareRoot() * deviation)
      // Sums of a hundred numbers, and differences of such sums.
      #expect(abs(scan.departure(of: rows) - expected) <= 1e-10)
    }
    #expect(scan.departure(of: 0..<days.count) == 0)
  }

  @Test func `the variance ratio is Bartlett's sum, and large where both have a rhythm`() {
    var random = SplitMix64(seed: 20_390_000)
    let days = Array(0..<120)
    func noise() -> ContiguousArray<Double> {
      ContiguousArray(days.map { _ in Double.random(in: -1...1, using: &random) })
    }
    func rhythm(_ phase: Double) -> ContiguousArray<Double> {
      ContiguousArray(days.map { cos(2 * .pi * (Double($0) / 30 + phase)) })
    }
    // Two cosines: autocovariances (n - h) cos(2π h / 30) / 2, give or take what no whole period leaves.
    let share = days.dropFirst().reduce(0.0) {
      let part = 1 - Double($1) / 120
      return $0 + 2 * pow(part * cos(2 * .pi * Double($1) / 30), 2)
    }
    let ratio = EffectiveSample.varianceRatio(days, rhythm(0), rhythm(0.2))
    #expect(abs(ratio - (1 + share)) <= 0.1 * share)
    #expect(EffectiveSample.varianceRatio(days, noise(), noise()) < 1.5)
    #expect(EffectiveSample.varianceRatio([], [], []) == 1)
  }

  @Test func `a bound for a year of looks is crossed as often as it says`() {
    var random = SplitMix64(seed: 20_400_000)
    func normal() -> Double {
      // Twelve even numbers: near enough to normal at three deviations.
      (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
    }
    let bound = 2.8
    let single = 2 * (1 - 0.997_444_87)
    var crossed = 0
    let people = 2000
    for _ in 0..<people {
      var sum = 0.0
      var ever = false
      for day in 1...365 {
        sum += normal()
        if day >= 28, (day - 28) % 7 == 0, abs(sum) / Double(day).squareRoot() > bound {
          ever = true
        }
      }
      if ever { crossed += 1 }
    }
    let said = RepeatedLooks.probability(ever: single)
    let seen = Double(crossed) / Double(people)
    // Weekly looks cross a little less often than looking always; three standard errors of 2000 people.
    let error = 3 * (said * (1 - said) / Double(people)).squareRoot()
    #expect(seen <= said + error && seen >= 0.6 * said - error)
    #expect(RepeatedLooks.probability(ever: 0) == 0 && RepeatedLooks.probability(ever: 0.5) == 1)
    #expect(RepeatedLooks.probability(ever: .nan).isNaN)
  }

  @Test func `false discoveries are held as Benjamini and Hochberg did in their paper`() throws {
    let golden = try Self.document.get().discoveries
    for rate in [0.01, 0.05, 0.10, 0.5] {
      let holds = FalseDiscovery.holding(
        golden.p, weights: golden.p.map { _ in 3 }, rate: rate)
      #expect(holds == golden.adjusted.map { $0 <= rate })
    }
    let four = FalseDiscovery.holding(golden.p, weights: golden.p.map { _ in 1 }, rate: 0.05)
    #expect(four.count { $0 } == 4)
  }

  @Test func `weights share the rate out, and a test without a probability counts`() {
    let bounds = FalseDiscovery.bounds(weights: [3, 1], rate: 0.5)
    #expect(bounds == [0.375, 0.125])
    let weighted = FalseDiscovery.holding([0.06, .nan], weights: [3, 1], rate: 0.1)
    #expect(weighted == [true, false])
    #expect(FalseDiscovery.holding([0.06, .nan], weights: [1, 1], rate: 0.1) == [false, false])
    #expect(FalseDiscovery.holding([], weights: [], rate: 0.1).isEmpty)
  }
}
