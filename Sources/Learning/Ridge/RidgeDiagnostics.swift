public import LinearAlgebra

/// What a ridge fit looks like from its own rows.
public struct RidgeDiagnostics: Sendable {
  /// y − ŷ: a row per row, a column per target.
  public let residuals: Matrix
  /// The weight of each row's own target in its fitted value, 0 to 1; 0 for a row of weight 0.
  public let leverages: ContiguousArray<Double>
  /// y − ŷ of a refit without the row: residual / (1 − leverage). Infinite where the row alone decides
  /// its own fitted value, that is where the leverage is 1 to rounding.
  public let leaveOneOutResiduals: Matrix
  /// Per target: the weighted mean square of the leave-one-out residuals.
  public let leaveOneOutMeanSquares: ContiguousArray<Double>
  /// Per target: mean square residual / (1 − degrees of freedom / rows)², generalised cross-validation.
  public let generalisedCrossValidation: ContiguousArray<Double>
  /// Effective degrees of freedom: the sum of the leverages, the intercept counts 1.
  public let degreesOfFreedom: Double
  /// Per target: weighted sum of squared residuals / (rows − degrees of freedom), an estimate of the
  /// noise variance at weight 1; infinite where no degree of freedom is left.
  public let residualVariance: ContiguousArray<Double>

  init(
    _ fit: RidgeFit, _ input: CheckedInput, _ weights: ContiguousArray<Double>?
  ) throws(LearningError) {
    let (features, targets) = (input.features, input.targets)
    let order = features.columnCount
    let rowCount = features.rowCount
    var leverages = ContiguousArray<Double>()
    leverages.reserveCapacity(rowCount)
    let lead = min(rowCount, 256)
    var block = ContiguousArray<Double>(repeating: 0, count: lead * order)
    for from in stride(from: 0, to: rowCount, by: lead) {
      let part = from..<min(from + lead, rowCount)
      features.centre(
        rows: part, means: fit.scales.means, columnFactors: fit.scales.inverseScales,
        rowFactors: nil, into: &block, lead: lead)
      let forms = fit.geometry.forms(&block, count: part.count, order: order, lead: lead)
      for (i, row) in part.enumerated() {
        leverages.append((weights.map { $0[row] } ?? 1) * (1 / fit.weightSum + forms[i]))
      }
    }
    func isCounted(_ row: Int) -> Bool { weights.map { $0[row] > 0 } ?? true }
    // What a row leaves to the others, and the residuals, where they can be had without cancellation.
    var shares = ContiguousArray(leverages.map { 1 - $0 })
    var own: (residuals: ContiguousArray<Double>, leftOut: ContiguousArray<Double>)?
    if case .dual(let geometry) = fit.geometry, geometry.isMade(from: input) {
      let parts = geometry.leftOut()
      for i in 0..<rowCount where isCounted(i) {
        shares[i] = parts.shares[i]
        leverages[i] = 1 - shares[i]
      }
      own = (parts.residuals, parts.leftOut)
    }
    let freedom = leverages.reduce(0, +)
    let count = Double(fit.rowCount)
    let leftFreedom = (0..<rowCount).reduce(0.0) { sum, i in isCounted(i) ? sum + shares[i] : sum }
    var (residuals, leftOut) = (targets, targets)
    var (squares, variances) = (ContiguousArray<Double>(), ContiguousArray<Double>())
    var generalised = ContiguousArray<Double>()
    for (t, model) in fit.models.enumerated() {
      let predictions = try model.predict(features)
      var (sum, leftOutSum) = (0.0, 0.0)
      for i in 0..<rowCount {
        let weight = weights.map { $0[i] } ?? 1
        var residual = targets[i, t] - predictions[i]
        if let own, weight > 0 {
          residual = own.residuals[t * rowCount + i]
          leftOut[i, t] = own.leftOut[t * rowCount + i]
        } else {
          leftOut[i, t] = Self.leftOut(residual, shares[i], rowCount: fit.rowCount)
        }
        residuals[i, t] = residual
        sum += weight * residual * residual
        if weight > 0 { leftOutSum += weight * leftOut[i, t] * leftOut[i, t] }
      }
      squares.append(leftOutSum / fit.weightSum)
      variances.append(leftFreedom > 0 ? sum / leftFreedom : .infinity)
      let left = leftFreedom / count
      generalised.append(left > 0 ? sum / fit.weightSum / (left * left) : .infinity)
    }
    self.residuals = residuals
    self.leverages = leverages
    leaveOneOutResiduals = leftOut
    leaveOneOutMeanSquares = squares
    generalisedCrossValidation = generalised
    degreesOfFreedom = freedom
    residualVariance = variances
  }

  /// A residual divided by what the row leaves to the others, infinite where that is nothing.
  static func leftOut(_ residual: Double, _ left: Double, rowCount: Int) -> Double {
    left > .ulpOfOne * Double(max(16, rowCount)) ? residual / left : .infinity
  }
}
