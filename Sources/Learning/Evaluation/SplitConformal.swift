/// The half-width of prediction intervals that cover what is asked for, whatever the errors' distribution
/// is, as long as the next error is exchangeable with those given.
///
/// It is the ⌈(n + 1)(1 − α)⌉-th smallest of n absolute errors of forecasts that did not know their
/// outcomes; the next outcome lies within it with a probability from 1 − α to 1 − α + 1 / (n + 1), the
/// upper bound where errors do not tie. Where errors drift take ``AdaptiveInterval``, or weights that fade
/// with age.
///
/// *Distribution-free predictive inference for regression*, Lei, G'Sell, Rinaldo, Tibshirani and
/// Wasserman, Journal of the American Statistical Association 113 (2018), 1094–1111. Weights:
/// *Conformal prediction beyond exchangeability*, Barber, Candès, Ramdas and Tibshirani, Annals of
/// Statistics 51 (2023), 816–845.
public struct SplitConformal: Equatable, Sendable {
  /// The share of outcomes to cover, 1 − α.
  public let nominal: Double
  /// How many errors of positive weight it was made from.
  public let errorCount: Int
  /// Half the width of an interval, in the unit of the errors; nil where they are too few for the share,
  /// see ``leastErrors(coverage:)``.
  public let halfWidth: Double?

  /// The half-width that these errors ask for.
  ///
  /// - Parameters:
  ///   - errors: Sizes of past errors, from 0 up, finite; there may be none.
  ///   - nominal: The share of outcomes to cover, between 0 and 1.
  ///   - weights: One per error, from 0 up; the next error counts 1. Nil is 1 for all.
  /// - Throws: ``LearningError/invalidSetting(_:)`` for a coverage that is not between 0 and 1;
  ///   ``LearningError/nonFiniteForecast(row:)`` for an error that is negative, NaN or infinite;
  ///   ``LearningError/invalidWeight(row:)``, ``LearningError/lengthMismatch(expected:actual:)``.
  /// - Complexity: O(*n* log *n*).
  public init(
    absoluteErrors errors: ContiguousArray<Double>, coverage nominal: Double,
    weights: ContiguousArray<Double>? = nil
  ) throws(LearningError) {
    guard nominal > 0, nominal < 1 else { throw .invalidSetting("coverage") }
    for (row, error) in errors.enumerated() where !(error >= 0 && error.isFinite) {
      throw .nonFiniteForecast(row: row)
    }
    if let weights { try CheckedInput.check(weights: weights, count: errors.count) }
    self.nominal = nominal
    let order = errors.indices.filter { (weights?[$0] ?? 1) > 0 }
      .sorted { errors[$0] < errors[$1] }
    errorCount = order.count
    let total = order.reduce(1) { $0 + (weights?[$1] ?? 1) }
    // Rounding must not ask for one error more where (n + 1)(1 − α) is a whole number.
    let wanted = nominal * total * (1 - 4 * .ulpOfOne)
    var (sum, found) = (0.0, Double?.none)
    for row in order where found == nil {
      sum += weights?[row] ?? 1
      if sum >= wanted { found = errors[row] }
    }
    halfWidth = found
  }

  /// The half-width that errors without weights ask for; nil where they are too few.
  static func halfWidth(_ errors: SortedErrors, coverage: Double) -> Double? {
    let count = errors.values.count
    let rank = (coverage * Double(count + 1) * (1 - 4 * .ulpOfOne)).rounded(.up)
    return rank <= Double(count) ? errors.values[Int(rank) - 1] : nil
  }

  /// The fewest errors that give an interval of this coverage: 9 for 90 %, 19 for 95 %.
  public static func leastErrors(coverage: Double) -> Int {
    precondition(coverage > 0 && coverage < 1, "a coverage that is not between 0 and 1")
    return Int((coverage / (1 - coverage) * (1 - 4 * .ulpOfOne)).rounded(.up))
  }
}
