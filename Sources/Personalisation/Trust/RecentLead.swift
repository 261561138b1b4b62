/// Weights by who made the smaller errors of late: exponential weights on absolute errors that fade.
///
/// Where ``Aggregation``'s other half looks for the best blend, this one backs single forecasters, and
/// a few weeks of errors move it: what a short log needs, and one whose best forecaster changes.
struct RecentLead: Sendable {
  /// What is left of a day's errors after the next: half of it is gone after ten weeks.
  static let memory = 0.99
  /// The weight of a lead of one ordinary error, as an exponent.
  static let rate = 0.5

  private let priors: ContiguousArray<Double>
  /// How much smaller a forecaster's errors were than those of this combination, added up and fading.
  private var lead: ContiguousArray<Double>
  /// The errors of this combination, added up and fading, and their count.
  private var error = 0.0
  private var count = 0.0

  /// - Parameter priors: the logarithm of the weight that each begins with, up to a constant.
  init(priors: ContiguousArray<Double>) {
    self.priors = priors
    lead = ContiguousArray(repeating: 0, count: priors.count)
  }

  /// The weight of each forecaster on a day, 0 for those that sleep (NaN).
  func weights(_ forecasts: ContiguousArray<Double>) -> ContiguousArray<Double> {
    let ordinary = error / count
    var exponents = priors
    if ordinary > 0, ordinary.isFinite {
      for index in exponents.indices {
        exponents[index] += Self.rate * (lead[index] / ordinary)
      }
    }
    return Aggregation.softmax(exponents, awake: forecasts)
  }

  /// Takes in the outcome of a day that was forecast so.
  mutating func observe(_ outcome: Double, _ forecasts: ContiguousArray<Double>) {
    let own = abs(Aggregation.combined(forecasts, weights(forecasts)) - outcome)
    guard own.isFinite else { return }
    for index in lead.indices where !forecasts[index].isNaN {
      lead[index] = Self.memory * lead[index] + own - abs(forecasts[index] - outcome)
    }
    error = Self.memory * error + own
    count = Self.memory * count + 1
  }
}
