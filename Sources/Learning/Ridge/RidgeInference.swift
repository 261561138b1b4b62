public import LinearAlgebra

/// How sure a ridge fit is: standard errors, R² and intervals, with the noise estimated from its rows.
///
/// The covariance of the standardised coefficients is σ²(G + λI)⁻¹. With λ = 0 that is the one of least
/// squares; with a penalty it is the posterior under a normal prior of variance σ²/λ for each, which does
/// not count what shrinking takes off. σ² is ``RidgeDiagnostics/residualVariance``, and intervals are those
/// of Student's t with ``residualDegreesOfFreedom``: right for noise that is normal, of equal spread at
/// weight 1, and independent from row to row. For a series in time prefer intervals from past errors, such
/// as ``SplitConformal``.
public struct RidgeInference: Sendable {
  /// Residuals, leverages and degrees of freedom of the rows.
  public let diagnostics: RidgeDiagnostics
  /// Rows of positive weight less the effective degrees of freedom; 0 where they leave none.
  public let residualDegreesOfFreedom: Double
  /// Per target: the share of the weighted variance about the mean that the fit explains; NaN for a target
  /// that does not vary.
  public let rSquared: ContiguousArray<Double>
  /// Per target: R² with both variances divided by their degrees of freedom.
  public let adjustedRSquared: ContiguousArray<Double>
  /// The standard error of each coefficient in the unit of its column: a row per column, a column per
  /// target. 0 for a constant column; infinite where no degree of freedom is left.
  public let standardErrors: Matrix
  /// Per target: the standard error of the intercept.
  public let interceptStandardErrors: ContiguousArray<Double>
  private let fit: RidgeFit

  /// A value with the bounds that it lies between.
  public struct Interval: Equatable, Sendable {
    /// The fitted value.
    public let estimate: Double
    /// The lower bound.
    public let lower: Double
    /// The upper bound.
    public let upper: Double
  }

  init(
    _ fit: RidgeFit, _ diagnostics: RidgeDiagnostics, _ targets: Matrix,
    _ weights: ContiguousArray<Double>?
  ) throws(LearningError) {
    self.fit = fit
    self.diagnostics = diagnostics
    let order = fit.scales.means.count
    let count = Double(fit.rowCount)
    // Leverages are right to some roundings: what is less than that of a row is none.
    let difference = count - diagnostics.degreesOfFreedom
    let left = difference > 1e-9 * count ? difference : 0
    let variances = ContiguousArray(
      diagnostics.residualVariance.map { left > 0 ? $0 : .infinity })
    residualDegreesOfFreedom = left
    rSquared = ContiguousArray(
      (0..<targets.columnCount).map { t in
        let mean = Self.mean(targets.column(t), weights)
        // Squares of tiny or huge targets would leave the range of a double.
        let largest = targets.column(t).reduce(0) { max($0, abs($1 - mean)) }
        return 1
          - Self.weightedSquares(diagnostics.residuals.column(t), weights, about: 0, in: largest)
          / Self.weightedSquares(targets.column(t), weights, about: mean, in: largest)
      })
    adjustedRSquared = ContiguousArray(
      rSquared.map { left > 0 ? 1 - (count - 1) / left * (1 - $0) : .nan })

    // The diagonal of (G + λI)⁻¹ is its quadratic form at each unit vector.
    var unit = ContiguousArray<Double>(repeating: 0, count: order * order)
    for j in 0..<order { unit[j * order + j] = 1 }
    let forms = fit.geometry.forms(&unit, count: order, order: order, lead: max(1, order))
    let atZero = try fit.leverage(of: ContiguousArray(repeating: 0, count: order))
    interceptStandardErrors = ContiguousArray(variances.map { ($0 * atZero).squareRoot() })
    var errors: Matrix
    do { errors = try Matrix(rowCount: order, columnCount: targets.columnCount) } catch {
      throw LearningError(error)
    }
    for (t, variance) in variances.enumerated() {
      for j in 0..<order where fit.scales.inverseScales[j] > 0 {
        errors[j, t] = (variance * forms[j]).squareRoot() * fit.scales.inverseScales[j]
      }
    }
    standardErrors = errors
  }

  /// Where the mean of all rows like this one lies, with the given probability.
  ///
  /// - Parameters:
  ///   - row: One finite value per column.
  ///   - coverage: Above 0 and below 1.
  ///   - target: Which target, from 0.
  /// - Throws: What is wrong with the row; ``LearningError/invalidSetting(_:)`` for the others.
  /// - Complexity: O(*p*²).
  public func meanInterval(
    for row: ContiguousArray<Double>, coverage: Double = 0.95, target: Int = 0
  ) throws(LearningError) -> Interval {
    try interval(row, coverage, target, ofNewRow: 0)
  }

  /// Where the target of one new row of weight 1 lies, with the given probability.
  ///
  /// Parameters, errors and cost are those of ``meanInterval(for:coverage:target:)``.
  public func predictionInterval(
    for row: ContiguousArray<Double>, coverage: Double = 0.95, target: Int = 0
  ) throws(LearningError) -> Interval {
    try interval(row, coverage, target, ofNewRow: 1)
  }

  private func interval(
    _ row: ContiguousArray<Double>, _ coverage: Double, _ target: Int, ofNewRow share: Double
  ) throws(LearningError) -> Interval {
    guard coverage > 0, coverage < 1 else { throw .invalidSetting("coverage") }
    guard fit.models.indices.contains(target) else { throw .invalidSetting("target") }
    let leverage = try fit.leverage(of: row)
    let estimate = try fit.models[target].predict(row)
    guard residualDegreesOfFreedom > 0 else {
      return Interval(estimate: estimate, lower: -.infinity, upper: .infinity)
    }
    let half =
      StudentT(degreesOfFreedom: residualDegreesOfFreedom).quantile(twoSidedTail: 1 - coverage)
      * (diagnostics.residualVariance[target] * (leverage + share)).squareRoot()
    return Interval(estimate: estimate, lower: estimate - half, upper: estimate + half)
  }

  private static func mean(
    _ values: ContiguousArray<Double>, _ weights: ContiguousArray<Double>?
  ) -> Double {
    guard let weights else { return values.reduce(0, +) / Double(values.count) }
    return zip(values, weights).reduce(0) { $0 + $1.0 * $1.1 } / weights.reduce(0, +)
  }

  private static func weightedSquares(
    _ values: ContiguousArray<Double>, _ weights: ContiguousArray<Double>?, about mean: Double,
    in unit: Double
  ) -> Double {
    values.indices.reduce(0) { sum, i in
      let apart = (values[i] - mean) / unit
      return sum + (weights.map { $0[i] } ?? 1) * apart * apart
    }
  }
}

extension RidgeFit {
  /// Standard errors, R² and intervals. The arguments are those of the fit.
  ///
  /// - Complexity: That of ``diagnostics(_:targets:weights:)`` and O(*p*³).
  public func inference(
    _ features: Matrix, targets: Matrix, weights: ContiguousArray<Double>? = nil
  ) throws(LearningError) -> RidgeInference {
    try RidgeInference(
      self, diagnostics(features, targets: targets, weights: weights), targets, weights)
  }

  /// The same for a fit of one target.
  public func inference(
    _ features: Matrix, target: ContiguousArray<Double>, weights: ContiguousArray<Double>? = nil
  ) throws(LearningError) -> RidgeInference {
    try inference(features, targets: CheckedInput.column(target), weights: weights)
  }
}
