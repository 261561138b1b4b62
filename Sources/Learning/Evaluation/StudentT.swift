#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Student's t distribution with any positive number of degrees of freedom.
package struct StudentT {
  /// Degrees of freedom, above 0, not necessarily whole.
  let degreesOfFreedom: Double

  /// The distribution with this many.
  package init(degreesOfFreedom: Double) { self.degreesOfFreedom = degreesOfFreedom }

  /// The probability of a value at least as far from 0 as `t`, on either side.
  ///
  /// Relative error below 1e-12 down to the smallest normal number.
  package func twoSidedTail(_ t: Double) -> Double {
    guard t.isFinite else { return t.isNaN ? .nan : 0 }
    let half = degreesOfFreedom / 2
    let square = t * t
    guard square.isFinite else { return 0 }
    return Self.incompleteBeta(
      degreesOfFreedom / (degreesOfFreedom + square), square / (degreesOfFreedom + square), half,
      0.5)
  }

  /// The distance from 0 that a value exceeds, on either side, with this probability (0 to 1, neither
  /// included).
  package func quantile(twoSidedTail probability: Double) -> Double {
    var (low, high) = (0.0, 1.0)
    while twoSidedTail(high) > probability, high < 0x1p500 { (low, high) = (high, 2 * high) }
    // Bisection to the last bit: at most some 60 steps, and no derivative to go wrong in the far tail.
    while true {
      let middle = low + (high - low) / 2
      guard middle > low, middle < high else { return middle }
      if twoSidedTail(middle) > probability { low = middle } else { high = middle }
    }
  }

  /// The regularised incomplete beta function I_x(a, b), with `y` = 1 − x given to keep its digits.
  ///
  /// The continued fraction DLMF 8.17.22, evaluated by Lentz's method.
  private static func incompleteBeta(_ x: Double, _ y: Double, _ a: Double, _ b: Double) -> Double {
    guard x > 0 else { return 0 }
    guard y > 0 else { return 1 }
    let front = exp(
      logGamma(a + b) - logGamma(a) - logGamma(b) + a * log(x) + b * log(y))
    // The fraction converges fast on one side of the mean; the other side follows by symmetry.
    if x < (a + 1) / (a + b + 2) { return front * fraction(x, a, b) / a }
    return 1 - front * fraction(y, b, a) / b
  }

  private static func fraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
    let tiny = 1e-300
    var c = 1.0
    var d = 1 - (a + b) * x / (a + 1)
    d = 1 / (abs(d) < tiny ? tiny : d)
    var value = d
    for step in 1...500 {
      let m = Double(step)
      for numerator in [
        m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
        -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
      ] {
        d = 1 + numerator * d
        d = 1 / (abs(d) < tiny ? tiny : d)
        c = 1 + numerator / c
        if abs(c) < tiny { c = tiny }
        value *= d * c
      }
      if abs(d * c - 1) < 1e-15 { break }
    }
    return value
  }

  private static func logGamma(_ x: Double) -> Double {
    // lgamma writes a global sign on some platforms; for x > 0 a series of our own is as exact.
    var x = x
    var shift = 1.0
    while x < 10 {
      shift *= x
      x += 1
    }
    let r = 1 / (x * x)
    let series =
      (1.0 / 12 - r * (1.0 / 360 - r * (1.0 / 1260 - r * (1.0 / 1680 - r * (1.0 / 1188)))))
      / x
    return (x - 0.5) * log(x) - x + 0.918_938_533_204_672_7 + series - log(shift)
  }
}
