internal import LinearAlgebra

/// A logistic regression's rows, ready to be fitted: checked, standardised, and with as few columns as they
/// have directions.
///
/// Where there are more columns than rows, or columns are collinear and nothing is penalised, the
/// coefficients that matter lie in the space of the rows: β = Vγ with the singular vectors V of the
/// standardised rows. |β| = |γ|, so the problem in γ is the same problem, with at most as many columns as
/// rows, and its solution the one of least norm.
struct LogisticDesign: Sendable {
  let scales: ColumnScales
  let rows: LogisticRows
  let rowCount: Int
  /// Vᵀ, nil where β is solved for itself.
  private let basis: Matrix?

  /// Checks and standardises; rows of weight 0 are left out.
  ///
  /// - Parameter keepsColumns: Do not look for fewer columns: for rows that will change.
  init(
    _ features: Matrix, labels: ContiguousArray<Double>, weights: ContiguousArray<Double>?,
    _ standardisation: Standardisation, isPenalised: Bool, keepsColumns: Bool = false
  ) throws(LearningError) {
    let input = try CheckedInput(features, CheckedInput.column(labels), weights)
    try Self.check(labels: labels, weights: weights)
    var (features, labels, weights) = (features, labels, weights)
    if input.positiveCount < features.rowCount, let all = weights {
      let kept = all.indices.filter { all[$0] > 0 }
      features = features.rows(at: kept)
      labels = ContiguousArray(kept.map { labels[$0] })
      weights = ContiguousArray(kept.map { all[$0] })
    }
    let (scales, direct) = try Self.standardised(
      features, labels, weights ?? ContiguousArray(repeating: 1, count: features.rowCount),
      means: input.means, weightSum: input.weightSum, standardisation)
    self.scales = scales
    rowCount = features.rowCount
    let isWide = features.columnCount > features.rowCount
    guard !keepsColumns, isWide || !isPenalised && Self.isNearlySingular(direct) else {
      rows = direct
      basis = nil
      return
    }
    (rows, basis) = try Self.reduced(direct)
  }

  /// That there is a label of 0 or 1 per row, and both among the rows that count.
  static func check(
    labels: ContiguousArray<Double>, weights: ContiguousArray<Double>?
  ) throws(LearningError) {
    var counts = (zeros: 0, ones: 0)
    for (row, label) in labels.enumerated() {
      guard label == 0 || label == 1 else { throw .targetNotBinary(row: row) }
      guard weights.map({ $0[row] > 0 }) ?? true else { continue }
      if label == 0 { counts.zeros += 1 } else { counts.ones += 1 }
    }
    guard counts.zeros > 0, counts.ones > 0 else { throw .singleClass }
  }

  private static func standardised(
    _ features: Matrix, _ labels: ContiguousArray<Double>, _ weights: ContiguousArray<Double>,
    means: ContiguousArray<Double>, weightSum: Double, _ standardisation: Standardisation
  ) throws(LearningError) -> (ColumnScales, LogisticRows) {
    let (rowCount, columnCount) = (features.rowCount, features.columnCount)
    let lead = LogisticRows.blockRows
    let order = columnCount + 1
    var blocks: [ContiguousArray<Double>] = []
    var means = means
    var sums = ContiguousArray<Double>(repeating: 0, count: order)
    var squares = sums
    var weighted = ContiguousArray<Double>(repeating: 0, count: lead)
    for start in stride(from: 0, to: rowCount, by: lead) {
      let part = start..<min(start + lead, rowCount)
      var block = ContiguousArray<Double>(repeating: 1, count: order * lead)
      for j in 0..<columnCount {
        Self.centre(
          features.storage, at: j * rowCount + start, count: part.count, mean: means[j],
          weights, weightsAt: start, into: &block, at: j * lead, weighted: &weighted)
        squares[j] += BLAS.dot(part.count, block, xAt: j * lead, weighted)
      }
      let columns = Block(block, rowCount: part.count, columnCount: order, lead: lead)
      BLAS.gemv(columns.transposed, weights, xAt: start, accumulates: true, &sums)
      blocks.append(block)
    }
    // What is left of the means after rounding comes off as well.
    for j in 0..<columnCount {
      sums[j] /= weightSum
      squares[j] -= sums[j] * sums[j] * weightSum
      means[j] += sums[j]
      guard squares[j].isFinite else { throw .overflow(column: j) }
    }
    let scales = ColumnScales(
      means: ContiguousArray(means.prefix(columnCount)),
      squares: ContiguousArray(squares.prefix(columnCount)), weightSum: weightSum,
      rowCount: rowCount, standardisation)
    for k in blocks.indices {
      Self.scale(&blocks[k], shifts: sums, factors: scales.inverseScales)
    }
    return (scales, LogisticRows(order: order, blocks: blocks, labels: labels, weights: weights))
  }

  /// Entries of a column less its mean, and the same times the weights of their rows.
  private static func centre(
    _ column: ContiguousArray<Double>, at from: Int, count: Int, mean: Double,
    _ weights: ContiguousArray<Double>, weightsAt: Int, into block: inout ContiguousArray<Double>,
    at into: Int, weighted: inout ContiguousArray<Double>
  ) {
    let (column, weights) = (column.span, weights.span)
    var block = block.mutableSpan
    var weighted = weighted.mutableSpan
    precondition(from >= 0 && from + count <= column.count && count <= weighted.count)
    precondition(weightsAt >= 0 && weightsAt + count <= weights.count)
    precondition(into >= 0 && into + count <= block.count)
    for i in 0..<count {
      let centred = column[from + i] - mean
      block[into + i] = centred
      weighted[i] = centred * weights[weightsAt + i]
    }
  }

  /// Takes off what the means were off by, and scales.
  private static func scale(
    _ block: inout ContiguousArray<Double>, shifts: ContiguousArray<Double>,
    factors: ContiguousArray<Double>
  ) {
    let lead = LogisticRows.blockRows
    var block = block.mutableSpan
    precondition(factors.count * lead <= block.count)
    for j in factors.indices {
      let (shift, factor) = (shifts[j], factors[j])
      for i in j * lead..<(j + 1) * lead { block[i] = (block[i] - shift) * factor }
    }
  }

  /// Whether a column is so nearly a combination of the others that products, which square the
  /// condition, would cost too many digits.
  private static func isNearlySingular(_ rows: LogisticRows) -> Bool {
    var curvature = LogisticCurvature(order: rows.order)
    let middle = ContiguousArray<Double>(repeating: 0, count: rows.slotCount)
    return curvature.renew(rows, scores: middle, penalty: 0, exactly: true) < 1e-4
  }

  /// The rows in the coordinates of their singular vectors.
  private static func reduced(
    _ direct: LogisticRows
  ) throws(LearningError) -> (LogisticRows, Matrix) {
    let columnCount = direct.order - 1
    let lead = LogisticRows.blockRows
    let parts: SingularValues
    do {
      var whole = try Matrix(rowCount: direct.slotCount, columnCount: columnCount)
      for i in 0..<direct.slotCount {
        for j in 0..<columnCount { whole[i, j] = direct.blocks[i / lead][j * lead + i % lead] }
      }
      parts = try SingularValues(whole)
    } catch { throw LearningError(error) }
    let rank = parts.rank
    var blocks: [ContiguousArray<Double>] = []
    for k in direct.blocks.indices {
      var block = ContiguousArray<Double>(repeating: 0, count: (rank + 1) * lead)
      for (i, slot) in direct.slots(of: k).enumerated() {
        for j in 0..<rank { block[j * lead + i] = parts.left[slot, j] * parts.values[j] }
        block[rank * lead + i] = 1
      }
      blocks.append(block)
    }
    return (
      LogisticRows(
        order: rank + 1, blocks: blocks, labels: direct.labels, weights: direct.weights),
      parts.rightTransposed
    )
  }

  /// How far the gradient of the reduced problem must fall for that of β to fall below `tolerance`: an
  /// entry of Vg is at most √r times the largest of g.
  func tolerance(for tolerance: Double) -> Double {
    basis == nil ? tolerance : tolerance / Double(rows.order).squareRoot()
  }

  /// The model of a point.
  func model(_ point: ContiguousArray<Double>) -> LinearModel {
    let (intercept, coefficients) = scales.model(
      unreduced(point), targetMean: point[rows.order - 1])
    return LinearModel(link: .logit, intercept: intercept, coefficients: coefficients)
  }

  /// The point of a model of the same columns.
  func point(_ model: LinearModel) -> ContiguousArray<Double> {
    var (standardised, intercept) = (model.coefficients, model.intercept)
    for j in standardised.indices {
      intercept += standardised[j] * scales.means[j]
      standardised[j] = scales.inverseScales[j] > 0 ? standardised[j] / scales.inverseScales[j] : 0
    }
    guard let basis else { return standardised + [intercept] }
    var point = ContiguousArray<Double>(repeating: 0, count: rows.order)
    BLAS.gemv(basis.block(rows: 0..<rows.order - 1), standardised, &point)
    point[rows.order - 1] = intercept
    return point
  }

  /// The largest entry of the gradient by β and b, from that of the problem solved.
  func gradientNorm(_ gradient: ContiguousArray<Double>) -> Double {
    var largest = abs(gradient[rows.order - 1])
    for value in unreduced(gradient) { largest = max(largest, abs(value)) }
    return largest / rows.weightSum
  }

  /// Vγ, without the intercept.
  private func unreduced(_ point: ContiguousArray<Double>) -> ContiguousArray<Double> {
    guard let basis else { return ContiguousArray(point.dropLast()) }
    var whole = ContiguousArray<Double>(repeating: 0, count: basis.columnCount)
    BLAS.gemv(basis.block(rows: 0..<rows.order - 1).transposed, point, &whole)
    return whole
  }
}
