internal import LinearAlgebra

/// Means and centred products of rows that are added in the order of time, in place.
struct RollingSums: Sendable {
  /// How many rows have been added, those of weight 0 included.
  private(set) var rowsSeen = 0
  /// Rows of positive weight.
  private(set) var rowCount = 0
  private(set) var weightSum = 0.0
  /// Weighted means of the features and the target after them.
  private(set) var means: ContiguousArray<Double>
  /// The lower triangle of Σ w (z − mean)(z − mean)ᵀ, column-major.
  private(set) var products: ContiguousArray<Double>
  private var block: ContiguousArray<Double>
  private var shift: ContiguousArray<Double>

  /// Rows that go through together, few enough for the cache.
  private static let blockRows = 192

  var featureCount: Int { means.count - 1 }
  /// Features and the target.
  var order: Int { means.count }

  init(featureCount: Int) throws(LinearAlgebraError) {
    let order = featureCount + 1
    products = try Matrix(rowCount: order, columnCount: order).storage
    means = ContiguousArray(repeating: 0, count: order)
    shift = means
    block = ContiguousArray(repeating: 0, count: order * Self.blockRows)
  }

  /// Adds rows that come after those added so far.
  ///
  /// The rows are centred at the means so far, or for the first at their own: what they shift the means by
  /// then comes off their products.
  mutating func add(
    rows: Range<Int>, _ features: Matrix, _ target: ContiguousArray<Double>,
    _ weights: ContiguousArray<Double>?
  ) {
    for start in stride(from: rows.lowerBound, to: rows.upperBound, by: Self.blockRows) {
      addBlock(
        start..<min(start + Self.blockRows, rows.upperBound), features, target, weights)
    }
    rowsSeen = rows.upperBound
  }

  private mutating func addBlock(
    _ rows: Range<Int>, _ features: Matrix, _ target: ContiguousArray<Double>,
    _ weights: ContiguousArray<Double>?
  ) {
    let (p, lead) = (featureCount, Self.blockRows)
    var (added, count) = (Double(rows.count), rows.count)
    if let weights {
      added = weights[rows].reduce(0, +)
      count = weights[rows].count { $0 > 0 }
    }
    guard count > 0 else { return }
    if rowCount == 0 {
      for j in 0...p {
        var sum = 0.0
        for i in rows {
          sum +=
            (j < p ? features.storage[j * features.rowCount + i] : target[i]) * (weights?[i] ?? 1)
        }
        means[j] = sum / added
      }
    }
    rowCount += count
    weightSum += added
    features.centre(rows: rows, means: means, rowFactors: nil, into: &block, lead: lead)
    for (i, row) in rows.enumerated() { block[p * lead + i] = target[row] - means[p] }
    for j in 0...p {
      var sum = 0.0
      if let weights {
        for (i, row) in rows.enumerated() {
          sum += weights[row] * block[j * lead + i]
          block[j * lead + i] *= weights[row].squareRoot()
        }
      } else {
        for i in 0..<rows.count { sum += block[j * lead + i] }
      }
      shift[j] = sum / weightSum
      means[j] += shift[j]
    }
    let centred = Block(block, rowCount: rows.count, columnCount: order, lead: lead)
    BLAS.syrk(centred.transposed, accumulates: true, &products)
    BLAS.syrk(
      Block(shift, rowCount: order, columnCount: 1), alpha: -weightSum, accumulates: true, &products
    )
  }

  /// The scales that the rows so far ask for.
  func scales(_ standardisation: Standardisation) throws(LearningError) -> ColumnScales {
    for j in 0..<order where !products[j * order + j].isFinite { throw .overflow(column: j) }
    return ColumnScales(
      means: ContiguousArray(means.prefix(featureCount)),
      squares: ContiguousArray((0..<featureCount).map { products[$0 * order + $0] }),
      weightSum: weightSum, rowCount: rowCount, standardisation)
  }

  /// The same sums as they are fitted from.
  func moments() throws(LearningError) -> Moments {
    for j in 0..<order where !products[j * order + j].isFinite { throw .overflow(column: j) }
    return Moments(
      featureCount: featureCount, targetCount: 1, rowCount: rowCount, weightSum: weightSum,
      means: means, products: products)
  }

  /// That there is one finite row after the other, and as many targets and weights.
  static func check(
    _ features: Matrix, _ target: ContiguousArray<Double>, _ weights: ContiguousArray<Double>?
  ) throws(LearningError) {
    _ = try CheckedInput(features, CheckedInput.column(target), weights)
  }
}
