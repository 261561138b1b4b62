public import LinearAlgebra

/// A fitted linear model of one target: an intercept and a coefficient per column, in the units of
/// the columns.
public struct RidgeModel: Equatable, Sendable {
  private let linear: LinearPredictor

  /// The model with these numbers.
  public init(intercept: Double, coefficients: ContiguousArray<Double>) {
    linear = LinearPredictor(intercept: intercept, coefficients: coefficients)
  }

  /// What is predicted where all columns are 0.
  public var intercept: Double { linear.intercept }
  /// The change of the prediction per unit of each column; exactly 0 for a constant column.
  public var coefficients: ContiguousArray<Double> { linear.coefficients }
  /// How many columns it was fitted on.
  public var featureCount: Int { linear.coefficients.count }

  /// The prediction for one row of ``featureCount`` values; NaN where one of them is NaN.
  ///
  /// - Complexity: O(*p*), without allocating.
  public func predict(_ row: ContiguousArray<Double>) -> Double { linear.score(row) }

  /// The predictions for all rows of a matrix of ``featureCount`` columns.
  ///
  /// - Complexity: O(*n p*).
  public func predict(_ features: Matrix) -> ContiguousArray<Double> { linear.scores(features) }

  /// The model as a blob: versioned, checksummed, the same bytes for the same model.
  public func encoded() -> [UInt8] { linear.encoded(kind: Self.kind) }

  /// The model in a blob, to the bit.
  public init(decoding bytes: [UInt8]) throws(BlobError) {
    linear = try LinearPredictor(decoding: bytes, kind: Self.kind)
  }

  private static let kind = "DRdg"
}
