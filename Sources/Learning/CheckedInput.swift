package import LinearAlgebra

/// Rows, targets and weights that have passed every check, with the weighted means that fell out of
/// checking.
package struct CheckedInput: Sendable {
  package let features: Matrix
  package let targets: Matrix
  /// Square roots of the weights, nil where all are 1.
  package let rootWeights: ContiguousArray<Double>?
  /// Rows of positive weight.
  package let positiveCount: Int
  package let weightSum: Double
  /// The weighted means of features and targets to rounding; a second pass mends the last digits.
  package private(set) var means: ContiguousArray<Double>
  /// The parts that work is shared out in: cut by the number of rows alone, so that sums over them do
  /// not depend on threads.
  package let chunks: [Range<Int>]

  /// Checks everything in one pass over the numbers.
  package init(
    _ features: Matrix, _ targets: Matrix, _ weights: ContiguousArray<Double>?, threads: Int = 1
  ) throws(LearningError) {
    let rowCount = features.rowCount
    guard rowCount > 0, features.columnCount > 0, targets.columnCount > 0 else {
      throw .emptyInput(rowCount: rowCount, columnCount: features.columnCount)
    }
    guard targets.rowCount == rowCount else {
      throw .lengthMismatch(expected: rowCount, actual: targets.rowCount)
    }
    if let weights { try Self.check(weights: weights, count: rowCount) }
    self.features = features
    self.targets = targets
    rootWeights = weights.map { ContiguousArray($0.map { $0.squareRoot() }) }
    positiveCount = weights.map { $0.count { $0 > 0 } } ?? rowCount
    let counted = weights ?? ContiguousArray(repeating: 1, count: rowCount)
    weightSum = counted.reduce(0, +)
    guard positiveCount > 0, weightSum > 0 else { throw .tooFewRows(needed: 1, actual: 0) }
    guard weightSum.isFinite else { throw .overflow(column: 0) }
    chunks = Self.chunks(rowCount)

    let featureCount = features.columnCount
    let order = featureCount + targets.columnCount
    let chunks = chunks
    let sums = Parallel.map(chunks.count, threads: threads) { index in
      var sums = ContiguousArray<Double>(repeating: 0, count: order)
      for (matrix, at) in [(features, 0), (targets, featureCount)] {
        BLAS.gemv(
          transposed: true, rowCount: chunks[index].count, columnCount: matrix.columnCount,
          matrix.storage, aAt: chunks[index].lowerBound, aLead: rowCount, counted,
          xAt: chunks[index].lowerBound, &sums, yAt: at)
      }
      return sums
    }
    means = ContiguousArray(repeating: 0, count: order)
    for j in 0..<order {
      for part in sums { means[j] += part[j] }
      means[j] /= weightSum
      // A sum is finite only if all its terms are, so this is the check for NaN as well.
      guard means[j].isFinite else {
        throw j < featureCount
          ? Self.nonFinite(in: features, column: j, LearningError.nonFiniteFeature)
          : Self.nonFinite(in: targets, column: j - featureCount, LearningError.nonFiniteTarget)
      }
    }
  }

  /// Centred rows, times their root weights: features, then targets, in a block of `lead` rows.
  package func centre(
    rows: Range<Int>, into block: inout ContiguousArray<Double>, lead: Int
  ) {
    features.centre(
      rows: rows, means: means, rowFactors: rootWeights, into: &block, lead: lead)
    targets.centre(
      rows: rows, means: means, meansAt: features.columnCount, rowFactors: rootWeights,
      into: &block, at: features.columnCount * lead, lead: lead)
  }

  /// That there is one valid weight per row.
  package static func check(
    weights: ContiguousArray<Double>, count: Int
  ) throws(LearningError) {
    guard weights.count == count else {
      throw .lengthMismatch(expected: count, actual: weights.count)
    }
    for (row, weight) in weights.enumerated() where !(weight >= 0 && weight.isFinite) {
      throw .invalidWeight(row: row)
    }
  }

  /// That a penalty is a finite number from 0 up.
  package static func check(penalty: Double, position: Int = 0) throws(LearningError) {
    guard penalty >= 0, penalty.isFinite else { throw .invalidPenalty(position: position) }
  }

  /// That one row is as long as it should be and finite, and its target and weight valid.
  package static func check(
    row: ContiguousArray<Double>, featureCount: Int, target: Double, weight: Double,
    position: Int = 0
  ) throws(LearningError) {
    guard row.count == featureCount else {
      throw .lengthMismatch(expected: featureCount, actual: row.count)
    }
    for column in 0..<featureCount where !row[column].isFinite {
      throw .nonFiniteFeature(row: position, column: column)
    }
    guard target.isFinite else { throw .nonFiniteTarget(row: position, column: 0) }
    guard weight >= 0, weight.isFinite else { throw .invalidWeight(row: position) }
  }

  /// The matrix that has one vector as its column.
  package static func column(_ vector: ContiguousArray<Double>) throws(LearningError) -> Matrix {
    do { return try Matrix(columnMajor: vector, rowCount: vector.count, columnCount: 1) } catch {
      throw LearningError(error)
    }
  }

  /// The first entry of a column that is not finite; where all are, their sum has left the range of a
  /// double.
  private static func nonFinite(
    in matrix: Matrix, column: Int, _ error: (Int, Int) -> LearningError
  ) -> LearningError {
    for row in 0..<matrix.rowCount where !matrix[row, column].isFinite { return error(row, column) }
    return .overflow(column: column)
  }

  /// One chunk below 4,096 rows, at most eight, each a multiple of a block of 192 rows.
  private static func chunks(_ rowCount: Int) -> [Range<Int>] {
    let count = max(1, min(8, rowCount / 2048))
    let length = (rowCount + count * 192 - 1) / (count * 192) * 192
    return stride(from: 0, to: rowCount, by: length).map { $0..<min($0 + length, rowCount) }
  }
}
