/// Which of many tests hold when only a stated share of what is shown may be wrong.
enum FalseDiscovery {
  /// The tests that hold at this rate, in the order given.
  ///
  /// The step-up rule of Benjamini and Hochberg, with weights that say beforehand which tests matter
  /// more: *Controlling the false discovery rate*, J. R. Statist. Soc. B 57 (1995); *False discovery
  /// control with p-value weighting*, Genovese, Roeder and Wasserman, Biometrika 93 (2006).
  ///
  /// - Parameters:
  ///   - probabilities: of at least so much by chance; NaN never holds, and counts.
  ///   - weights: positive; only their proportions matter.
  static func holding(
    _ probabilities: [Double], weights: [Double], rate: Double
  ) -> [Bool] {
    let bounds = bounds(weights: weights, rate: rate)
    let ratios = zip(probabilities, bounds).map { $0 / $1 }
    let order = ratios.indices.filter { !ratios[$0].isNaN }
      .sorted { (ratios[$0], $0) < (ratios[$1], $1) }
    var count = 0
    for (place, index) in order.enumerated() where ratios[index] <= Double(place + 1) {
      count = place + 1
    }
    var holds = [Bool](repeating: false, count: ratios.count)
    for index in order.prefix(count) { holds[index] = true }
    return holds
  }

  /// The share of the rate that each test may use up by itself; together they are the rate.
  ///
  /// With *r* tests shown, an interval that misses with *r* times its test's bound misses, over all
  /// intervals shown, at the rate on average: *False discovery rate-adjusted multiple confidence
  /// intervals for selected parameters*, Benjamini and Yekutieli, JASA 100 (2005). Such an interval leaves 0 out
  /// exactly where the test holds.
  static func bounds(weights: [Double], rate: Double) -> [Double] {
    let sum = weights.reduce(0, +)
    return weights.map { rate * $0 / sum }
  }
}
