public import LinearAlgebra

/// A fitted model of a yes/no target: an intercept and a coefficient per column, in the units of the
/// columns, on the scale of log odds.
public struct LogisticModel: Equatable, Sendable {
  private let linear: LinearPredictor

  /// The model with these numbers.
  public init(intercept: Double, coefficients: ContiguousArray<Double>) {
    linear = LinearPredictor(intercept: intercept, coefficients: coefficients)
  }

  /// The log odds where all columns are 0.
  public var intercept: Double { linear.intercept }
  /// The change of the log odds per unit of each column; exactly 0 for a constant column.
  public var coefficients: ContiguousArray<Double> { linear.coefficients }
  /// How many columns it was fitted on.
  public var featureCount: Int { linear.coefficients.count }

  /// The log odds of a 1 for one row of ``featureCount`` values; NaN where one of them is NaN.
  ///
  /// - Complexity: O(*p*), without allocating.
  public func logOdds(_ row: ContiguousArray<Double>) -> Double { linear.score(row) }

  /// The log odds of a 1 for all rows of a matrix of ``featureCount`` columns.
  ///
  /// - Complexity: O(*n p*).
  public func logOdds(_ features: Matrix) -> ContiguousArray<Double> { linear.scores(features) }

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
  public func encoded() -> [UInt8] { linear.encoded(kind: Self.kind) }

  /// The model in a blob, to the bit.
  public init(decoding bytes: [UInt8]) throws(BlobError) {
    linear = try LinearPredictor(decoding: bytes, kind: Self.kind)
  }

  private static let kind = "DLgt"
}
