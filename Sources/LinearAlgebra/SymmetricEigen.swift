/// The eigendecomposition of a symmetric matrix, A = V diag(values) Vᵀ.
public struct SymmetricEigen: Sendable {
  /// The order of A.
  public let order: Int
  /// The eigenvalues in ascending order; those of a semidefinite matrix may be negative by rounding.
  public private(set) var values: ContiguousArray<Double>
  /// The eigenvectors, orthonormal, one per column in the order of ``values``.
  public private(set) var vectors: Matrix

  /// Decomposes a symmetric matrix, of which only the lower triangle is read.
  ///
  /// - Throws: ``LinearAlgebraError/lengthMismatch(expected:actual:)`` where it is not square,
  ///   ``LinearAlgebraError/notConverged`` where it holds NaN or infinity.
  /// - Complexity: O(order³), with 3 order² doubles of workspace.
  /// - Note: Divide and conquer, `dsyevd` of LAPACK.
  public init(_ matrix: Matrix) throws(LinearAlgebraError) {
    order = matrix.rowCount
    guard matrix.columnCount == order else {
      throw .lengthMismatch(expected: order, actual: matrix.columnCount)
    }
    var largest = 0.0
    for j in 0..<order {
      for i in j..<order {
        guard matrix.storage[j * order + i].isFinite else { throw .notConverged }
        largest = max(largest, abs(matrix.storage[j * order + i]))
      }
    }
    vectors = matrix
    values = ContiguousArray(repeating: 0, count: order)
    // Norms of entries near the ends of a double's range would leave it.
    let unit =
      largest > 0x1p500 || largest > 0 && largest < 0x1p-500
      ? Double(sign: .plus, exponent: largest.exponent, significand: 1) : 1
    if unit != 1 { for i in vectors.storage.indices { vectors.storage[i] /= unit } }
    try LAPACK.syevd(order: order, &vectors.storage, values: &values)
    if unit != 1 { for i in values.indices { values[i] *= unit } }
  }
}
