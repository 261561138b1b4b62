#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Combines forecasters as their errors come in, so that the combination is hardly worse than the best
/// of them, whichever that turns out to be.
///
/// A forecaster that has nothing to say on a day sleeps: it neither counts nor changes. For numbers the
/// rule is Bernstein online aggregation on the absolute error, with a learning rate of its own for each
/// forecaster: after *n* days the mean error exceeds that of the best of *K* by at most about
/// √(v log K / n), *v* being the mean square of the differences between the two. For
/// probabilities it is Bayesian mixing on the log loss, where the excess over all days together is at
/// most log K.
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

  /// - Parameter priors: the weight that each begins with, above 0 and in proportion; nil for all alike.
  init(count: Int, isBinary: Bool, priors: ContiguousArray<Double>? = nil) {
    self.isBinary = isBinary
    self.priors =
      priors.map { ContiguousArray($0.map { log($0) }) }
      ?? ContiguousArray(repeating: 0, count: count)
    regret = ContiguousArray(repeating: 0, count: count)
    distance = regret
    largest = regret
  }

  /// The weight of each forecaster on a day, 0 for those that sleep (NaN); together 1, or all 0 where
  /// none is awake.
  func weights(_ forecasts: ContiguousArray<Double>) -> ContiguousArray<Double> {
    var exponents = regret
    var highest = -Double.infinity
    for index in regret.indices where !forecasts[index].isNaN {
      if !isBinary {
        let rate = rate(index)
        exponents[index] = rate.isFinite ? rate * regret[index] : 0
      }
      exponents[index] += priors[index]
      highest = max(highest, exponents[index])
    }
    var sum = 0.0
    for index in exponents.indices {
      exponents[index] = forecasts[index].isNaN ? 0 : exp(exponents[index] - highest)
      sum += exponents[index]
    }
    if sum > 0 { for index in exponents.indices { exponents[index] /= sum } }
    return exponents
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
    let combined = Self.combined(forecasts, weights(forecasts))
    guard !combined.isNaN else { return }
    if isBinary {
      let loss = Scores.logLoss(combined, outcome)
      for index in regret.indices where !forecasts[index].isNaN {
        regret[index] += loss - Scores.logLoss(forecasts[index], outcome)
      }
      return
    }
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
    min(0.5 / largest[index], 1 / distance[index])
  }
}
