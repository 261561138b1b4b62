/// The Cholesky factor of a symmetric positive definite matrix, A = LLᵀ.
///
/// Holds its own scratch, so that solving in place, updating and making it anew allocate nothing. Rows
/// may be kept below L: a right-hand side b kept there as a row L⁻¹b stays solved through every update
/// and downdate.
public struct CholeskyFactor: Sendable {
  /// The order of A.
  public let order: Int
  /// How many right-hand sides are kept as rows below L.
  package let rowsBelow: Int
  /// `order` columns of `order + rowsBelow` rows: L, and under it L⁻¹b of each right-hand side. What lies
  /// above the diagonal does not count.
  package internal(set) var lower: ContiguousArray<Double>
  /// The least share of a diagonal entry that the columns before it left for its pivot when the factor was
  /// last made: how much rounding of that share the factor has survived. 0 where that failed.
  package private(set) var leastPivotShare = 1.0
  var scratch: ContiguousArray<Double>
  var cosines: ContiguousArray<Double>
  var sines: ContiguousArray<Double>
  /// Whether BLAS and LAPACK do the work, or plain loops.
  let usesLibrary: Bool

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
  ///
  /// - Parameter usesLibrary: False for plain loops, which take many times as long: what remains when
  ///   the library's answer fails a check.
  package init(
    order: Int, lower: consuming ContiguousArray<Double>, usesLibrary: Bool = true
  ) throws(LinearAlgebraError) {
    precondition(lower.count == order * order)
    self.init(order: order, rowsBelow: 0, lower: lower, usesLibrary: usesLibrary)
    try factor()
  }

  /// A factor of the identity, to be made anew before it is used.
  package init(identityOfOrder order: Int, rowsBelow: Int = 0) {
    self.init(
      order: order, rowsBelow: rowsBelow,
      lower: ContiguousArray(repeating: 0, count: order * (order + rowsBelow)), usesLibrary: true)
    for k in 0..<order { lower[k * lead + k] = 1 }
  }

  private init(
    order: Int, rowsBelow: Int, lower: consuming ContiguousArray<Double>, usesLibrary: Bool
  ) {
    self.order = order
    self.rowsBelow = rowsBelow
    self.lower = lower
    self.usesLibrary = usesLibrary
    scratch = ContiguousArray(repeating: 0, count: order + rowsBelow)
    cosines = scratch
    sines = scratch
  }

  /// The distance of two columns of ``lower``.
  var lead: Int { order + rowsBelow }

  /// L.
  package var block: Block { Block(lower, rowCount: order, columnCount: order, lead: lead) }

  /// Makes this the factor of another matrix of the same order, given by its lower triangle, without
  /// allocating.
  ///
  /// - Returns: ``leastPivotShare``: 0 where the matrix is not positive definite; the factor must then be
  ///   made anew before it is used.
  package mutating func remake(from matrix: ContiguousArray<Double>) -> Double {
    precondition(matrix.count == order * order && rowsBelow == 0)
    let order = order
    return remake { lower in
      for j in 0..<order {
        for i in j * order + j..<(j + 1) * order { lower[i] = matrix[i] }
      }
    }
  }

  /// Makes this the factor of the matrix that `fill` writes as ``lower`` is laid out, with a right-hand
  /// side b in each row below it.
  package mutating func remake(filling fill: (inout ContiguousArray<Double>) -> Void) -> Double {
    fill(&lower)
    do { try factor() } catch { return 0 }
    return leastPivotShare
  }

  /// Takes L, and what is kept below it, from an array that is laid out as ``lower``, without allocating.
  package mutating func copy(fromLower other: ContiguousArray<Double>) {
    precondition(other.count == lower.count)
    for i in lower.indices { lower[i] = other[i] }
  }

  /// Brings everything into memory of its own, so that nothing is left to be copied when it changes.
  package mutating func makeUnique() {
    lower.reserveCapacity(lower.count)
    scratch.reserveCapacity(scratch.count)
    cosines.reserveCapacity(cosines.count)
    sines.reserveCapacity(sines.count)
  }

  /// Turns the matrix in ``lower`` into its factor, and solves what lies below.
  private mutating func factor() throws(LinearAlgebraError) {
    leastPivotShare = 0
    for k in 0..<order { scratch[k] = lower[k * lead + k] }
    if usesLibrary {
      try LAPACK.potrf(order: order, &lower, lead: max(1, lead))
    } else {
      try factorPlainly()
    }
    var least = 1.0
    for k in 0..<order {
      let pivot = lower[k * lead + k]
      let share = pivot * pivot / scratch[k]
      // dpotrf stops at a pivot that is not positive, but a NaN can slip by in some kernels.
      guard pivot > 0, pivot.isFinite, share.isFinite else {
        throw .notPositiveDefinite(order: k + 1)
      }
      least = min(least, share)
    }
    for row in order..<lead {
      for j in 0..<order { scratch[j] = lower[j * lead + row] }
      BLAS.trsv(block, &scratch)
      for j in 0..<order { lower[j * lead + row] = scratch[j] }
    }
    leastPivotShare = least
  }

  private mutating func factorPlainly() throws(LinearAlgebraError) {
    for j in 0..<order {
      var pivot = lower[j * lead + j]
      for k in 0..<j { pivot -= lower[k * lead + j] * lower[k * lead + j] }
      guard pivot > 0, pivot.isFinite else { throw .notPositiveDefinite(order: j + 1) }
      let root = pivot.squareRoot()
      lower[j * lead + j] = root
      for i in j + 1..<max(order, j + 1) {
        var entry = lower[j * lead + i]
        for k in 0..<j { entry -= lower[k * lead + i] * lower[k * lead + j] }
        lower[j * lead + i] = entry / root
      }
    }
  }
}
