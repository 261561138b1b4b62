extension CholeskyFactor {
  /// The solution of Ax = b.
  ///
  /// - Complexity: O(order²).
  public func solve(_ right: ContiguousArray<Double>) -> ContiguousArray<Double> {
    var x = right
    solve(inPlace: &x)
    return x
  }

  /// The solution of AX = B, column by column.
  public func solve(_ right: Matrix) -> Matrix {
    precondition(right.rowCount == order, "\(right.rowCount) rows for order \(order)")
    var x = right
    solve(inPlace: &x.storage, columnCount: x.columnCount)
    return x
  }

  /// Replaces b by the solution of Ax = b, without allocating.
  public func solve(inPlace right: inout ContiguousArray<Double>) {
    precondition(right.count == order, "\(right.count) entries for order \(order)")
    guard usesLibrary else { return solvePlainly(&right) }
    BLAS.trsv(block, &right)
    BLAS.trsv(block.transposed, &right)
  }

  /// Replaces B, `columnCount` columns of `order` entries, by the solution of AX = B.
  package func solve(inPlace right: inout ContiguousArray<Double>, columnCount: Int) {
    precondition(right.count == order * columnCount)
    guard columnCount != 1 else { return solve(inPlace: &right) }
    guard usesLibrary else { return solvePlainly(&right) }
    BLAS.trsm(block, count: columnCount, &right)
    BLAS.trsm(block.transposed, count: columnCount, &right)
  }

  /// Writes A⁻¹b for the right-hand side b that is kept as a row below L, counted from 0.
  package func solve(rowBelow row: Int = 0, into solution: inout ContiguousArray<Double>) {
    precondition(row >= 0 && row < rowsBelow && solution.count == order)
    for j in 0..<order { solution[j] = lower[j * lead + order + row] }
    BLAS.trsv(block.transposed, &solution)
  }

  /// v'A⁻¹v; v is used up.
  package func quadraticForm(using vector: inout ContiguousArray<Double>) -> Double {
    BLAS.trsv(block, &vector)
    return BLAS.dot(order, vector, vector)
  }

  private func solvePlainly(_ b: inout ContiguousArray<Double>) {
    for start in stride(from: 0, to: b.count, by: max(1, order)) {
      for i in 0..<order {
        for k in 0..<i { b[start + i] -= lower[k * lead + i] * b[start + k] }
        b[start + i] /= lower[i * lead + i]
      }
      for i in stride(from: order - 1, through: 0, by: -1) {
        for k in i + 1..<max(order, i + 1) { b[start + i] -= lower[i * lead + k] * b[start + k] }
        b[start + i] /= lower[i * lead + i]
      }
    }
  }
}
