public import LinearAlgebra

/// A fitted model of a yes/no target: an intercept and a coefficient per column, in the units of the
/// columns, on the scale of log odds.
public struct LogisticModel: Equatable, Sendable {
  /// The log odds where all columns are 0.
  public let intercept: Double
  /// The change of the log odds per unit of each column; exactly 0 for a constant column.
  public let coefficients: ContiguousArray<Double>

  /// The model with these numbers.
  public init(intercept: Double, coefficients: ContiguousArray<Double>) {
    self.intercept = intercept
    self.coefficients = coefficients
  }

  /// How many columns it was fitted on.
  public var featureCount: Int { coefficients.count }

  /// The log odds of a 1 for one row of ``featureCount`` values; NaN where one of them is NaN.
  ///
  /// - Complexity: O(*p*), without allocating.
  public func logOdds(_ row: ContiguousArray<Double>) -> Double {
    precondition(row.count == featureCount, "\(row.count) values for \(featureCount) columns")
    return intercept + BLAS.dot(featureCount, row, coefficients)
  }

  /// The log odds of a 1 for all rows of a matrix of ``featureCount`` columns.
  ///
  /// - Complexity: O(*n p*).
  public func logOdds(_ features: Matrix) -> ContiguousArray<Double> {
    precondition(
      features.columnCount == featureCount,
      "\(features.columnCount) columns for a model of \(featureCount)")
    var scores = ContiguousArray<Double>(repeating: 0, count: features.rowCount)
    BLAS.gemv(
      rowCount: features.rowCount, columnCount: featureCount, features.storage,
      aLead: max(1, features.rowCount), coefficients, &scores)
    for i in scores.indices { scores[i] += intercept }
    return scores
  }

  /// The probability of a 1 for one row, from 0 to 1.
  public func probability(_ row: ContiguousArray<Double>) -> Double {
    LogisticFunction.probability(logOdds(row))
  }

  /// The probabilities of a 1 for all rows of a matrix.
  public func probabilities(_ features: Matrix) -> ContiguousArray<Double> {
    ContiguousArray(logOdds(features).map(LogisticFunction.probability))
  }

  /// The log loss of each row against its label of 0 or 1: finite, and exact to rounding, however far out
  /// the row lies.
  public func logLosses(
    _ features: Matrix, labels: ContiguousArray<Double>
  ) -> ContiguousArray<Double> {
    precondition(labels.count == features.rowCount, "a label per row")
    return ContiguousArray(
      zip(logOdds(features), labels).map { LogLoss.of(logOdds: $0, outcome: $1) })
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

  private static let kind = "DLgt"
}
