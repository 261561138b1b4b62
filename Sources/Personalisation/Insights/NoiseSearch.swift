/// Finds the noise that makes outcomes on the same days most likely: restricted maximum likelihood on a grid.
///
/// What does not depend on the outcome is computed once, so that further outcomes on these days cost little.
struct NoiseSearch {
  /// The days that the outcomes are of, ascending.
  let days: [Int]
  let disturbances: Disturbances
  private let nuisance: NuisanceBasis
  private var regressions: [SerialNoise: SerialRegression] = [:]

  /// A search on these days.
  init(_ days: [Int], _ disturbances: Disturbances = Disturbances()) {
    self.days = days
    self.disturbances = disturbances
    nuisance = NuisanceBasis(days, disturbances)
  }

  /// The likeliest noise of an outcome with a value for every day: autocorrelation from -0.4 to 0.965 to the nearest
  /// 0.005, weekdays from none to all there is.
  ///
  /// - Complexity: some 35 regressions the first time, O(*n k*) for each of them after that.
  mutating func noise(of outcome: ContiguousArray<Double>) -> SerialNoise {
    var best = (share: 0, spread: 0.3)
    var height = -Double.infinity
    // Shares are counted in steps of 0.005, so that the same share is always the same number.
    for step in -5...12 { climb(16 * step, best.spread, outcome, &best, &height) }
    for spread in [0, 0.1, 0.2, 0.6, 1.2, 2.4, 10] {
      climb(best.share, spread, outcome, &best, &height)
    }
    var width = 8
    while width > 0 {
      let middle = best
      for share in [middle.share - width, middle.share + width] where share < 194 {
        climb(share, middle.spread, outcome, &best, &height)
      }
      width /= 2
    }
    return Self.noise(best.share, best.spread)
  }

  private mutating func climb(
    _ share: Int, _ spread: Double, _ outcome: ContiguousArray<Double>,
    _ best: inout (share: Int, spread: Double), _ height: inout Double
  ) {
    let value = regression(Self.noise(share, spread)).likelihood(outcome)
    if value > height { (best, height) = ((share, spread), value) }
  }

  private static func noise(_ share: Int, _ spread: Double) -> SerialNoise {
    SerialNoise(autocorrelation: Double(share) / 200, weekdaySpread: spread)
  }

  /// The regression on these days with this noise.
  mutating func regression(_ noise: SerialNoise) -> SerialRegression {
    if let known = regressions[noise] { return known }
    let made = SerialRegression(days, noise, nuisance)
    regressions[noise] = made
    return made
  }
}
