/// By how much the variance of a product of two series exceeds what independent days would give.
///
/// Where neither series moves the other, the variance of the sum of their products is the sum over all distances of
/// the products of their autocovariances: *Some aspects of the time-correlation problem in regard to tests of significance*,
/// Bartlett, J. R. Statist. Soc. 98 (1935). Dividing the number of days by the ratio gives the effective sample size
/// that a t test takes (*The "effective" number of independent observations in an autocorrelated time series*, Bayley
/// and Hammersley, Suppl. J. R. Statist. Soc. 8, 1946; *Modifying the t test for assessing the correlation between two
/// spatial processes*, Dutilleul, Biometrics 49, 1993). Both series have been rid of a first-order autoregression
/// before, so that only what this leaves (a rhythm, a cycle, a walk) has to be estimated; every distance counts, as a
/// rhythm has no last one.
enum EffectiveSample {
  /// The ratio, 1 or above. Of independent days the estimate is 1 give or take √(4 / 3*n*), so that much is
  /// taken off it for luck.
  ///
  /// - Parameters:
  ///   - days: the day of each row, ascending; days between them count as 0.
  ///   - left: one series, a value a row; further values are not looked at.
  ///   - right: the other.
  /// - Complexity: O(*n*²) for *n* days from the first to the last.
  static func varianceRatio(
    _ days: [Int], _ left: ContiguousArray<Double>, _ right: ContiguousArray<Double>
  ) -> Double {
    guard let first = days.first, let last = days.last else { return 1 }
    let count = last - first + 1
    var series = (
      ContiguousArray(repeating: 0.0, count: count), ContiguousArray(repeating: 0.0, count: count)
    )
    for (row, day) in days.enumerated() {
      series.0[day - first] = left[row]
      series.1[day - first] = right[row]
    }
    let (one, other) = (series.0.span, series.1.span)
    var sum = 0.0
    var own = 0.0
    for distance in 0..<count {
      var (first, second) = (0.0, 0.0)
      for day in 0..<(count - distance) {
        first += one[day] * one[day + distance]
        second += other[day] * other[day + distance]
      }
      if distance == 0 { own = first * second } else { sum += first * second }
    }
    guard own > 0 else { return 1 }
    let luck = (4 / (3 * Double(days.count))).squareRoot()
    return max(1, 1 + 2 * sum / own - luck)
  }
}
