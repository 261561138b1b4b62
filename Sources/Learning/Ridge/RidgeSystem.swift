internal import LinearAlgebra

/// The equations (G + λI)β = g, and the check that their solution is one.
///
/// G is held as products of columns and the factors that scale them, so that only the factor of G + λI
/// takes a square of its own. Rows and columns of constant features are zero in G; they get a 1 on the
/// diagonal before it is factored, which makes their coefficients 0 and touches nothing else.
struct RidgeSystem {
  let order: Int
  let targetCount: Int
  /// A column g per target.
  let right: ContiguousArray<Double>
  /// A lower triangle, columns of `lead` rows, and what its rows and columns are multiplied by.
  private let products: ContiguousArray<Double>
  private let lead: Int
  private let factors: ContiguousArray<Double>
  /// How much of rrᵀ was added: as much as there is of a direction in the mean; 0 where nothing was.
  let nullSquare: Double

  /// The equations of standardised columns, from sums.
  init(_ moments: Moments, _ scales: ColumnScales) {
    let p = moments.featureCount
    order = p
    targetCount = moments.targetCount
    products = moments.products
    lead = moments.order
    factors = scales.inverseScales
    nullSquare = 0
    var right = ContiguousArray<Double>(repeating: 0, count: p * targetCount)
    for j in 0..<p {
      for t in 0..<targetCount {
        right[t * p + j] = products[j * lead + p + t] * factors[j]
      }
    }
    self.right = right
  }

  /// The equations (ZZᵀ + λI)α = y of the rows, with β = Zᵀα.
  ///
  /// - Parameter fillsNull: Whether to add a multiple of rrᵀ, r the roots of the weights. Centred rows have
  ///   r'Z = 0 and r'y = 0, so that it changes no α; but without it the equations would be the nearer to
  ///   singular the smaller λ is.
  init(rows: StandardisedRows, fillsNull: Bool = false) {
    order = rows.features.rowCount
    targetCount = rows.targets.columnCount
    var gram = ContiguousArray<Double>(repeating: 0, count: order * order)
    right = rows.targets.storage
    BLAS.syrk(rows.features.block, &gram)
    if fillsNull {
      let r = rows.unitRoots
      var square = 0.0
      for j in 0..<order { square += gram[j * order + j] / Double(order) }
      for j in 0..<order {
        for i in j..<order { gram[j * order + i] += square * r[j] * r[i] }
      }
      nullSquare = square
    } else {
      nullSquare = 0
    }
    products = gram
    lead = order
    factors = ContiguousArray(repeating: 1, count: order)
  }

  /// The lower triangle of G.
  var gram: ContiguousArray<Double> {
    var gram = ContiguousArray<Double>(repeating: 0, count: order * order)
    for j in 0..<order {
      Elementwise.multiply(
        order - j, products, xAt: j * lead + j, factors[j], factors, yAt: j, into: &gram,
        zAt: j * order + j)
    }
    return gram
  }

  /// The factor of G + λI, nil where it is singular or so nearly that too few digits would be left.
  ///
  /// A pivot is what of a column the columns before it do not explain. With a penalty, whose solution
  /// depends smoothly on the data, 1e-10 of the column must be left. Without one the singular values
  /// of the rows, which square no condition, take over early: at 1e-4.
  func factor(penalty: Double) -> CholeskyFactor? {
    let factor: CholeskyFactor
    do { factor = try CholeskyFactor(order: order, lower: penalised(penalty)) } catch { return nil }
    return factor.leastPivotShare > (penalty > 0 ? 1e-10 : 1e-4) ? factor : nil
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
      let plain = try CholeskyFactor(
        order: order, lower: penalised(penalty), usesLibrary: false)
      plain.solve(inPlace: &solution, columnCount: targetCount)
    } catch { return nil }
    return passes(solution, penalty: penalty) ? (solution, true) : nil
  }

  private func penalised(_ penalty: Double) -> ContiguousArray<Double> {
    var equations = gram
    for j in 0..<order {
      let square = equations[j * order + j]
      equations[j * order + j] = square == 0 ? 1 : square + penalty
    }
    return equations
  }

  private func passes(_ solution: ContiguousArray<Double>, penalty: Double) -> Bool {
    var product = ContiguousArray<Double>(repeating: 0, count: order)
    var scaled = product
    for t in 0..<targetCount {
      for j in 0..<order { scaled[j] = factors[j] * solution[t * order + j] }
      BLAS.symv(
        Block(products, rowCount: order, columnCount: order, lead: lead), scaled, &product)
      var (residual, size) = (0.0, 0.0)
      for j in 0..<order {
        let difference =
          factors[j] * product[j] + penalty * solution[t * order + j] - right[t * order + j]
        residual += difference * difference
        size += right[t * order + j] * right[t * order + j]
      }
      // Written so that NaN fails; squares of residual and bound.
      guard residual <= 1e-16 * size else { return false }
    }
    return true
  }
}
