internal import LinearAlgebra

/// Rows as logistic regression sees them: standardised, in blocks that stay in the cache, with a column of
/// ones at the end for the intercept.
///
/// A row lies in a slot. A slot of weight 0 is empty: it takes part in nothing.
struct LogisticRows: Sendable {
  /// Rows of a block: with 200 columns it takes 200 kB.
  static let blockRows = 128
  /// Columns and the intercept.
  let order: Int
  /// Slots in use, those that have become empty included.
  private(set) var slotCount = 0
  /// Column after column of ``blockRows`` entries.
  private(set) var blocks: [ContiguousArray<Double>] = []
  /// Blocks of zeros that slots to come will lie in.
  private var spareBlocks: [ContiguousArray<Double>] = []
  private(set) var labels = ContiguousArray<Double>()
  private(set) var weights = ContiguousArray<Double>()
  private(set) var weightSum = 0.0

  /// No rows.
  init(order: Int) { self.order = order }

  /// The rows in these blocks.
  init(
    order: Int, blocks: [ContiguousArray<Double>], labels: ContiguousArray<Double>,
    weights: ContiguousArray<Double>
  ) {
    precondition(blocks.count == (labels.count + Self.blockRows - 1) / Self.blockRows)
    precondition(blocks.allSatisfy { $0.count == order * Self.blockRows })
    precondition(weights.count == labels.count)
    self.order = order
    self.blocks = blocks
    self.labels = labels
    self.weights = weights
    slotCount = labels.count
    weightSum = weights.reduce(0, +)
  }

  /// How many slots the blocks have that it takes for this many.
  static func room(for slotCount: Int) -> Int {
    (slotCount + blockRows - 1) / blockRows * blockRows
  }

  /// The slots of a block.
  func slots(of block: Int) -> Range<Int> {
    block * Self.blockRows..<min((block + 1) * Self.blockRows, slotCount)
  }

  /// The scores of all rows at a point, Zβ + b, and the gradient there of Σ w log(1 + exp(−s(Zβ + b))),
  /// in one pass over the rows.
  func evaluate(
    at point: ContiguousArray<Double>, scores: inout ContiguousArray<Double>,
    residuals: inout ContiguousArray<Double>, gradient: inout ContiguousArray<Double>
  ) {
    for j in 0..<order { gradient[j] = 0 }
    for k in blocks.indices {
      let rows = slots(of: k)
      let block = Block(
        blocks[k], rowCount: rows.count, columnCount: order, lead: Self.blockRows)
      BLAS.gemv(block, point, &scores, yAt: rows.lowerBound)
      var output = residuals.mutableSpan
      LogisticFunction.residuals(
        scores.span, labels.span, weights.span, into: &output, rows: rows)
      BLAS.gemv(
        block.transposed, residuals, xAt: rows.lowerBound, accumulates: true, &gradient)
    }
  }

  /// The mean loss of the rows at these scores.
  func meanLoss(_ scores: ContiguousArray<Double>) -> Double {
    var sum = 0.0
    for i in 0..<slotCount where weights[i] > 0 {
      sum += weights[i] * LogLoss.of(logOdds: scores[i], outcome: labels[i])
    }
    return sum / weightSum
  }

  /// A slot at the end, empty.
  mutating func addSlot() -> Int {
    if slotCount % Self.blockRows == 0 {
      blocks.append(spareBlocks.popLast() ?? emptyBlock)
      labels.reserveCapacity(blocks.count * Self.blockRows)
      weights.reserveCapacity(blocks.count * Self.blockRows)
    }
    labels.append(0)
    weights.append(0)
    slotCount += 1
    return slotCount - 1
  }

  private var emptyBlock: ContiguousArray<Double> {
    ContiguousArray(repeating: 0, count: order * Self.blockRows)
  }

  /// Makes room for this many slots, in memory of its own.
  mutating func reserveCapacity(_ slotCount: Int) {
    let blockCount = Self.room(for: slotCount) / Self.blockRows
    blocks.reserveCapacity(blockCount)
    for k in blocks.indices { blocks[k].reserveCapacity(blocks[k].count) }
    spareBlocks.reserveCapacity(blockCount)
    for k in spareBlocks.indices { spareBlocks[k].reserveCapacity(spareBlocks[k].count) }
    while blocks.count + spareBlocks.count < blockCount { spareBlocks.append(emptyBlock) }
    labels.reserveCapacity(blockCount * Self.blockRows)
    weights.reserveCapacity(blockCount * Self.blockRows)
  }

  /// Takes the last slot, which is empty, away.
  mutating func dropLastSlot() {
    labels.removeLast()
    weights.removeLast()
    slotCount -= 1
    if slotCount % Self.blockRows == 0 { spareBlocks.append(blocks.removeLast()) }
  }

  /// Puts a row, its column of ones included, into a slot.
  mutating func put(
    _ row: ContiguousArray<Double>, label: Double, weight: Double, in slot: Int
  ) {
    labels[slot] = label
    weights[slot] = weight
    let at = slot % Self.blockRows
    for j in 0..<order { blocks[slot / Self.blockRows][j * Self.blockRows + at] = row[j] }
  }

  /// Copies the row of a slot.
  func copy(_ slot: Int, to row: inout ContiguousArray<Double>) {
    let at = slot % Self.blockRows
    for j in 0..<order { row[j] = blocks[slot / Self.blockRows][j * Self.blockRows + at] }
  }

  /// Adds the weights again: a sum that edits had changed one by one would drift.
  mutating func sumWeights() {
    weightSum = weights.reduce(0, +)
  }

  /// The score of the intercept alone that fits best: the log odds of the labels' mean.
  var meanLogOdds: Double {
    var positive = 0.0
    for i in 0..<slotCount { positive += weights[i] * labels[i] }
    return LogisticFunction.logOdds(positive / weightSum)
  }
}
