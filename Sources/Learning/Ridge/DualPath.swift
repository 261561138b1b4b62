internal import LinearAlgebra

/// A path of penalties over more columns than rows, told through the eigenvectors of the rows' products.
///
/// The smaller λ, the nearer every leverage is to 1, and what is wanted is the difference. So what a row leaves to
/// the others is summed for itself, as in ``DualGeometry``: nothing cancels.
struct DualPath: Sendable {
  /// Effective degrees of freedom per penalty, the intercept counts 1.
  let degreesOfFreedom: ContiguousArray<Double>
  /// Sums of squares of leave-one-out residuals: a row per penalty, a column per target.
  private(set) var leftOut: ContiguousArray<Double>
  /// Of residuals, laid out alike.
  private(set) var fitted: ContiguousArray<Double>
  let constantColumns: [Int]

  /// - Complexity: O(*n*² (*p* + *n* + *l*)).
  init(_ rows: StandardisedRows, _ penalties: ContiguousArray<Double>) throws(LearningError) {
    let system = RidgeSystem(rows: rows, fillsNull: true)
    let (n, null) = (system.order, system.nullSquare)
    let eigen: SymmetricEigen
    do {
      eigen = try SymmetricEigen(Matrix(columnMajor: system.gram, rowCount: n, columnCount: n))
    } catch { throw LearningError(error) }
    let values = PenaltyBasis.clean(eigen.values, count: rows.features.columnCount)
    constantColumns = rows.scales.constantColumns
    // Without a penalty only what no column explains is left of a target.
    let inverses = penalties.map { penalty in
      ContiguousArray(values.map { penalty > 0 ? 1 / ($0 + penalty) : $0 > 0 ? 0 : 1 })
    }
    degreesOfFreedom = ContiguousArray(
      penalties.map { penalty in
        let share = { (value: Double) in value > 0 ? value / (value + penalty) : 0 }
        return 1 + values.reduce(0) { $0 + share($1) } - share(null)
      })
    var squares = eigen.vectors.storage
    Elementwise.multiply(n * n, squares, 1, squares, into: &squares)
    var projections = rows.targets.storage
    BLAS.gemm(eigen.vectors.block.transposed, rows.targets.block, &projections)
    let targetCount = rows.targets.columnCount
    leftOut = ContiguousArray(repeating: 0, count: penalties.count * targetCount)
    fitted = leftOut
    let least = Double.ulpOfOne * Double(max(16, n))
    var shares = ContiguousArray<Double>(repeating: 0, count: n)
    var (scaled, solution) = (shares, shares)
    for (l, penalty) in penalties.enumerated() {
      BLAS.gemv(Block(squares, rowCount: n, columnCount: n), inverses[l], &shares)
      for t in 0..<targetCount {
        Elementwise.multiply(
          n, inverses[l], xAt: 0, 1, projections, yAt: t * n, into: &scaled, zAt: 0)
        BLAS.gemv(eigen.vectors.block, scaled, &solution)
        let at = t * penalties.count + l
        for i in 0..<n {
          // The direction of the mean, which was filled, is none of theirs.
          let root = rows.unitRoots[i]
          let mean = penalty > 0 ? 1 / (null + penalty) : null > 0 ? 0 : 1
          let left = shares[i] - root * root * mean
          let residual = left > least * shares[i] && left > 0 ? solution[i] / left : .infinity
          leftOut[at] += residual * residual
          let unexplained = penalty > 0 ? penalty * solution[i] : solution[i]
          fitted[at] += unexplained * unexplained
        }
      }
    }
  }
}
