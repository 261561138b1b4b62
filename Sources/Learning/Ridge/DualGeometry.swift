internal import LinearAlgebra

/// The geometry of a ridge fit with more columns than rows, told through the equations of the rows,
/// (ZZᵀ + λI)α = y.
///
/// The smaller λ, the nearer every leverage is to 1, and what is wanted is the difference. So everything here is a
/// sum of terms of one sign: nothing cancels.
struct DualGeometry: Sendable {
  /// The factor of ZZᵀ + λI + c rrᵀ, r the unit roots of the weights: see ``RidgeSystem/init(rows:fillsNull:)``.
  let factor: CholeskyFactor
  let rows: StandardisedRows
  let penalty: Double
  /// c.
  let nullSquare: Double
  /// What the rows were made from.
  let features: Matrix
  let targets: Matrix
  let rootWeights: ContiguousArray<Double>?

  private var rowCount: Int { rows.features.rowCount }

  /// v'(ZᵀZ + λI)⁻¹v = |α|² + |v − Zᵀα|² / λ with (ZZᵀ + λI)α = Zv, for each of `count` rows v, the rows of a
  /// column-major block of `lead`, which is used up.
  func forms(
    _ block: inout ContiguousArray<Double>, count: Int, order: Int, lead: Int
  ) -> ContiguousArray<Double> {
    let z = rows.features
    var shares = ContiguousArray<Double>(repeating: 0, count: count * rowCount)
    BLAS.gemm(
      Block(block, rowCount: count, columnCount: order, lead: lead), z.block.transposed, &shares)
    BLAS.trsm(factor.block.transposed, fromRight: true, count: count, &shares)
    BLAS.trsm(factor.block, fromRight: true, count: count, &shares)
    var spanned = ContiguousArray<Double>(repeating: 0, count: count * order)
    BLAS.gemm(Block(shares, rowCount: count, columnCount: rowCount), z.block, &spanned)
    for j in 0..<order {
      for i in 0..<count { block[j * lead + i] -= spanned[j * count + i] }
    }
    let inside = RidgeGeometry.squares(shares, count: count, columns: rowCount, lead: count)
    let beyond = RidgeGeometry.squares(block, count: count, columns: order, lead: lead)
    return ContiguousArray(zip(inside, beyond).map { $0 + $1 / penalty })
  }

  /// Whether a fit's rows are those that it was made from.
  func isMade(from input: CheckedInput) -> Bool {
    input.rootWeights == rootWeights && input.targets == targets && input.features == features
  }

  /// What each row leaves to the others, 1 − leverage; residuals; leave-one-out residuals, column after column.
  ///
  /// With M the inverse of the matrix that ``factor`` is of, and mᵢ = Mᵢᵢ − rᵢ² / (c + λ), the first is λmᵢ, a residual
  /// λαᵢ and a leave-one-out residual αᵢ / mᵢ, of rows times the roots of their weights.
  func leftOut() -> (
    shares: ContiguousArray<Double>, residuals: ContiguousArray<Double>,
    leftOut: ContiguousArray<Double>
  ) {
    let n = rowCount
    var inverse = ContiguousArray<Double>(repeating: 0, count: n * n)
    for i in 0..<n { inverse[i * n + i] = 1 }
    BLAS.trsm(factor.block, count: n, &inverse)
    let shares = ContiguousArray(
      (0..<n).map { i in
        let r = rows.unitRoots[i]
        return max(
          0, BLAS.dot(n, inverse, xAt: i * n, inverse, yAt: i * n) - r * r / (nullSquare + penalty))
      })
    var residuals = rows.targets.storage
    factor.solve(inPlace: &residuals, columnCount: rows.targets.columnCount)
    var leftOut = residuals
    for at in residuals.indices {
      let root = rootWeights.map { $0[at % n] } ?? 1
      leftOut[at] = shares[at % n] > 0 ? residuals[at] / shares[at % n] / root : .infinity
      residuals[at] *= penalty / root
    }
    return (ContiguousArray(shares.map { penalty * $0 }), residuals, leftOut)
  }
}
