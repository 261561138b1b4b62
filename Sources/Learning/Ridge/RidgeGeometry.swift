internal import LinearAlgebra

/// The quadratic form v'(G + λI)⁻¹v of standardised rows v, whatever solver made the fit.
enum RidgeGeometry: Sendable {
  /// The factor of G + λI.
  case factor(CholeskyFactor)
  /// The equations of the rows, for more columns than rows.
  case dual(DualGeometry)
  /// Right singular vectors Vᵀ of Z as rows, and 1 / (σ² + λ), 0 for those beyond the rank.
  case spectral(
    rightTransposed: Matrix, inverses: ContiguousArray<Double>, rank: Int, penalty: Double)

  /// The form for each of `count` rows, the rows of a column-major block of `lead`, which is used up.
  func forms(
    _ block: inout ContiguousArray<Double>, count: Int, order: Int, lead: Int
  ) -> ContiguousArray<Double> {
    switch self {
    case .factor(let factor):
      BLAS.trsm(
        factor.block.transposed, fromRight: true, count: count, &block, lead: lead)
      return Self.squares(block, count: count, columns: order, lead: lead)
    case .dual(let geometry):
      return geometry.forms(&block, count: count, order: order, lead: lead)
    case .spectral(let rightTransposed, let inverses, let rank, let penalty):
      var product = ContiguousArray<Double>(repeating: 0, count: count * inverses.count)
      BLAS.gemm(
        Block(block, rowCount: count, columnCount: order, lead: lead),
        rightTransposed.block.transposed, &product)
      let inside = Self.squares(
        product, count: count, columns: inverses.count, lead: count, factors: inverses)
      guard penalty > 0 else { return inside }
      // What lies in no direction of the rows has nothing but the penalty to hold it.
      let whole = Self.squares(block, count: count, columns: order, lead: lead)
      var spanned = ContiguousArray<Double>(repeating: 0, count: count * order)
      BLAS.gemm(
        Block(product, rowCount: count, columnCount: rank),
        Block(
          rightTransposed.storage, rowCount: rank, columnCount: order, lead: inverses.count),
        &spanned)
      for j in 0..<order {
        for i in 0..<count { block[j * lead + i] -= spanned[j * count + i] }
      }
      let beyond = Self.squares(block, count: count, columns: order, lead: lead)
      let rounding = Double(order) * .ulpOfOne
      return ContiguousArray(
        (0..<count).map { i in
          let isRounding = beyond[i] <= rounding * rounding * whole[i]
          return inside[i] + (isRounding ? 0 : beyond[i] / penalty)
        })
    }
  }

  /// Σ of squares along each row, times a factor per column.
  static func squares(
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
