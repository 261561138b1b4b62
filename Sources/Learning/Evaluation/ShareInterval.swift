/// An interval for a share of which `hits` of `count` were seen.
///
/// Stays within 0 to 1 and is of use for few and for lopsided counts, where an interval of the mean plus
/// or minus two standard errors is not.
///
/// *Probable inference, the law of succession, and statistical inference*, Wilson, Journal of the
/// American Statistical Association 22 (1927), 209–212.
public struct ShareInterval: Equatable, Sendable {
  /// The share seen; NaN of none.
  public let share: Double
  /// From 0 up, at most ``share``.
  public let lower: Double
  /// Up to 1, at least ``share``.
  public let upper: Double

  /// The interval of a count; 0 to 1 where `count` is 0.
  ///
  /// - Precondition: `hits` and `count` are in their ranges.
  /// - Parameters:
  ///   - hits: From 0 to `count`; may be a sum of weights.
  ///   - count: Of how many, from 0 up.
  ///   - z: How many normal standard errors it reaches to both sides: 1.96 covers 95 %.
  public init(hits: Double, of count: Double, standardErrors z: Double = 1.959964) {
    precondition(hits >= 0 && hits <= count, "a share that is not from 0 to 1")
    share = hits / count
    guard count > 0 else {
      (lower, upper) = (0, 1)
      return
    }
    let middle = (hits + z * z / 2) / (count + z * z)
    let half =
      z / (count + z * z) * (max(0, hits * (count - hits) / count) + z * z / 4).squareRoot()
    // Rounding must not take the share itself out.
    lower = max(0, min(share, middle - half))
    upper = min(1, max(share, middle + half))
  }
}
