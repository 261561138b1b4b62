internal import LinearAlgebra

/// An intercept and a coefficient per column: what a fitted model of either kind is in the end.
struct LinearPredictor: Equatable, Sendable {
  let intercept: Double
  let coefficients: ContiguousArray<Double>

  /// The score of one row, without allocating; NaN where one of its values is NaN.
  func score(_ row: ContiguousArray<Double>) -> Double {
    precondition(
      row.count == coefficients.count, "\(row.count) values for \(coefficients.count) columns")
    return intercept + BLAS.dot(row.count, row, coefficients)
  }

  /// The scores of all rows of a matrix.
  func scores(_ features: Matrix) -> ContiguousArray<Double> {
    precondition(
      features.columnCount == coefficients.count,
      "\(features.columnCount) columns for a model of \(coefficients.count)")
    var scores = ContiguousArray<Double>(repeating: 0, count: features.rowCount)
    BLAS.gemv(features.block, coefficients, &scores)
    for i in scores.indices { scores[i] += intercept }
    return scores
  }

  /// Both as a blob of this kind, the same bytes for the same numbers.
  func encoded(kind: String) -> [UInt8] {
    var writer = BlobWriter(kind: kind, version: 1)
    writer.write(intercept)
    writer.write(coefficients)
    return writer.finish()
  }
}

extension LinearPredictor {
  /// What is in a blob of this kind, to the bit.
  init(decoding bytes: [UInt8], kind: String) throws(BlobError) {
    var reader = try BlobReader(bytes, kind: kind, supported: 1)
    intercept = try reader.readDouble()
    coefficients = try reader.readDoubles()
    try reader.finish()
    guard intercept.isFinite, coefficients.allSatisfy(\.isFinite) else {
      throw .malformed("a coefficient that is not finite")
    }
  }
}
