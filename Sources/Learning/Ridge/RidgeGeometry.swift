internal import LinearAlgebra

/// The quadratic form v'(G + λI)⁻¹v of standardised rows v, whatever solver made the fit.
enum RidgeGeometry: Sendable {
  /// The factor of G + λI.
  case factor(CholeskyFactor)
  /// The factor of ZZᵀ + λI and the rows Z it was made from, for more columns than rows.
  case dual(CholeskyFactor, rows: Matrix, penalty: Double)
  /// Right singular vectors Vᵀ of Z as rows, and 1 / (σ² + λ), 0 for those beyond the rank.
  case spectral(rightTransposed: Matrix, inverses: ContiguousArray<Double>)

  /// The form for each of `count` rows, the rows of a column-major block of `lead`, which is used up.
  func forms(
    _ block: inout ContiguousArray<Double>, count: Int, order: Int, lead: Int
  ) -> ContiguousArray<Double> {
    switch self {
    case .factor(let factor):
      BLAS.trsm(
        factor.block.transposed, fromRight: true, count: count, &block, lead: lead)
      return Self.squares(block, count: count, columns: order, lead: lead)
    case .dual(let factor, let rows, let penalty):
      // (ZᵀZ + λI)⁻¹ = (I − Zᵀ(ZZᵀ + λI)⁻¹Z) / λ.
      var product = ContiguousArray<Double>(repeating: 0, count: count * rows.rowCount)
      BLAS.gemm(
        Block(block, rowCount: count, columnCount: order, lead: lead), rows.block.transposed,
        &product)
      BLAS.trsm(factor.block.transposed, fromRight: true, count: count, &product)
      let whole = Self.squares(block, count: count, columns: order, lead: lead)
      let inside = Self.squares(product, count: count, columns: rows.rowCount, lead: count)
      return ContiguousArray(zip(whole, inside).map { max(0, $0 - $1) / penalty })
    case .spectral(let rightTransposed, let inverses):
      var product = ContiguousArray<Double>(repeating: 0, count: count * inverses.count)
      BLAS.gemm(
        Block(block, rowCount: count, columnCount: order, lead: lead),
        rightTransposed.block.transposed, &product)
      return Self.squares(
        product, count: count, columns: inverses.count, lead: count, factors: inverses)
    }
  }

  /// Σ of squares along each row, times a factor per column.
  private static func squares(
    _ block: ContiguousArray<Double>, count: Int, columns: Int, lead: Int,
    factors: ContiguousArray<Double>? = nil
  ) -> ContiguousArray<Double> {
    var sums = ContiguousArray<Double>(repeating: 0, count: count)
    for j in 0..<columns {
      let factor = factors.map { $0[j] } ?? 1
      for i in 0..<count { sums[i] += block[j * lead + i] * block[j * lead + i] * factor }
    }
    return sums
  }
}
