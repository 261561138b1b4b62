public import LinearAlgebra

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

  /// The predictions for all rows of a matrix of ``featureCount`` columns.
  ///
  /// - Complexity: O(*n p*).
  public func predict(_ features: Matrix) -> ContiguousArray<Double> {
    precondition(
      features.columnCount == featureCount,
      "\(features.columnCount) columns for a model of \(featureCount)")
    var predictions = ContiguousArray<Double>(repeating: 0, count: features.rowCount)
    BLAS.gemv(
      rowCount: features.rowCount, columnCount: featureCount, features.storage,
      aLead: max(1, features.rowCount), coefficients, &predictions)
    for i in predictions.indices { predictions[i] += intercept }
    return predictions
  }

  /// The model as a blob: versioned, checksummed, the same bytes for the same model.
  public func encoded() -> [UInt8] {
    var writer = BlobWriter(kind: Self.kind, version: 1)
    writer.write(intercept)
    writer.write(coefficients)
    return writer.finish()
  }

  /// The model in a blob, to the bit.
  public init(decoding bytes: [UInt8]) throws(BlobError) {
    var reader = try BlobReader(bytes, kind: Self.kind, supported: 1)
    intercept = try reader.readDouble()
    coefficients = try reader.readDoubles()
    try reader.finish()
    guard intercept.isFinite, coefficients.allSatisfy(\.isFinite) else {
      throw .malformed("a coefficient that is not finite")
    }
  }

  private static let kind = "DRdg"
}
