/// A Cholesky solution that calls no library: what remains when the library's answer fails its check.
package enum PlainCholesky {
  /// Solves AX = B in place for symmetric positive definite A (order × order, lower triangle) and B of
  /// `order` rows.
  ///
  /// - Throws: ``LinearAlgebraError/notPositiveDefinite(order:)``; B is then unchanged.
  /// - Complexity: O(order³ / 3), many times slower than a tuned library for a large order.
  package static func solve(
    order: Int, lower a: ContiguousArray<Double>, _ b: inout ContiguousArray<Double>
  ) throws(LinearAlgebraError) {
    precondition(a.count == order * order && (order == 0 || b.count % order == 0))
    var l = a
    for j in 0..<order {
      var pivot = l[j * order + j]
      for k in 0..<j { pivot -= l[k * order + j] * l[k * order + j] }
      guard pivot > 0, pivot.isFinite else { throw .notPositiveDefinite(order: j + 1) }
      let root = pivot.squareRoot()
      l[j * order + j] = root
      for i in j + 1..<max(order, j + 1) {
        var entry = l[j * order + i]
        for k in 0..<j { entry -= l[k * order + i] * l[k * order + j] }
        l[j * order + i] = entry / root
      }
    }
    for start in stride(from: 0, to: b.count, by: max(1, order)) {
      for i in 0..<order {
        for k in 0..<i { b[start + i] -= l[k * order + i] * b[start + k] }
        b[start + i] /= l[i * order + i]
      }
      for i in stride(from: order - 1, through: 0, by: -1) {
        for k in i + 1..<max(order, i + 1) { b[start + i] -= l[i * order + k] * b[start + k] }
        b[start + i] /= l[i * order + i]
      }
    }
  }
}
