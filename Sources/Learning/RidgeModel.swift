internal import LinearAlgebra

/// A fitted linear model of one target: an intercept and a coefficient per column, in the units of
/// the columns.
public struct RidgeModel: Equatable, Sendable {
  /// What is predicted where all columns are 0.
  public let intercept: Double
  /// The change of the prediction per unit of each column; exactly 0 for a constant column.
  public let coefficients: ContiguousArray<Double>

  /// The model with these numbers.
  public init(intercept: Double, coefficients: ContiguousArray<Double>) {
    self.intercept = intercept
    self.coefficients = coefficients
  }

  /// How many columns it was fitted on.
  public var featureCount: Int { coefficients.count }

  /// The prediction for one row of ``featureCount`` values; NaN where one of them is NaN.
  ///
  /// - Complexity: O(*p*), without allocating.
  public func predict(_ row: ContiguousArray<Double>) -> Double {
    precondition(row.count == featureCount, "\(row.count) values for \(featureCount) columns")
    return intercept + BLAS.dot(featureCount, row, coefficients)
  }
}
