internal import LinearAlgebra

/// The checks that every fit makes before a number reaches BLAS.
enum InputCheck {
  /// That rows, targets and weights belong together and that there are some.
  static func shapes(
    features: Matrix, targets: Matrix, weights: ContiguousArray<Double>?
  ) throws(LearningError) {
    guard features.rowCount > 0, features.columnCount > 0, targets.columnCount > 0 else {
      throw .emptyInput(rowCount: features.rowCount, columnCount: features.columnCount)
    }
    guard targets.rowCount == features.rowCount else {
      throw .lengthMismatch(expected: features.rowCount, actual: targets.rowCount)
    }
    if let weights {
      guard weights.count == features.rowCount else {
        throw .lengthMismatch(expected: features.rowCount, actual: weights.count)
      }
      for (row, weight) in weights.enumerated() where !(weight >= 0 && weight.isFinite) {
        throw .invalidWeight(row: row)
      }
    }
  }

  /// The matrix that has one vector as its column.
  static func column(_ vector: ContiguousArray<Double>) throws(LearningError) -> Matrix {
    do { return try Matrix(columnMajor: vector, rowCount: vector.count, columnCount: 1) } catch {
      throw LearningError(error)
    }
  }

  /// That a penalty is a finite number from 0 up.
  static func penalty(_ penalty: Double, position: Int = 0) throws(LearningError) {
    guard penalty >= 0, penalty.isFinite else { throw .invalidPenalty(position: position) }
  }

  /// That one row is as long as it should be and finite, and its weight valid.
  static func row(
    _ row: ContiguousArray<Double>, featureCount: Int, target: Double, weight: Double,
    position: Int = 0
  ) throws(LearningError) {
    guard row.count == featureCount else {
      throw .lengthMismatch(expected: featureCount, actual: row.count)
    }
    if let column = row.firstIndex(where: { !$0.isFinite }) {
      throw .nonFiniteFeature(row: position, column: column)
    }
    guard target.isFinite else { throw .nonFiniteTarget(row: position, column: 0) }
    guard weight >= 0, weight.isFinite else { throw .invalidWeight(row: position) }
  }

  /// Names the first entry of `matrix` that is not finite, column by column; where there is none, the
  /// sum of the column has left the range of a double.
  static func nonFinite(
    in matrix: Matrix, column: Int, isTarget: Bool
  ) -> LearningError {
    let storage = matrix.storage
    for row in 0..<matrix.rowCount where !storage[column * matrix.rowCount + row].isFinite {
      return isTarget
        ? .nonFiniteTarget(row: row, column: column) : .nonFiniteFeature(row: row, column: column)
    }
    return .overflow(column: column)
  }
}
