public import LinearAlgebra

/// Settings of logistic regression: the probability of a yes/no target, with a penalty on the size of the
/// coefficients.
///
/// Minimises Σ wᵢ log(1 + exp(−sᵢ(b + xᵢ'β))) + λ/2 Σ βⱼ² over b and β, where s = ±1 is the label and x are
/// standardised columns (see ``Standardisation``). The intercept b is not penalised. A fit has converged
/// where the gradient of this divided by Σw is at most ``tolerance`` in the infinity norm. With λ = 0 and
/// collinear columns the solution is the one of least Σ βⱼ². To compare with a library that penalises by
/// its C, λ = 1 / C; with one that divides the loss by n, multiply its λ by n; with one that penalises
/// columns in their own units, use ``Standardisation/centred``.
public struct LogisticRegression: Equatable, Sendable, Codable {
  /// λ, from 0 up.
  public var penalty: Double
  /// What is done to the columns first.
  public var standardisation: Standardisation
  /// How small the gradient must become.
  public var tolerance: Double
  /// How many steps it may take. A well-posed fit takes 5 to 30.
  public var maximumIterations: Int

  /// Settings with this penalty.
  public init(
    penalty: Double = 1, standardisation: Standardisation = .centredAndScaled,
    tolerance: Double = 1e-8, maximumIterations: Int = 250
  ) {
    self.penalty = penalty
    self.standardisation = standardisation
    self.tolerance = tolerance
    self.maximumIterations = maximumIterations
  }

  /// Fits a target.
  ///
  /// - Parameters:
  ///   - features: One row per observation, finite. Constant, collinear and hugely scaled columns are
  ///     no errors, nor are more columns than rows.
  ///   - labels: 0 or 1 for each row, both at least once among rows of positive weight.
  ///   - weights: One per row, from 0 up: 2 counts a row twice, 0 leaves it out. Nil is 1 for all.
  ///   - start: A model of the same columns to begin at, such as that of a smaller log or a neighbouring
  ///     λ. It saves steps; the result is within the tolerance of the same minimum.
  /// - Throws: What is wrong with the input, with its position; ``LearningError/separated`` where λ is 0
  ///   and there is no minimum; ``LearningError/notConverged(iterations:gradient:)`` where the
  ///   tolerance was not reached.
  /// - Complexity: O(*n p*²) for one to five factorisations and O(*n p*) for each step, of *n* rows of *p*
  ///   columns; O(*n*² *p*) where there are more columns than rows.
  public func fit(
    _ features: Matrix, labels: ContiguousArray<Double>, weights: ContiguousArray<Double>? = nil,
    startingFrom start: LinearModel? = nil
  ) throws(LearningError) -> LogisticFit {
    try check()
    if let start { try Self.check(start, featureCount: features.columnCount) }
    let (fit, exponents) = try ColumnExponents.fitting(
      features, standardisation, constantColumns: \.constantColumns
    ) { (inRange: Matrix) throws(LearningError) -> LogisticFit in
      let design = try LogisticDesign(
        inRange, labels: labels, weights: weights, standardisation, isPenalised: penalty > 0)
      // The rare columns that had to be brought into range begin anew.
      return try self.fit(
        design, startingFrom: inRange == features ? start : nil)
    }
    let restored = exponents.map { fit.restored($0) } ?? fit
    for (j, value) in (restored.model.coefficients + [restored.model.intercept]).enumerated()
    where !value.isFinite { throw .overflow(column: j) }
    return restored
  }

  /// Fits rows that are ready.
  func fit(
    _ design: LogisticDesign, startingFrom start: LinearModel?
  ) throws(LearningError) -> LogisticFit {
    var solver = solver(design)
    solver.start(at: Self.origin(design), design.rows, penalty: penalty)
    if let start { solver.start(atBetter: design.point(start), design.rows) }
    if penalty > 0 {
      try converge(&solver, design)
    } else {
      try solver.minimiseUnpenalised(design.rows)
    }
    return fit(solver, design)
  }

  /// A solver of these settings, at rest.
  func solver(_ design: LogisticDesign) -> LogisticSolver {
    LogisticSolver(
      order: design.rows.order, slotCount: design.rows.slotCount,
      tolerance: design.tolerance(for: tolerance), maximumIterations: maximumIterations)
  }

  /// Where a fit begins that knows nothing: the intercept alone.
  static func origin(_ design: LogisticDesign) -> ContiguousArray<Double> {
    var origin = ContiguousArray<Double>(repeating: 0, count: design.rows.order)
    origin[design.rows.order - 1] = design.rows.meanLogOdds
    return origin
  }

  /// Lets a solver run to the end.
  func converge(_ solver: inout LogisticSolver, _ design: LogisticDesign) throws(LearningError) {
    guard solver.minimise(design.rows) else {
      throw .notConverged(
        iterations: solver.iterations, gradient: design.gradientNorm(solver.gradient))
    }
  }

  /// What a solver has found.
  func fit(_ solver: LogisticSolver, _ design: LogisticDesign) -> LogisticFit {
    LogisticFit(
      model: design.model(solver.point), penalty: solver.penalty, iterations: solver.iterations,
      gradient: design.gradientNorm(solver.gradient), logLoss: design.rows.meanLoss(solver.scores),
      constantColumns: design.scales.constantColumns, rowCount: design.rowCount,
      weightSum: design.rows.weightSum)
  }

  /// That the settings are in range.
  func check() throws(LearningError) {
    try CheckedInput.check(penalty: penalty)
    guard tolerance > 0, tolerance.isFinite else { throw .invalidSetting("tolerance") }
    guard maximumIterations > 0 else { throw .invalidSetting("maximumIterations") }
  }

  private static func check(_ start: LinearModel, featureCount: Int) throws(LearningError) {
    guard start.featureCount == featureCount else {
      throw .lengthMismatch(expected: featureCount, actual: start.featureCount)
    }
    guard start.link == .logit, start.intercept.isFinite, start.coefficients.allSatisfy(\.isFinite)
    else {
      throw .invalidSetting("start")
    }
  }
}
