#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The log loss of one yes/no forecast in nats: minus the logarithm of the probability that it gave to
/// what then happened.
public enum LogLoss {
  /// The loss of a probability of yes.
  ///
  /// - Parameters:
  ///   - probability: From 0 to 1.
  ///   - outcome: 1 for yes, 0 for no.
  ///   - floor: Probabilities are taken to be at least this far from 0 and 1, below 0.5. With 0 a
  ///     forecast that was certain and wrong costs infinitely much.
  /// - Returns: From 0 up; NaN for a probability of NaN.
  public static func of(probability: Double, outcome: Double, floor: Double = 0) -> Double {
    // Written so that NaN stays NaN.
    let bounded =
      probability < floor ? floor : probability > 1 - floor ? 1 - floor : probability
    return outcome > 0.5 ? -log(bounded) : -log1p(-bounded)
  }

  /// The loss of log-odds z, log(1 + exp(−s z)) with s = ±1: finite and to full precision for any
  /// finite z, however sure.
  public static func of(logOdds z: Double, outcome: Double) -> Double {
    max(z, 0) - z * outcome + log1p(exp(-abs(z)))
  }
}
