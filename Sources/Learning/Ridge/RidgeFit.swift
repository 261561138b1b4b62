public import LinearAlgebra

/// How the equations of a ridge fit were solved.
public enum RidgeSolver: UInt8, Sendable, CaseIterable {
  /// Cholesky on the equations of the columns.
  case cholesky = 0
  /// Cholesky on the equations of the rows, where there are more columns than rows.
  case dualCholesky = 1
  /// Singular values: the minimum-norm solution where the equations are singular or nearly so.
  case singularValues = 2
  /// Cholesky without the BLAS library, whose answer failed its check: worth a report.
  case plainCholesky = 3
}

/// What a ridge fit found: the models and what is needed for their uncertainty.
public struct RidgeFit: Sendable {
  /// One model per target, in the order of the targets.
  public let models: [LinearModel]
  /// λ.
  public let penalty: Double
  /// How the equations were solved.
  public let solver: RidgeSolver
  /// The columns found constant, whose coefficient is 0; ascending.
  public let constantColumns: [Int]
  /// How many directions of the columns the data determine; below ``solver`` `.singularValues` all
  /// columns that are not constant.
  public let rank: Int
  /// Rows of positive weight.
  public let rowCount: Int
  /// The sum of the weights.
  public let weightSum: Double
  package let scales: ColumnScales
  let geometry: RidgeGeometry

  private init(
    models: [LinearModel], penalty: Double, solver: RidgeSolver, constantColumns: [Int], rank: Int,
    rowCount: Int, weightSum: Double, scales: ColumnScales, geometry: RidgeGeometry
  ) {
    self.models = models
    self.penalty = penalty
    self.solver = solver
    self.constantColumns = constantColumns
    self.rank = rank
    self.rowCount = rowCount
    self.weightSum = weightSum
    self.scales = scales
    self.geometry = geometry
  }

  /// A fit from coefficients of standardised columns, a column of them per target.
  init(
    _ scales: ColumnScales, _ standardised: ContiguousArray<Double>,
    targetMeans: ContiguousArray<Double>.SubSequence, penalty: Double, solver: RidgeSolver,
    rank: Int,
    rowCount: Int, weightSum: Double, geometry: RidgeGeometry
  ) {
    let order = scales.means.count
    self.init(
      models: targetMeans.enumerated().map { t, mean in
        let (intercept, coefficients) = scales.model(standardised, at: t * order, targetMean: mean)
        return LinearModel(intercept: intercept, coefficients: coefficients)
      },
      penalty: penalty, solver: solver, constantColumns: scales.constantColumns, rank: rank,
      rowCount: rowCount, weightSum: weightSum, scales: scales, geometry: geometry)
  }

  /// The fit of the columns as they were before `exponents` were taken off.
  func restored(_ exponents: [Int]) -> RidgeFit {
    RidgeFit(
      models: models.map { $0.restored(exponents) },
      penalty: penalty, solver: solver, constantColumns: constantColumns, rank: rank,
      rowCount: rowCount, weightSum: weightSum, scales: scales.restored(exponents),
      geometry: geometry)
  }

  /// This fit, where all numbers of its models are doubles.
  ///
  /// - Throws: ``LearningError/overflow(column:)``: a column is so small beside the target that its coefficient is not.
  func checked() throws(LearningError) -> RidgeFit {
    for model in models {
      for (j, value) in (model.coefficients + [model.intercept]).enumerated()
      where !value.isFinite { throw .overflow(column: j) }
    }
    return self
  }

  /// The model of the first target.
  public var model: LinearModel { models[0] }

  /// How far out a row lies: 1/Σw + v'(G + λI)⁻¹v for the standardised row v.
  ///
  /// The variance of the fitted value there is the noise variance times this; that of a new
  /// observation the noise variance times 1 + this (the posterior predictive under a normal prior of
  /// variance noise / λ for each standardised coefficient). The noise variance is
  /// ``RidgeDiagnostics/residualVariance``.
  ///
  /// - Parameter row: One finite value per column.
  /// - Complexity: O(*p*²).
  public func leverage(of row: ContiguousArray<Double>) throws(LearningError) -> Double {
    try CheckedInput.check(
      row: row, featureCount: scales.means.count, target: 0, weight: 1)
    let order = row.count
    var block = row
    for j in 0..<order { block[j] = (row[j] - scales.means[j]) * scales.inverseScales[j] }
    return 1 / weightSum + geometry.forms(&block, count: 1, order: order, lead: 1)[0]
  }

  /// Residuals, leverages and exact leave-one-out residuals of the rows it was fitted on.
  ///
  /// The arguments are those of the fit. A row's leave-one-out residual is that of a refit without the
  /// row, with the column scales kept; no refit is made.
  ///
  /// - Complexity: O(*n p*²), or O(*n*² *p*) where there are more columns than rows.
  public func diagnostics(
    _ features: Matrix, targets: Matrix, weights: ContiguousArray<Double>? = nil
  ) throws(LearningError) -> RidgeDiagnostics {
    guard features.columnCount == scales.means.count else {
      throw .lengthMismatch(expected: scales.means.count, actual: features.columnCount)
    }
    guard targets.columnCount == models.count else {
      throw .lengthMismatch(expected: models.count, actual: targets.columnCount)
    }
    let input = try CheckedInput(features, targets, weights)
    return try RidgeDiagnostics(self, input, weights)
  }

  /// The same for a fit of one target.
  public func diagnostics(
    _ features: Matrix, target: ContiguousArray<Double>, weights: ContiguousArray<Double>? = nil
  ) throws(LearningError) -> RidgeDiagnostics {
    try diagnostics(features, targets: CheckedInput.column(target), weights: weights)
  }
}
