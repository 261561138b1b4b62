internal import LinearAlgebra

/// The equations (G + λI)β = g, and the check that their solution is one.
///
/// Rows and columns of constant features are zero in G; they get a 1 on the diagonal before G is
/// factored, which makes their coefficients 0 and touches nothing else.
struct RidgeSystem {
  let order: Int
  let targetCount: Int
  /// The lower triangle of G.
  private(set) var gram: ContiguousArray<Double>
  /// A column g per target.
  private(set) var right: ContiguousArray<Double>

  /// The equations of standardised columns, from sums.
  init(_ moments: Moments, _ scales: ColumnScales) {
    let p = moments.featureCount
    order = p
    targetCount = moments.targetCount
    let factors = scales.inverseScales
    gram = ContiguousArray(repeating: 0, count: p * p)
    right = ContiguousArray(repeating: 0, count: p * targetCount)
    let lead = moments.order
    for j in 0..<p {
      for i in j..<p {
        gram[j * p + i] = moments.products[j * lead + i] * (factors[j] * factors[i])
      }
      for t in 0..<targetCount {
        right[t * p + j] = moments.products[j * lead + p + t] * factors[j]
      }
    }
  }

  /// The equations (ZZᵀ + λI)α = y of the rows, with β = Zᵀα.
  init(rows: StandardisedRows) {
    order = rows.features.rowCount
    targetCount = rows.targets.columnCount
    gram = ContiguousArray(repeating: 0, count: order * order)
    right = rows.targets.storage
    BLAS.syrk(
      transposed: false, order: order, inner: rows.features.columnCount, rows.features.storage,
      aLead: order, &gram, cLead: order)
  }

  /// The factor of G + λI, nil where it is singular or so nearly that too few digits would be left.
  ///
  /// A pivot is what of a column the columns before it do not explain. With a penalty, whose solution
  /// depends smoothly on the data, 1e-10 of the column must be left. Without one the singular values
  /// of the rows, which square no condition, take over early: at 1e-4.
  func factor(penalty: Double) -> CholeskyFactor? {
    let equations = penalised(penalty)
    let factor: CholeskyFactor
    do { factor = try CholeskyFactor(order: order, lower: equations) } catch { return nil }
    let least = penalty > 0 ? 1e-10 : 1e-4
    for j in 0..<order {
      let pivot = factor.lower[j * order + j]
      guard pivot * pivot > least * equations[j * order + j] else { return nil }
    }
    return factor
  }

  /// Solutions, a column per target, and whether the library's answer had to be replaced; nil where
  /// there is none.
  ///
  /// The residual ‖(G + λI)β − g‖ / ‖g‖ of every target must be below 1e-8: kernels that miscompute
  /// on some processor have been shipped. Where it is not, the equations are solved again without the
  /// library.
  ///
  /// - Parameter tampering: What a test does to the library's answer before it is checked.
  func solve(
    _ factor: CholeskyFactor, penalty: Double,
    tampering: ((inout ContiguousArray<Double>) -> Void)? = nil
  ) -> (ContiguousArray<Double>, isPlain: Bool)? {
    var solution = right
    factor.solve(inPlace: &solution, columnCount: targetCount)
    tampering?(&solution)
    if passes(solution, penalty: penalty) { return (solution, false) }
    solution = right
    do {
      try PlainCholesky.solve(order: order, lower: penalised(penalty), &solution)
    } catch { return nil }
    return passes(solution, penalty: penalty) ? (solution, true) : nil
  }

  private func penalised(_ penalty: Double) -> ContiguousArray<Double> {
    var equations = gram
    for j in 0..<order {
      equations[j * order + j] = gram[j * order + j] == 0 ? 1 : gram[j * order + j] + penalty
    }
    return equations
  }

  private func passes(_ solution: ContiguousArray<Double>, penalty: Double) -> Bool {
    var product = ContiguousArray<Double>(repeating: 0, count: order)
    for t in 0..<targetCount {
      BLAS.symv(order: order, gram, solution, xAt: t * order, &product)
      var (residual, size) = (0.0, 0.0)
      for j in 0..<order {
        let difference =
          product[j] + penalty * solution[t * order + j] - right[t * order + j]
        residual += difference * difference
        size += right[t * order + j] * right[t * order + j]
      }
      // Written so that NaN fails; squares of residual and bound.
      guard residual <= 1e-16 * size else { return false }
    }
    return true
  }
}
