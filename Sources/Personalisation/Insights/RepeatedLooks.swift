#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What a test that is looked at anew each week may claim.
///
/// The largest of the normal scores that accumulating days give, |W(t)| / √t from t₀ to t₁, exceeds *b* with
/// probability (*b* − 1/*b*) φ(*b*) log(t₁/t₀) + 4 φ(*b*) / *b*: *Sequential Analysis*, Siegmund (1985), chapter 4; the
/// problem is that of *Repeated significance tests on accumulating data*, Armitage, McPherson and Rowe, J. R. Statist.
/// Soc. A 132 (1969). Looking once a week instead of always makes it a little smaller. The first year of a log runs from
/// ``firstLook`` to 365 days. In later years the days looked at are always the last 365, which is like doubling the
/// logarithm of their number in a year, so that one bound serves for any year.
enum RepeatedLooks {
  /// The first number of days at which a pair is tested.
  static let firstLook = 28.0

  /// The probability that in a year of looks any is as unlikely as `probability`, 0 to 1, says; at least
  /// `probability`, at most 1.
  static func probability(ever probability: Double) -> Double {
    guard probability > 0 else { return probability.isNaN ? .nan : 0 }
    guard probability < 0.1 else { return 1 }
    let score = -NormalScores.quantile(probability / 2)
    let density = exp(-score * score / 2) / (2 * .pi).squareRoot()
    let ever = density * ((score - 1 / score) * log(365 / firstLook) + 4 / score)
    return min(1, max(probability, ever))
  }
}
