public import LinearAlgebra

/// Settings of ridge regression: a linear model with a penalty on the size of its coefficients.
///
/// Minimises Σ wᵢ (yᵢ − b − xᵢ'β)² + λ Σ βⱼ² over b and β, where x are standardised columns (see
/// ``Standardisation``). The intercept b is not penalised. λ = 0 is least squares; where columns are
/// collinear, the solution of least Σ βⱼ². To compare with a library that penalises columns in their
/// own units use ``Standardisation/centred``; with one that divides the sum of squares by n or 2n,
/// multiply its λ by n or 2n.
public struct RidgeRegression: Equatable, Sendable, Codable {
  /// λ, from 0 up.
  public var penalty: Double
  /// What is done to the columns first.
  public var standardisation: Standardisation

  /// Settings with this penalty.
  public init(penalty: Double = 1, standardisation: Standardisation = .centredAndScaled) {
    self.penalty = penalty
    self.standardisation = standardisation
  }

  /// Fits one target.
  ///
  /// - Parameters:
  ///   - features: One row per observation, finite. Constant, collinear and hugely scaled columns are
  ///     no errors.
  ///   - target: One value per row, finite.
  ///   - weights: One per row, from 0 up: 2 counts a row twice, 0 leaves it out. Nil is 1 for all.
  ///   - threads: How many threads may share the work; the result is the same to the bit.
  /// - Throws: What is wrong with the input, with its position.
  /// - Complexity: O(*n p*²) for *n* rows of *p* columns, O(*n*² *p*) where there are more columns than
  ///   rows. With λ = 0 and near-collinear columns about ten times as long, by singular values.
  public func fit(
    _ features: Matrix, target: ContiguousArray<Double>, weights: ContiguousArray<Double>? = nil,
    threads: Int = 1
  ) throws(LearningError) -> RidgeFit {
    try fit(
      features, targets: CheckedInput.column(target), weights: weights, threads: threads)
  }

  /// Fits several targets of the same rows with one factorisation: each gets the model it would get
  /// alone.
  public func fit(
    _ features: Matrix, targets: Matrix, weights: ContiguousArray<Double>? = nil, threads: Int = 1
  ) throws(LearningError) -> RidgeFit {
    try CheckedInput.check(penalty: penalty)
    let (fit, exponents) = try ColumnExponents.fitting(
      features, standardisation, constantColumns: \.constantColumns
    ) { features throws(LearningError) in
      try fitInRange(features, targets, weights, threads)
    }
    return try (exponents.map { fit.restored($0) } ?? fit).checked()
  }

  private func fitInRange(
    _ features: Matrix, _ targets: Matrix, _ weights: ContiguousArray<Double>?, _ threads: Int
  ) throws(LearningError) -> RidgeFit {
    let isTall = features.columnCount <= features.rowCount
    var input = try CheckedInput(features, targets, weights, threads: threads, samples: isTall)
    if isTall {
      let moments = try Moments(input, threads: threads)
      if let fit = try fit(wellPosed: moments) { return fit }
      try input.measureMeans(threads: threads)
    }
    guard input.positiveCount >= 2 else {
      throw .tooFewRows(needed: 2, actual: input.positiveCount)
    }
    let rows = try StandardisedRows(input, standardisation)
    if let fit = fit(dual: rows, input) { return fit }
    return try fit(singular: rows, input)
  }

  /// Fits from sums, without the rows.
  ///
  /// - Throws: ``LearningError/tooFewRows(needed:actual:)`` below two rows;
  ///   ``LearningError/singular(order:)`` where λ is 0 or tiny and the columns are collinear: that
  ///   takes the rows.
  /// - Complexity: O(*p*³ / 3).
  public func fit(_ moments: Moments) throws(LearningError) -> RidgeFit {
    try CheckedInput.check(penalty: penalty)
    guard let fit = try fit(wellPosed: moments) else {
      throw .singular(order: moments.featureCount)
    }
    return try fit.checked()
  }

  /// Cholesky on the equations of the columns; nil where they are too near to singular for it.
  func fit(
    wellPosed moments: Moments, tampering: ((inout ContiguousArray<Double>) -> Void)? = nil
  ) throws(LearningError) -> RidgeFit? {
    guard moments.rowCount >= 2 else { throw .tooFewRows(needed: 2, actual: moments.rowCount) }
    let scales = ColumnScales(moments, standardisation)
    let system = RidgeSystem(moments, scales)
    guard let factor = system.factor(penalty: penalty),
      let (solution, isPlain) = system.solve(factor, penalty: penalty, tampering: tampering)
    else { return nil }
    return RidgeFit(
      scales, solution, targetMeans: moments.means[moments.featureCount...], penalty: penalty,
      solver: isPlain ? .plainCholesky : .cholesky,
      rank: moments.featureCount - scales.constantColumns.count, rowCount: moments.rowCount,
      weightSum: moments.weightSum, geometry: .factor(factor))
  }

  /// Cholesky on the equations of the rows, where they are the fewer; nil where they are singular.
  private func fit(
    dual rows: StandardisedRows, _ input: CheckedInput
  ) -> RidgeFit? {
    let z = rows.features
    guard penalty > 0, z.columnCount > z.rowCount else { return nil }
    let system = RidgeSystem(rows: rows, fillsNull: true)
    guard let factor = system.factor(penalty: penalty),
      let (solution, isPlain) = system.solve(factor, penalty: penalty)
    else { return nil }
    let targetCount = rows.targets.columnCount
    var coefficients = ContiguousArray<Double>(repeating: 0, count: z.columnCount * targetCount)
    BLAS.gemm(
      z.block.transposed, Block(solution, rowCount: z.rowCount, columnCount: targetCount),
      &coefficients)
    return RidgeFit(
      rows.scales, coefficients, targetMeans: rows.targetMeans[...], penalty: penalty,
      solver: isPlain ? .plainCholesky : .dualCholesky,
      rank: min(z.columnCount - rows.scales.constantColumns.count, input.positiveCount - 1),
      rowCount: input.positiveCount, weightSum: input.weightSum,
      geometry: .dual(
        DualGeometry(
          factor: factor, rows: rows, penalty: penalty, nullSquare: system.nullSquare,
          features: input.features, targets: input.targets, rootWeights: input.rootWeights)))
  }

  /// Singular values of the rows: the solution of least norm, whatever the rank.
  private func fit(
    singular rows: StandardisedRows, _ input: CheckedInput
  ) throws(LearningError) -> RidgeFit {
    let (z, y) = (rows.features, rows.targets)
    let parts: SingularValues
    do { parts = try SingularValues(z) } catch { throw LearningError(error) }
    let (count, rank) = (parts.values.count, parts.rank)
    var shrunk = ContiguousArray<Double>(repeating: 0, count: count * y.columnCount)
    BLAS.gemm(parts.left.block.transposed, y.block, &shrunk)
    let inverses = ContiguousArray(
      parts.values.indices.map { k in
        k < rank ? 1 / (parts.values[k] * parts.values[k] + penalty) : 0
      })
    for t in 0..<y.columnCount {
      for k in 0..<count { shrunk[t * count + k] *= parts.values[k] * inverses[k] }
    }
    var coefficients = ContiguousArray<Double>(repeating: 0, count: z.columnCount * y.columnCount)
    BLAS.gemm(
      parts.rightTransposed.block.transposed,
      Block(shrunk, rowCount: count, columnCount: y.columnCount), &coefficients)
    return RidgeFit(
      rows.scales, coefficients, targetMeans: rows.targetMeans[...], penalty: penalty,
      solver: .singularValues, rank: rank, rowCount: input.positiveCount,
      weightSum: input.weightSum,
      geometry: .spectral(
        rightTransposed: parts.rightTransposed, inverses: inverses, rank: rank, penalty: penalty))
  }
}
