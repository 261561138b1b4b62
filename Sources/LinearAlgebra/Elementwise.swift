/// Loops over parts of arrays for which BLAS has no call. Each entry of the output comes from the entries
/// beside it alone, so that the result does not depend on how the loop is compiled.
package enum Elementwise {
  package typealias Numbers = ContiguousArray<Double>

  /// z ← x
  package static func copy(
    _ count: Int, _ x: Numbers, xAt: Int = 0, to z: inout Numbers, zAt: Int = 0
  ) {
    BLAS.update(count, x, xAt: xAt, x, yAt: xAt, &z, zAt: zAt) { x, _, _ in x }
  }

  /// z ← z + factor · x
  package static func add(
    _ count: Int, _ factor: Double, _ x: Numbers, xAt: Int = 0, to z: inout Numbers, zAt: Int = 0
  ) {
    BLAS.update(count, x, xAt: xAt, x, yAt: xAt, &z, zAt: zAt) { x, _, z in z + factor * x }
  }

  /// z ← x + factor · y
  package static func combine(
    _ count: Int, _ x: Numbers, xAt: Int = 0, _ factor: Double, _ y: Numbers, yAt: Int = 0,
    into z: inout Numbers, zAt: Int = 0
  ) {
    BLAS.update(count, x, xAt: xAt, y, yAt: yAt, &z, zAt: zAt) { x, y, _ in x + factor * y }
  }

  /// z ← x · (factor · y)
  package static func multiply(
    _ count: Int, _ x: Numbers, xAt: Int = 0, _ factor: Double, _ y: Numbers, yAt: Int = 0,
    into z: inout Numbers, zAt: Int = 0
  ) {
    BLAS.update(count, x, xAt: xAt, y, yAt: yAt, &z, zAt: zAt) { x, y, _ in x * (factor * y) }
  }

  /// z ← (x − y) · factor
  package static func centre(
    _ count: Int, _ x: Numbers, xAt: Int = 0, at y: Numbers, times factor: Double,
    into z: inout Numbers, zAt: Int = 0
  ) {
    BLAS.update(count, x, xAt: xAt, y, &z, zAt: zAt) { x, y, _ in (x - y) * factor }
  }

  /// z ← z / (x − y), infinite where that denominator is `least` or below.
  package static func divide(
    _ count: Int, _ z: inout Numbers, by x: Numbers, minus y: Numbers, yAt: Int, least: Double
  ) {
    BLAS.update(count, x, y, yAt: yAt, &z) { x, y, z in
      x - y > least ? z / (x - y) : .infinity
    }
  }
}
