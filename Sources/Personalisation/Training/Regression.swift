internal import Learning

/// What the regressions behind the forecasts share.
enum Regression {
  /// The penalties that are tried, small to large.
  static func penalties(isBinary: Bool) -> [Double] {
    isBinary ? [3, 10, 30, 100, 300, 1000] : [1, 10, 30, 100, 300, 1000, 3000, 10_000]
  }

  /// The probability of a linear score.
  static func probability(_ score: Double) -> Double { LogisticFunction.probability(score) }
}
