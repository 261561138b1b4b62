public import LinearAlgebra

/// Weighted sums over rows of features and targets: all that ridge regression has to know of them.
///
/// Means and centred products, never raw sums of squares: those lose every digit where a mean is
/// large beside the spread. With z the features followed by the targets, the products are
/// Σ w (z − mean)(z − mean)ᵀ. They are squares in doubles: a column whose deviations are below 1e-145 counts as
/// constant, and one beyond 1e145 may be refused with ``LearningError/overflow(column:)``. A fit from rows has no such limit.
public struct Moments: Equatable, Sendable {
  /// How many features a row has.
  public let featureCount: Int
  /// How many targets a row has.
  public let targetCount: Int
  /// Rows of positive weight.
  public internal(set) var rowCount: Int
  /// The sum of the weights.
  public internal(set) var weightSum: Double
  /// The weighted means, features first.
  public internal(set) var means: ContiguousArray<Double>
  /// The centred products: the lower triangle of a square of ``order``, column-major.
  package internal(set) var products: ContiguousArray<Double>

  /// Features and targets together.
  package var order: Int { featureCount + targetCount }

  /// Sums over no rows.
  ///
  /// - Throws: ``LearningError/emptyInput(rowCount:columnCount:)`` where there is no feature or no target,
  ///   ``LearningError/sizeTooLarge(rowCount:columnCount:)``.
  public init(featureCount: Int, targetCount: Int = 1) throws(LearningError) {
    guard featureCount > 0, targetCount > 0 else {
      throw .emptyInput(rowCount: 0, columnCount: min(featureCount, targetCount))
    }
    let (order, overflows) = featureCount.addingReportingOverflow(targetCount)
    guard !overflows else { throw .sizeTooLarge(rowCount: featureCount, columnCount: featureCount) }
    do { products = try Matrix(rowCount: order, columnCount: order).storage } catch {
      throw LearningError(error)
    }
    means = ContiguousArray(repeating: 0, count: order)
    self.featureCount = featureCount
    self.targetCount = targetCount
    rowCount = 0
    weightSum = 0
  }

  /// The sums with these numbers.
  init(
    featureCount: Int, targetCount: Int, rowCount: Int, weightSum: Double,
    means: ContiguousArray<Double>, products: ContiguousArray<Double>
  ) {
    self.featureCount = featureCount
    self.targetCount = targetCount
    self.rowCount = rowCount
    self.weightSum = weightSum
    self.means = means
    self.products = products
  }

  /// Sums over all rows of a matrix, in one pass over it, or two where a sample of its rows is unlike the
  /// rest.
  ///
  /// - Parameters:
  ///   - features: One row per observation, finite.
  ///   - targets: As many rows, a column per target, finite.
  ///   - weights: One per row, from 0 up: 2 counts a row twice, 0 leaves it out. Nil is 1 for all.
  ///   - threads: How many threads may share the work; the result is the same to the bit.
  /// - Throws: What is wrong with the input, with its position.
  /// - Complexity: O(*n* (*p* + *t*)²) for *n* rows of *p* features and *t* targets; the extra memory
  ///   is that of a block of rows and two squares of sums, per thread.
  /// - Note: The corrected two-pass algorithm: *Algorithms for computing the sample variance*, Chan,
  ///   Golub and LeVeque, The American Statistician 37 (1983), 242–247.
  public init(
    features: Matrix, targets: Matrix, weights: ContiguousArray<Double>? = nil, threads: Int = 1
  ) throws(LearningError) {
    try self.init(
      CheckedInput(features, targets, weights, threads: threads, samples: true), threads: threads)
  }

  /// Sums over rows that have been checked.
  ///
  /// Rows are centred at means that may be those of some rows only: what they are off by falls out of
  /// the sums, and as long as it is less than a standard deviation no digit is lost. Where it is more, a
  /// pass for the means comes first and the sums are taken again.
  package init(_ input: CheckedInput, threads: Int) throws(LearningError) {
    let order = input.means.count
    var input = input
    var sums = Self.centredSums(input, threads: threads)
    if input.isSampled, !Self.isNear(sums, input) {
      try input.measureMeans(threads: threads)
      sums = Self.centredSums(input, threads: threads)
    }
    // The last row is what the means are off by, times the weight sum. It goes, in place.
    let lead = order + 1
    let off = ContiguousArray((0..<order).map { sums[$0 * lead + order] })
    for j in 0..<order {
      let shift = off[j] / input.weightSum
      for i in j..<order { sums[j * order + i] = sums[j * lead + i] - shift * off[i] }
      for i in 0..<j { sums[j * order + i] = 0 }
      guard sums[j * order + j].isFinite else { throw .overflow(column: j) }
    }
    sums.removeLast(lead * lead - order * order)
    var means = input.means
    for j in 0..<order { means[j] += off[j] / input.weightSum }
    self.init(
      featureCount: input.features.columnCount, targetCount: input.targets.columnCount,
      rowCount: input.positiveCount, weightSum: input.weightSum, means: means, products: sums)
  }

  /// The sums of all chunks, added in their order.
  private static func centredSums(
    _ input: CheckedInput, threads: Int
  ) -> ContiguousArray<Double> {
    let order = input.means.count
    if threads > 1 && input.chunks.count > 1 {
      let parts = Parallel.map(input.chunks.count, threads: threads) { index in
        var part = CentredProducts(order: order)
        part.sum(input, rows: input.chunks[index])
        return part.products
      }
      var sums = parts[0]
      for part in parts.dropFirst() { Elementwise.add(sums.count, 1, part, to: &sums) }
      return sums
    }
    var part = CentredProducts(order: order)
    part.sum(input, rows: input.chunks[0])
    var sums = part.products
    for chunk in input.chunks.dropFirst() {
      part.sum(input, rows: chunk)
      Elementwise.add(sums.count, 1, part.products, to: &sums)
    }
    return sums
  }

  /// Whether every mean that rows were centred at is within a standard deviation of the true one, or off
  /// by rounding only; false for NaN.
  private static func isNear(_ sums: ContiguousArray<Double>, _ input: CheckedInput) -> Bool {
    let (order, lead) = (input.means.count, input.means.count + 1)
    return (0..<order).allSatisfy { j in
      let shift = abs(sums[j * lead + order]) / input.weightSum
      let rounding = Double(input.positiveCount) * .ulpOfOne * abs(input.means[j])
      return shift * shift * input.weightSum <= sums[j * lead + j] / 2 || shift <= rounding
    }
  }

  /// Takes the rows of another state in, as if they had been summed together.
  ///
  /// - Throws: ``LearningError/incompatibleState`` where they have other counts of features or targets.
  /// - Note: *Updating formulae and a pairwise algorithm for computing sample variances*, Chan, Golub
  ///   and LeVeque, COMPSTAT 1982.
  public mutating func merge(_ other: Moments) throws(LearningError) {
    guard other.featureCount == featureCount, other.targetCount == targetCount else {
      throw .incompatibleState
    }
    guard other.rowCount > 0 else { return }
    guard rowCount > 0 else {
      self = other
      return
    }
    let total = weightSum + other.weightSum
    let share = other.weightSum / total
    var apart = other.means
    for j in 0..<order { apart[j] -= means[j] }
    for j in 0..<order {
      let scaled = apart[j] * weightSum * share
      for i in j..<order {
        products[j * order + i] += other.products[j * order + i] + scaled * apart[i]
      }
    }
    for j in 0..<order { means[j] += apart[j] * share }
    weightSum = total
    rowCount += other.rowCount
  }
}

/// Products of rows centred at given means, block after block of rows that stays in the cache.
private struct CentredProducts {
  /// Lower triangle of order + 1: features and targets, then a column of root weights, whose products
  /// are what the means are off by.
  private(set) var products: ContiguousArray<Double>
  private var block: ContiguousArray<Double>
  private let order: Int
  /// How many rows make a block: 0.8 MB at most, to stay in the cache, and enough of them for the
  /// products to be worth reading back.
  private let lead: Int

  init(order: Int) {
    self.order = order
    lead = max(64, min(384, 98_304 / (order + 1)))
    products = ContiguousArray(repeating: 0, count: (order + 1) * (order + 1))
    block = ContiguousArray(repeating: 1, count: (order + 1) * lead)
  }

  /// Becomes the products of some rows.
  mutating func sum(_ input: CheckedInput, rows: Range<Int>) {
    for from in stride(from: rows.lowerBound, to: rows.upperBound, by: lead) {
      let part = from..<min(from + lead, rows.upperBound)
      input.centre(rows: part, into: &block, lead: lead)
      if let roots = input.rootWeights {
        for (i, row) in part.enumerated() { block[order * lead + i] = roots[row] }
      }
      BLAS.syrk(
        Block(block, rowCount: part.count, columnCount: order + 1, lead: lead).transposed,
        accumulates: from > rows.lowerBound, isFinite: true, &products)
    }
  }
}
