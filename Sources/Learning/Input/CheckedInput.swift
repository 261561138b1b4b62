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
  /// Whether ``means`` are those of some rows only, and numbers that are not finite are yet to be found.
  private(set) var isSampled: Bool
  /// The parts that work is shared out in: cut by the number of rows alone, so that sums over them do
  /// not depend on threads.
  package let chunks: [Range<Int>]
  private let weights: ContiguousArray<Double>?

  /// Checks everything in one pass over the numbers.
  ///
  /// - Parameter samples: Whether, of many rows, some are enough for the means: to centre at while sums
  ///   are taken, which tell by how much they are off. Spares a pass over the numbers.
  package init(
    _ features: Matrix, _ targets: Matrix, _ weights: ContiguousArray<Double>?, threads: Int = 1,
    samples: Bool = false
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
    self.weights = weights
    rootWeights = weights.map { ContiguousArray($0.map { $0.squareRoot() }) }
    positiveCount = weights.map { $0.count { $0 > 0 } } ?? rowCount
    weightSum = weights.map { $0.reduce(0, +) } ?? Double(rowCount)
    guard positiveCount > 0, weightSum > 0 else { throw .tooFewRows(needed: 1, actual: 0) }
    guard weightSum.isFinite else { throw .overflow(column: 0) }
    chunks = Self.chunks(rowCount)
    means = []
    isSampled = false
    if samples, rowCount >= 1024 { sampleMeans() }
    if !isSampled { try measureMeans(threads: threads) }
  }

  /// Takes ``means`` from eight runs of eight rows, where those have a weight and are finite.
  private mutating func sampleMeans() {
    let (run, last) = (8, features.rowCount - 8)
    let counted = weights ?? ContiguousArray(repeating: 1, count: features.rowCount)
    var (total, sums) = (0.0, ContiguousArray<Double>(repeating: 0, count: order))
    for at in stride(from: 0, through: last, by: last / 7) {
      addSums(rows: at..<at + run, counted, to: &sums)
      for i in at..<at + run { total += counted[i] }
    }
    guard total > 0 else { return }
    for j in 0..<order { sums[j] /= total }
    guard sums.allSatisfy(\.isFinite) else { return }
    means = sums
    isSampled = true
  }

  /// Takes ``means`` from all rows.
  ///
  /// - Throws: Which number is not finite; a sum is finite only if all its terms are.
  mutating func measureMeans(threads: Int) throws(LearningError) {
    let counted = weights ?? ContiguousArray(repeating: 1, count: features.rowCount)
    let input = self
    let sums = Parallel.map(chunks.count, threads: threads) { index in
      var sums = ContiguousArray<Double>(repeating: 0, count: input.order)
      input.addSums(rows: input.chunks[index], counted, to: &sums)
      return sums
    }
    means = ContiguousArray(repeating: 0, count: order)
    isSampled = false
    for j in 0..<order {
      for part in sums { means[j] += part[j] }
      means[j] /= weightSum
      guard means[j].isFinite else {
        throw j < features.columnCount
          ? Self.nonFinite(in: features, column: j, LearningError.nonFiniteFeature)
          : Self.nonFinite(
            in: targets, column: j - features.columnCount, LearningError.nonFiniteTarget)
      }
    }
  }

  /// Adds the weighted sums of some rows.
  private func addSums(
    rows: Range<Int>, _ counted: ContiguousArray<Double>, to sums: inout ContiguousArray<Double>
  ) {
    for (matrix, at) in [(features, 0), (targets, features.columnCount)] {
      BLAS.gemv(
        matrix.block(rows: rows).transposed, counted, xAt: rows.lowerBound, accumulates: true,
        &sums, yAt: at)
    }
  }

  /// Features and targets together.
  private var order: Int { features.columnCount + targets.columnCount }

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
    for (row, weight) in weights.enumerated() where !isValid(weight: weight) {
      throw .invalidWeight(row: row)
    }
  }

  /// Whether a number can be a weight: 0, or one whose products with shares and sums stay in the range of a double.
  private static func isValid(weight: Double) -> Bool {
    weight == 0 || weight >= 0x1p-1000 && weight <= 0x1p1000
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
    guard isValid(weight: weight) else { throw .invalidWeight(row: position) }
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
