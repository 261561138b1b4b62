/// The singular value decomposition A = U diag(values) Vᵀ of a matrix of any shape and rank.
public struct SingularValues: Sendable {
  /// The singular values in descending order, min(rows, columns) of them.
  public private(set) var values: ContiguousArray<Double>
  /// U, with orthonormal columns: as many rows as A, as many columns as values.
  public private(set) var left: Matrix
  /// Vᵀ, with orthonormal rows: as many rows as values, as many columns as A.
  public private(set) var rightTransposed: Matrix

  /// Decomposes a matrix.
  ///
  /// - Throws: ``LinearAlgebraError/notConverged`` where it holds NaN or infinity.
  /// - Complexity: O(rows · columns · min(rows, columns)).
  /// - Note: Divide and conquer, `dgesdd` of LAPACK.
  public init(_ matrix: Matrix) throws(LinearAlgebraError) {
    let count = min(matrix.rowCount, matrix.columnCount)
    guard matrix.storage.allSatisfy(\.isFinite) else { throw .notConverged }
    values = ContiguousArray(repeating: 0, count: count)
    left = try Matrix(rowCount: matrix.rowCount, columnCount: count)
    rightTransposed = try Matrix(rowCount: count, columnCount: matrix.columnCount)
    var used = matrix.storage
    try LAPACK.gesdd(
      rowCount: matrix.rowCount, columnCount: matrix.columnCount, &used, u: &left.storage,
      values: &values, vTransposed: &rightTransposed.storage)
  }

  /// How many singular values exceed the rounding of the largest: ε · max(rows, columns) of it.
  public var rank: Int {
    let longest = Double(max(left.rowCount, rightTransposed.columnCount))
    return values.count { $0 > (values.first ?? 0) * .ulpOfOne * longest }
  }
}
