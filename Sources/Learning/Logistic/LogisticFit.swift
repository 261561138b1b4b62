/// What a logistic fit found. There is none that has not converged: that is an error.
public struct LogisticFit: Sendable {
  /// The model, in the units of the columns, with the logit as its link.
  public let model: LinearModel
  /// λ.
  public let penalty: Double
  /// Steps taken.
  public let iterations: Int
  /// The gradient of the objective divided by the weight sum, in the infinity norm, at the model.
  public let gradient: Double
  /// The mean log loss of the rows, without the penalty.
  public let logLoss: Double
  /// The columns found constant, whose coefficient is 0; ascending.
  public let constantColumns: [Int]
  /// Rows of positive weight.
  public let rowCount: Int
  /// The sum of the weights.
  public let weightSum: Double

  /// The fit of the columns as they were before `exponents` were taken off.
  func restored(_ exponents: [Int]) -> LogisticFit {
    LogisticFit(
      model: model.restored(exponents), penalty: penalty, iterations: iterations,
      gradient: gradient, logLoss: logLoss,
      constantColumns: constantColumns, rowCount: rowCount, weightSum: weightSum)
  }
}
