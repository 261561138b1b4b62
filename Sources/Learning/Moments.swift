public import LinearAlgebra

/// Weighted sums over rows of features and targets: all that ridge regression has to know of them.
///
/// Means and centred products, never raw sums of squares: those lose every digit where a mean is
/// large beside the spread. With z the features followed by the targets, ``products`` is
/// Σ w (z − mean)(z − mean)ᵀ.
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
  /// The centred products: the lower triangle of a square of `order`, column-major.
  package internal(set) var products: ContiguousArray<Double>

  /// Features and targets together.
  var order: Int { featureCount + targetCount }

  /// Sums over no rows.
  public init(featureCount: Int, targetCount: Int = 1) throws(LearningError) {
    do {
      let order = featureCount + targetCount
      products = try Matrix(rowCount: order, columnCount: order).storage
      means = ContiguousArray(repeating: 0, count: order)
    } catch { throw LearningError(error) }
    self.featureCount = featureCount
    self.targetCount = targetCount
    rowCount = 0
    weightSum = 0
  }

  /// Sums over all rows of a matrix, in two passes over it.
  ///
  /// - Parameters:
  ///   - features: One row per observation, finite.
  ///   - targets: As many rows, a column per target, finite.
  ///   - weights: One per row, from 0 up: 2 counts a row twice, 0 leaves it out. Nil is 1 for all.
  ///   - threads: How many threads may share the work; the result is the same to the bit.
  /// - Throws: What is wrong with the input, with its position.
  /// - Complexity: O(*n* (*p* + *t*)²) for *n* rows of *p* features and *t* targets; the extra memory
  ///   is that of a block of rows and of the sums, per thread.
  /// - Note: The corrected two-pass algorithm: *Algorithms for computing the sample variance*, Chan,
  ///   Golub and LeVeque, The American Statistician 37 (1983), 242–247.
  public init(
    features: Matrix, targets: Matrix, weights: ContiguousArray<Double>? = nil, threads: Int = 1
  ) throws(LearningError) {
    try InputCheck.shapes(features: features, targets: targets, weights: weights)
    try self.init(featureCount: features.columnCount, targetCount: targets.columnCount)
    let rows = features.rowCount
    rowCount = weights.map { $0.count { $0 > 0 } } ?? rows
    guard rowCount > 0 else { throw .tooFewRows(needed: 1, actual: 0) }
    let counted = weights ?? ContiguousArray(repeating: 1, count: rows)
    weightSum = counted.reduce(0, +)
    guard weightSum.isFinite else { throw .invalidWeight(row: 0) }

    // A sum is finite only if all its terms are, so this pass is the check for NaN as well.
    for (matrix, at) in [(features, 0), (targets, featureCount)] {
      BLAS.gemv(
        transposed: true, rowCount: rows, columnCount: matrix.columnCount, matrix.storage,
        lead: rows, counted, &means, yAt: at)
      for j in 0..<matrix.columnCount where !means[at + j].isFinite {
        throw InputCheck.nonFinite(in: matrix, column: j, isTarget: at > 0)
      }
    }
    for j in 0..<order { means[j] /= weightSum }

    var sums = CentredProducts(order: order)
    let roots = weights.map { ContiguousArray($0.map { $0.squareRoot() }) }
    sums.add(features, targets, rows: 0..<rows, rootWeights: roots, means: means)
    adopt(sums)
  }

  /// Takes over products that were centred at ``means``, and mends what those means are off by.
  private mutating func adopt(_ sums: CentredProducts) {
    let lead = order + 1
    for j in 0..<order {
      let shift = sums.products[j * lead + order] / weightSum
      for i in j..<order {
        let other = sums.products[i * lead + order]
        products[j * order + i] = sums.products[j * lead + i] - shift * other
      }
    }
    for j in 0..<order { means[j] += sums.products[j * lead + order] / weightSum }
  }
}

/// Products of rows centred at given means, block after block of rows that stays in the cache.
struct CentredProducts {
  let order: Int
  /// Lower triangle of order + 1: features and targets, then a column of root weights, whose products
  /// are what the means are off by.
  private(set) var products: ContiguousArray<Double>
  private var block: ContiguousArray<Double>
  private static let blockRows = 192

  init(order: Int) {
    self.order = order
    products = ContiguousArray(repeating: 0, count: (order + 1) * (order + 1))
    block = ContiguousArray(repeating: 0, count: (order + 1) * Self.blockRows)
  }

  /// Adds the rows of a range.
  mutating func add(
    _ features: Matrix, _ targets: Matrix, rows: Range<Int>,
    rootWeights: ContiguousArray<Double>?, means: ContiguousArray<Double>
  ) {
    let lead = Self.blockRows
    for from in stride(from: rows.lowerBound, to: rows.upperBound, by: lead) {
      let count = min(lead, rows.upperBound - from)
      BLAS.centre(
        features, rows: from..<from + count, means: means, rootWeights: rootWeights,
        into: &block, lead: lead)
      BLAS.centre(
        targets, rows: from..<from + count, means: means, meansAt: features.columnCount,
        rootWeights: rootWeights, into: &block, at: features.columnCount * lead, lead: lead)
      for i in 0..<count { block[order * lead + i] = rootWeights.map { $0[from + i] } ?? 1 }
      BLAS.syrk(
        transposed: true, order: order + 1, inner: count, block, lead: lead, beta: 1, &products,
        cLead: order + 1)
    }
  }
}
