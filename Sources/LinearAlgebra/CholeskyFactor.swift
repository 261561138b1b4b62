/// The Cholesky factor of a symmetric positive definite matrix, A = LLᵀ.
///
/// Holds its own scratch, so that solving in place and updating allocate nothing.
public struct CholeskyFactor: Sendable {
  /// The order of A.
  public let order: Int
  /// L in the lower triangle of order × order; what lies above it does not count.
  package private(set) var lower: ContiguousArray<Double>
  private var scratch: ContiguousArray<Double>
  private var cosines: ContiguousArray<Double>
  private var sines: ContiguousArray<Double>

  /// Factors a symmetric matrix, of which only the lower triangle is read.
  ///
  /// - Throws: ``LinearAlgebraError/lengthMismatch(expected:actual:)`` where it is not square,
  ///   ``LinearAlgebraError/notPositiveDefinite(order:)`` where it is not positive definite to
  ///   working precision.
  /// - Complexity: O(order³ / 3).
  public init(_ matrix: Matrix) throws(LinearAlgebraError) {
    guard matrix.rowCount == matrix.columnCount else {
      throw .lengthMismatch(expected: matrix.rowCount, actual: matrix.columnCount)
    }
    try self.init(order: matrix.rowCount, lower: matrix.storage)
  }

  /// Factors the matrix whose lower triangle lies in `lower`, order × order.
  package init(
    order: Int, lower: consuming ContiguousArray<Double>
  ) throws(LinearAlgebraError) {
    precondition(lower.count == order * order)
    self.order = order
    self.lower = lower
    try LAPACK.potrf(order: order, &self.lower, lead: max(1, order))
    // dpotrf stops at a pivot that is not positive, but a NaN can slip by in some kernels.
    for k in 0..<order where !(self.lower[k * order + k] > 0 && self.lower[k * order + k].isFinite)
    {
      throw .notPositiveDefinite(order: k + 1)
    }
    scratch = ContiguousArray(repeating: 0, count: order)
    cosines = scratch
    sines = scratch
  }

  /// A factor of the identity, to be replaced by ``remake(from:)``.
  package init(identityOfOrder order: Int) {
    self.order = order
    lower = ContiguousArray(repeating: 0, count: order * order)
    for k in 0..<order { lower[k * order + k] = 1 }
    scratch = ContiguousArray(repeating: 0, count: order)
    cosines = scratch
    sines = scratch
  }

  /// Makes this the factor of another matrix of the same order, given by its lower triangle, without
  /// allocating.
  ///
  /// - Returns: The least share of a diagonal entry that the columns before it left for its pivot: how
  ///   much rounding of that share the factor has survived. 0 where the matrix is not positive definite;
  ///   the factor must then be remade before it is used.
  package mutating func remake(from matrix: ContiguousArray<Double>) -> Double {
    precondition(matrix.count == order * order)
    for j in 0..<order {
      for i in j * order + j..<(j + 1) * order { lower[i] = matrix[i] }
    }
    do { try LAPACK.potrf(order: order, &lower, lead: max(1, order)) } catch { return 0 }
    var least = 1.0
    for k in 0..<order {
      let pivot = lower[k * order + k]
      let share = pivot * pivot / matrix[k * order + k]
      guard pivot > 0, share.isFinite else { return 0 }
      least = min(least, share)
    }
    return least
  }

  /// Brings everything into memory of its own, so that nothing is left to be copied when it changes.
  package mutating func makeUnique() {
    lower.reserveCapacity(lower.count)
    scratch.reserveCapacity(scratch.count)
    cosines.reserveCapacity(cosines.count)
    sines.reserveCapacity(sines.count)
  }

  /// Takes L from the lower triangle of a square of the same order, without allocating.
  package mutating func copy(fromLower other: ContiguousArray<Double>) {
    precondition(other.count == lower.count)
    for i in lower.indices { lower[i] = other[i] }
  }

  /// The solution of Ax = b.
  ///
  /// - Complexity: O(order²).
  public func solve(_ right: ContiguousArray<Double>) -> ContiguousArray<Double> {
    var x = right
    solve(inPlace: &x)
    return x
  }

  /// Replaces b by the solution of Ax = b, without allocating.
  public func solve(inPlace right: inout ContiguousArray<Double>) {
    precondition(right.count == order, "\(right.count) entries for order \(order)")
    for transposed in [false, true] {
      BLAS.trsv(transposed: transposed, order: order, lower, lLead: max(1, order), &right)
    }
  }

  /// Replaces B, `columnCount` columns of `order` entries, by the solution of AX = B.
  package func solve(inPlace right: inout ContiguousArray<Double>, columnCount: Int) {
    guard columnCount != 1 else { return solve(inPlace: &right) }
    for transposed in [false, true] {
      BLAS.trsm(
        transposed: transposed, rowCount: order, columnCount: columnCount, lower,
        lLead: max(1, order), &right, bLead: max(1, order))
    }
  }

  /// The solution of AX = B, column by column.
  public func solve(_ right: Matrix) -> Matrix {
    precondition(right.rowCount == order, "\(right.rowCount) rows for order \(order)")
    var x = right
    solve(inPlace: &x.storage, columnCount: x.columnCount)
    return x
  }

  /// Makes this the factor of A + vvᵀ.
  ///
  /// - Complexity: O(order²), without allocating.
  /// - Note: Givens rotations: *Methods for modifying matrix factorizations*, Gill, Golub, Murray
  ///   and Saunders, Math. Comp. 28 (1974), 505–535.
  public mutating func update(adding vector: ContiguousArray<Double>) {
    precondition(vector.count == order, "\(vector.count) entries for order \(order)")
    for i in 0..<order { scratch[i] = vector[i] }
    BLAS.rotateIn(order: order, extra: 0, &lower, lLead: max(1, order), using: &scratch)
  }

  /// Makes this the factor of A − vvᵀ.
  ///
  /// - Parameter remainder: The least 1 − vᵀA⁻¹v that is accepted, the factor by which the
  ///   determinant shrinks: rounding errors grow by its inverse.
  /// - Throws: ``LinearAlgebraError/losesPivot(order:)`` where less remains; the factor is then
  ///   unchanged.
  /// - Complexity: O(order²), without allocating.
  /// - Note: The same paper as ``update(adding:)``, method C2 in the form of LINPACK's `dchdd`.
  public mutating func downdate(
    removing vector: ContiguousArray<Double>, remainder: Double = 0x1p-40
  ) throws(LinearAlgebraError) {
    precondition(vector.count == order, "\(vector.count) entries for order \(order)")
    for i in 0..<order { scratch[i] = vector[i] }
    BLAS.trsv(transposed: false, order: order, lower, lLead: max(1, order), &scratch)
    var left = 1.0
    for k in 0..<order {
      left -= scratch[k] * scratch[k]
      guard left >= remainder else { throw .losesPivot(order: k + 1) }
    }
    // Rotations from the last entry to the first take (a, √left) to (0, 1).
    var length = left.squareRoot()
    for k in stride(from: order - 1, through: 0, by: -1) {
      let longer = (length * length + scratch[k] * scratch[k]).squareRoot()
      cosines[k] = length / longer
      sines[k] = scratch[k] / longer
      length = longer
      scratch[k] = 0
    }
    BLAS.rotateOut(
      order: order, &lower, lLead: max(1, order), cosines: cosines, sines: sines, zeros: &scratch)
  }
}
