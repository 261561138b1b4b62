#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Least squares on the days of one outcome, whose noise keeps a share of yesterday's.
///
/// Values of days *d* apart have correlation φᵈ (a first-order autoregression seen on some days alone), so each
/// row less φᵈ times the row before it, divided by √(1 − φ²ᵈ), has independent noise: no day is lost to
/// a gap. Mean, weekdays and level (``NuisanceBasis``) are taken out of both sides.
///
/// *Application of least squares regression to relationships containing auto-correlated error terms*,
/// Cochrane and Orcutt, JASA 44 (1949); gaps as in *Maximum likelihood fitting of ARMA models to time series with
/// missing observations*, Jones, Technometrics 22 (1980).
struct SerialRegression {
  /// The rows' days.
  let days: [Int]
  /// How many numbers mean, weekdays and level have taken.
  private(set) var nuisanceCount = 0
  /// What is left to judge a slope by.
  var degreesOfFreedom: Int { days.count - nuisanceCount - 1 }

  private var kept: ContiguousArray<Double> = []
  private var scale: ContiguousArray<Double> = []
  private var basis: ContiguousArray<Double> = []
  /// The logarithm of the determinant of the whitened nuisance columns' Gram matrix.
  private var logDeterminant = 0.0

  /// Prepares for outcomes on `days` with this autocorrelation from one day to the next.
  ///
  /// - Complexity: O(*n k*²) for *n* days and *k* nuisance columns.
  init(_ days: [Int], autocorrelation: Double, nuisance: [ContiguousArray<Double>]) {
    self.days = days
    kept = ContiguousArray(repeating: 0, count: days.count)
    scale = ContiguousArray(repeating: 1, count: days.count)
    for row in days.indices.dropFirst() {
      let share = pow(autocorrelation, Double(days[row] - days[row - 1]))
      kept[row] = share
      scale[row] = 1 / (1 - share * share).squareRoot()
    }
    for column in nuisance { absorb(column) }
  }

  /// Makes a nuisance column part of the orthonormal basis, unless the columns before it span it.
  private mutating func absorb(_ column: ContiguousArray<Double>) {
    var column = whitened(column)
    let before = Self.product(column, column)
    // Twice: what rounding leaves after the first pass the second takes out.
    for _ in 0..<2 { project(&column) }
    let after = Self.product(column, column)
    guard after > 1e-12 * before else { return }
    logDeterminant += log(after)
    let factor = 1 / after.squareRoot()
    for row in column.indices { column[row] *= factor }
    basis.append(contentsOf: column)
    nuisanceCount += 1
  }

  /// Takes the autocorrelation out of a column.
  func whitened(_ column: ContiguousArray<Double>) -> ContiguousArray<Double> {
    var result = column
    let (source, kept, scale) = (column.span, kept.span, scale.span)
    var target = result.mutableSpan
    for row in source.indices.dropFirst() {
      target[row] = (source[row] - kept[row] * source[row - 1]) * scale[row]
    }
    return result
  }

  /// Takes what the basis says out of a whitened column.
  private func project(_ column: inout ContiguousArray<Double>) {
    let (count, basis) = (days.count, basis.span)
    var column = column.mutableSpan
    var start = 0
    for _ in 0..<nuisanceCount {
      var product = 0.0
      for row in 0..<count { product += basis[start + row] * column[row] }
      for row in 0..<count { column[row] -= product * basis[start + row] }
      start += count
    }
  }

  /// What autocorrelation, mean, weekdays and level leave of a column.
  func departure(_ column: ContiguousArray<Double>) -> ContiguousArray<Double> {
    var column = whitened(column)
    project(&column)
    return column
  }

  static func product(
    _ left: ContiguousArray<Double>, _ right: ContiguousArray<Double>
  ) -> Double {
    let (left, right) = (left.span, right.span)
    var sum = 0.0
    for row in left.indices { sum += left[row] * right[row] }
    return sum
  }
}

extension SerialRegression {
  /// The autocorrelation from one day to the next that makes an outcome most likely, with mean, weekdays and
  /// level taken out (restricted maximum likelihood, which counts what they took), -0.4 to 0.96.
  ///
  /// - Complexity: some 25 times that of ``init(_:autocorrelation:nuisance:)``.
  static func autocorrelation(
    of outcome: ContiguousArray<Double>, _ days: [Int], nuisance: [ContiguousArray<Double>]
  ) -> Double {
    func likelihood(_ share: Double) -> Double {
      let regression = SerialRegression(days, autocorrelation: share, nuisance: nuisance)
      let left = regression.departure(outcome)
      let square = product(left, left)
      guard square > 0 else { return -.infinity }
      let spread = regression.scale.reduce(0) { $0 + log($1) }
      return spread - 0.5 * Double(days.count - regression.nuisanceCount) * log(square)
        - 0.5 * regression.logDeterminant
    }
    var (best, height) = (0.0, -Double.infinity)
    for step in -5...12 {
      let share = 0.08 * Double(step)
      let value = likelihood(share)
      if value > height { (best, height) = (share, value) }
    }
    var width = 0.04
    while width > 0.004 {
      for share in [best - width, best + width] where abs(share) < 0.97 {
        let value = likelihood(share)
        if value > height { (best, height) = (share, value) }
      }
      width /= 2
    }
    return best
  }
}
