#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The logistic function, without overflow or cancellation for any score.
package enum LogisticFunction {
  /// 1 / (1 + exp(−score)).
  package static func probability(_ score: Double) -> Double {
    // Only a number below 1 is ever raised, so nothing overflows on either side.
    let power = exp(-abs(score))
    return (score >= 0 ? 1 : power) / (1 + power)
  }

  /// The score of a probability.
  static func logOdds(_ probability: Double) -> Double { log(probability / (1 - probability)) }

  /// The natural logarithm.
  static func logarithm(_ x: Double) -> Double { log(x) }

  /// How often a factor must be taken to make up a product, log product / log factor.
  static func ratio(ofLogs product: Double, _ factor: Double) -> Double {
    log(product) / log(factor)
  }

  /// exp(x) for x from −708 to 0, to 3 units in the last place.
  ///
  /// Written so that the compiler turns a loop over it into vector instructions, and with no call into
  /// the C library: the same bits on every system. x = k ln 2 + r with |r| ≤ ln 2 / 2, a polynomial in
  /// r, and k added to the exponent.
  @inline(__always)
  static func power(_ x: Double) -> Double {
    // Adding it rounds to an integer, which is then in the last bits.
    let rounder = 0x1.8p52
    let rounded = x * 0x1.71547652b82fep0 + rounder
    let k = rounded - rounder
    // ln 2 in two parts, the first with so few bits that its product with k is exact.
    let r = (x - k * 0x1.62e42feep-1) - k * 0x1.a39ef35793c76p-33
    let r2 = r * r
    let r4 = r2 * r2
    // The Taylor series to the twelfth power, in pairs that do not wait for each other.
    let low = (1 + r) + r2 * (1.0 / 2 + r * (1.0 / 6))
    let middle = (1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720 + r * (1.0 / 5040))
    let high =
      (1.0 / 40_320 + r * (1.0 / 362_880)) + r2 * (1.0 / 3_628_800 + r * (1.0 / 39_916_800))
    let sum = low + r4 * (middle + r4 * (high + r4 * (1.0 / 479_001_600)))
    return Double(bitPattern: sum.bitPattern &+ (rounded.bitPattern << 52))
  }

  /// weight · (probability − label), the derivative of a row's loss by its score, for `count` rows from
  /// `start` on.
  static func residuals(
    _ scores: Span<Double>, _ labels: Span<Double>, _ weights: Span<Double>,
    into residuals: inout MutableSpan<Double>, rows: Range<Int>
  ) {
    precondition(rows.lowerBound >= 0 && rows.upperBound <= scores.count)
    precondition(rows.upperBound <= labels.count && rows.upperBound <= weights.count)
    precondition(rows.upperBound <= residuals.count)
    for i in rows {
      let power = power(max(-abs(scores[i]), -708))
      let probability = (scores[i] >= 0 ? 1 : power) / (1 + power)
      residuals[i] = weights[i] * (probability - labels[i])
    }
  }

  /// probability · (1 − probability).
  static func variance(_ score: Double) -> Double {
    let power = exp(-abs(score))
    return power / ((1 + power) * (1 + power))
  }

  /// √(weight · probability · (1 − probability) · factor), by which a row enters the second derivative.
  static func roots(
    _ scores: Span<Double>, _ weights: Span<Double>, times factor: Double, rows: Range<Int>,
    into roots: inout MutableSpan<Double>
  ) {
    precondition(rows.lowerBound >= 0 && rows.upperBound <= scores.count)
    precondition(rows.upperBound <= weights.count && rows.count <= roots.count)
    for i in 0..<rows.count {
      let row = rows.lowerBound + i
      let power = power(max(-abs(scores[row]), -708))
      roots[i] = (weights[row] * factor * power).squareRoot() / (1 + power)
    }
  }
}
