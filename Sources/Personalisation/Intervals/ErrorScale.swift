internal import Learning

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// How large the error of a forecast is likely to be, by the weekday and by the forecast itself.
///
/// The mean absolute error of the last months is taken as it is, times a factor of the forecast's level, times one
/// of the weekday, or times both. Which of the four holds of this person is weighed by how likely each makes the
/// errors that came, as if they followed a Laplace distribution of that scale: a Bayesian mixture whose memory fades.
struct ErrorScale: Equatable, Sendable {
  /// The four scales of a day's error in the target's unit, and their blend.
  struct Expected: Equatable, Sendable {
    let base: Double
    let level: Double
    let weekday: Double
    /// The geometric mean of the four by their weights.
    let blend: Double

    var candidates: [Double] { [base, base * level, base * weekday, base * level * weekday] }
  }

  /// After this many errors one counts half.
  private static let halfLife = 120.0
  private static let decay = exp2(-1 / halfLife)
  /// What a candidate's likelihood keeps from one day to the next.
  private static let memory = 0.99
  /// As if so many errors showed no slope, and so many a weekday no difference.
  private static let levelPrior = 15.0
  private static let weekdayPrior = 3.0
  /// No level is taken to make errors smaller or larger than by these factors, and no error counts for more than
  /// ``largestShare`` usual ones of its weekday.
  private static let levels = 0.25...4.0
  private static let largestShare = 6.0

  private var recent = 0.0
  private var recentCount = 0.0
  private var count = 0.0
  private var meanForecast = 0.0
  private var meanError = 0.0
  private var squares = 0.0
  private var products = 0.0
  private var weekdays = ContiguousArray(repeating: Double.zero, count: 7)
  private var weekdayCounts = ContiguousArray(repeating: Double.zero, count: 7)
  /// The log likelihood of the candidates: plain, level, weekday, both. The plain one begins ahead.
  private var likelihoods = ContiguousArray([0.5, 0, 0, -0.5])

  /// The error to expect; nil while fewer than two are known, or all of them were 0.
  ///
  /// - Parameter weekday: 0 to 6, from any day on.
  func expected(_ forecast: Double, weekday: Int) -> Expected? {
    guard count >= 2, meanError > 0, meanError.isFinite else { return nil }
    let base = max(recent / recentCount, 1e-3 * meanError)
    let slope = products / squares * (count / (count + Self.levelPrior))
    let raw = 1 + slope * (forecast - meanForecast) / meanError
    let level = raw.isFinite ? min(max(raw, Self.levels.lowerBound), Self.levels.upperBound) : 1
    func factor(_ weekday: Int) -> Double {
      (weekdays[weekday] + Self.weekdayPrior) / (weekdayCounts[weekday] + Self.weekdayPrior)
    }
    let day = factor(weekday) / ((0..<7).reduce(0) { $0 + factor($1) } / 7)
    let weights = self.weights
    let blend =
      base * pow(level, weights[1] + weights[3]) * pow(day, weights[2] + weights[3])
    return Expected(base: base, level: level, weekday: day, blend: blend)
  }

  /// Takes in the error of a forecast.
  ///
  /// - Parameter expected: what was expected of it; nil where nothing was.
  mutating func observe(
    _ error: Double, of forecast: Double, weekday: Int, expected: Expected?
  ) {
    let error = abs(error)
    if let expected {
      let weights = self.weights
      let level = weights[1] + weights[3] > 0.5 ? expected.level : 1
      weekdays[weekday] += min(error / (expected.base * level), Self.largestShare)
      weekdayCounts[weekday] += 1
      for (index, scale) in expected.candidates.enumerated() {
        likelihoods[index] = Self.memory * likelihoods[index] - log(scale) - error / scale
      }
      let best = likelihoods.max() ?? 0
      for index in likelihoods.indices { likelihoods[index] -= best }
    }
    recent = Self.decay * recent + error
    recentCount = Self.decay * recentCount + 1
    count += 1
    let step = forecast - meanForecast
    meanForecast += step / count
    squares += step * (forecast - meanForecast)
    meanError += (error - meanError) / count
    products += step * (error - meanError)
  }

  private var weights: ContiguousArray<Double> {
    var weights = ContiguousArray(likelihoods.map { exp($0) })
    let sum = weights.reduce(0, +)
    for index in weights.indices { weights[index] /= sum }
    return weights
  }
}

extension ErrorScale {
  func write(to writer: inout BlobWriter) {
    for number in [recent, recentCount, count, meanForecast, meanError, squares, products] {
      writer.write(number)
    }
    for numbers in [weekdays, weekdayCounts, likelihoods] { writer.write(numbers) }
  }

  init(from reader: inout BlobReader) throws(BlobError) {
    recent = try reader.readDouble()
    recentCount = try reader.readDouble()
    count = try reader.readDouble()
    meanForecast = try reader.readDouble()
    meanError = try reader.readDouble()
    squares = try reader.readDouble()
    products = try reader.readDouble()
    weekdays = try reader.readDoubles(count: 7)
    weekdayCounts = try reader.readDoubles(count: 7)
    likelihoods = try reader.readDoubles(count: 4)
  }
}
