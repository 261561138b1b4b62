#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Combines forecasters as their errors come in, so that the combination is hardly worse than the best
/// of them, whichever that turns out to be.
///
/// A forecaster that has nothing to say on a day sleeps: it neither counts nor changes. For numbers the
/// weights are the mean of two sets, so that the error is at most the mean of what either would make:
///
/// - Bernstein online aggregation on the absolute error, with a learning rate of its own for each
///   forecaster: after *n* days the mean error exceeds that of the best of *K* by at most about
///   √(v log K / n), *v* being the mean square of the differences between the two. It finds the best
///   blend, and takes its time.
/// - ``RecentLead``: who was best in the last months, which a few weeks can tell.
///
/// For probabilities it is mixing on the log loss with fading memory and half the rate of Bayes, who takes one
/// forecaster to be the truth: the excess over any of them, faded likewise, never exceeds 2 log K.
///
/// *Optimal learning with Bernstein online aggregation*, Wintenberger, Machine Learning 106 (2017);
/// sleeping: *Using and combining predictors that specialize*, Freund, Schapire, Singer and Warmuth
/// (1997).
struct Aggregation: Sendable {
  let isBinary: Bool
  /// The logarithm of the weight that each begins with, up to a constant.
  private let priors: ContiguousArray<Double>
  private var regret: ContiguousArray<Double>
  /// The root of the summed squares of a forecaster's distances from the combination.
  private var distance: ContiguousArray<Double>
  private var largest: ContiguousArray<Double>
  private var lead: RecentLead

  /// - Parameter priors: the weight that each begins with, above 0 and in proportion; nil for all alike.
  init(count: Int, isBinary: Bool, priors: ContiguousArray<Double>? = nil) {
    self.isBinary = isBinary
    self.priors =
      priors.map { ContiguousArray($0.map { log($0) }) }
      ?? ContiguousArray(repeating: 0, count: count)
    regret = ContiguousArray(repeating: 0, count: count)
    distance = regret
    largest = regret
    lead = RecentLead(priors: self.priors)
  }

  /// The weight of each forecaster on a day, 0 for those that sleep (NaN); together 1, or all 0 where
  /// none is awake.
  func weights(_ forecasts: ContiguousArray<Double>) -> ContiguousArray<Double> {
    var weights = blend(forecasts)
    if !isBinary {
      let recent = lead.weights(forecasts)
      for index in weights.indices { weights[index] = (weights[index] + recent[index]) / 2 }
    }
    return weights
  }

  /// The weights of Bernstein aggregation, or of mixing probabilities.
  private func blend(_ forecasts: ContiguousArray<Double>) -> ContiguousArray<Double> {
    var exponents = regret
    for index in regret.indices {
      let rate = rate(index)
      exponents[index] = priors[index] + (rate.isFinite ? rate * regret[index] : 0)
    }
    return Self.softmax(exponents, awake: forecasts)
  }

  /// Weights in proportion to the exponentials, 0 for those that sleep (NaN).
  static func softmax(
    _ exponents: ContiguousArray<Double>, awake forecasts: ContiguousArray<Double>
  ) -> ContiguousArray<Double> {
    var weights = exponents
    var highest = -Double.infinity
    for index in weights.indices where !forecasts[index].isNaN {
      highest = max(highest, weights[index])
    }
    var sum = 0.0
    for index in weights.indices {
      weights[index] = forecasts[index].isNaN ? 0 : exp(weights[index] - highest)
      sum += weights[index]
    }
    if sum > 0 { for index in weights.indices { weights[index] /= sum } }
    return weights
  }

  /// The combination; NaN where all sleep.
  static func combined(
    _ forecasts: ContiguousArray<Double>, _ weights: ContiguousArray<Double>
  ) -> Double {
    var (sum, any) = (0.0, false)
    for index in weights.indices where !forecasts[index].isNaN {
      sum += weights[index] * forecasts[index]
      any = true
    }
    return any ? sum : .nan
  }

  /// Takes in the outcome of a day that was forecast so.
  mutating func observe(_ outcome: Double, _ forecasts: ContiguousArray<Double>) {
    let combined = Self.combined(forecasts, blend(forecasts))
    guard !combined.isNaN else { return }
    if isBinary {
      let loss = Scores.logLoss(combined, outcome)
      for index in regret.indices where !forecasts[index].isNaN {
        regret[index] =
          RecentLead.memory * regret[index] + loss - Scores.logLoss(forecasts[index], outcome)
      }
      return
    }
    lead.observe(outcome, forecasts)
    let slope: Double = combined > outcome ? 1 : combined < outcome ? -1 : 0
    for index in regret.indices where !forecasts[index].isNaN {
      let gain = slope * (combined - forecasts[index])
      let rate = rate(index)
      regret[index] += gain - (rate.isFinite ? rate * gain * gain : 0)
      distance[index] = hypot(distance[index], gain)
      largest[index] = max(largest[index], abs(gain))
    }
  }

  /// The learning rate of a forecaster, from how far it was from the combination so far: the bound asks for
  /// log K under the root; a rate that does not grow with the number of forecasters proved better, as
  /// most of them are near copies.
  private func rate(_ index: Int) -> Double {
    isBinary ? 0.5 : min(0.5 / largest[index], 1 / distance[index])
  }
}
