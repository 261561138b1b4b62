/// A number as the unevaluated sum of two doubles, the second below half a unit in the last place of the
/// first: 106 bits.
///
/// - Note: *A floating-point technique for extending the available precision*, Dekker, Numerische
///   Mathematik 18 (1971), 224–242.
struct DoubleDouble: Equatable, Sendable {
  /// The number rounded to a double.
  let high: Double
  /// What the rounding left.
  let low: Double

  init(_ value: Double) { (high, low) = (value, 0) }

  /// The sum of two doubles of which the first is the larger, or which are normalised already.
  init(high: Double, low: Double) {
    self.high = high + low
    self.low = low - (self.high - high)
  }

  /// a + b, exactly.
  init(sum a: Double, _ b: Double) {
    let sum = a + b
    let part = sum - a
    high = sum
    low = (a - (sum - part)) + (b - part)
  }

  /// a · b, exactly unless it leaves the range of a double.
  init(product a: Double, _ b: Double) {
    high = a * b
    low = (-high).addingProduct(a, b)
  }

  static func + (a: DoubleDouble, b: DoubleDouble) -> DoubleDouble {
    let sum = DoubleDouble(sum: a.high, b.high)
    return DoubleDouble(high: sum.high, low: sum.low + (a.low + b.low))
  }

  static func - (a: DoubleDouble, b: DoubleDouble) -> DoubleDouble { a + -b }

  static prefix func - (a: DoubleDouble) -> DoubleDouble {
    DoubleDouble(high: -a.high, low: -a.low)
  }

  static func * (a: DoubleDouble, b: DoubleDouble) -> DoubleDouble {
    let product = DoubleDouble(product: a.high, b.high)
    return DoubleDouble(
      high: product.high, low: product.low + (a.high * b.low + a.low * b.high))
  }

  /// The product with a power of two, which is exact.
  func scaled(by power: Double) -> DoubleDouble {
    DoubleDouble(high: high * power, low: low * power)
  }

  /// The root of a number from 0 up.
  static func root(_ a: Double) -> DoubleDouble {
    let root = a.squareRoot()
    guard root > 0 else { return DoubleDouble(root) }
    // One Newton step on what the square leaves.
    return DoubleDouble(high: root, low: a.addingProduct(-root, root) / (2 * root))
  }
}
