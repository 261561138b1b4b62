internal import LinearAlgebra

/// What is known of the second derivative: the factor of it at some point, and how the gradient changed
/// along the steps taken since.
///
/// The two together make a direction of descent that is nearly Newton's at the price of two triangular
/// solves: L-BFGS with the factor as its first guess. *Updating quasi-Newton matrices with limited
/// storage*, Nocedal, Math. Comp. 35 (1980), 773–782.
struct LogisticCurvature: Sendable {
  let order: Int
  /// The penalty that the factor contains.
  var penalty = 0.0
  /// The second derivative of the loss, a lower triangle.
  private var loss: ContiguousArray<Double>
  private var equations: ContiguousArray<Double>
  var factor: CholeskyFactor
  /// Single precision has proved too coarse for these rows.
  var needsDoubles = false

  /// A ring of steps, and of changes of the gradient along them.
  var steps: ContiguousArray<Double>
  var changes: ContiguousArray<Double>
  var products: ContiguousArray<Double>
  private var shares: ContiguousArray<Double>
  var pairCount = 0
  var newest = -1

  private var roots: ContiguousArray<Double>
  private var scaled: ContiguousArray<Double> = []
  private var scaledSingles: ContiguousArray<Float>
  private var singles: ContiguousArray<Float>

  static let capacity = 10
  /// The least share of a column that its predecessors must leave where products have single precision:
  /// their rounding then moves a pivot by a few percent at most.
  private static let leastShare = 3e-5

  init(order: Int) {
    self.order = order
    loss = ContiguousArray(repeating: 0, count: order * order)
    equations = loss
    factor = CholeskyFactor(identityOfOrder: order)
    steps = ContiguousArray(repeating: 0, count: Self.capacity * order)
    changes = steps
    products = ContiguousArray(repeating: 0, count: Self.capacity)
    shares = products
    roots = ContiguousArray(repeating: 0, count: LogisticRows.blockRows)
    scaledSingles = ContiguousArray(repeating: 0, count: LogisticRows.blockRows * order)
    singles = ContiguousArray(repeating: 0, count: order * order)
  }

  /// Computes the second derivative at these scores and factors it with a penalty.
  ///
  /// - Returns: The least share of a column that its predecessors leave; 0 where there is no factor.
  mutating func renew(
    _ rows: LogisticRows, scores: ContiguousArray<Double>, penalty: Double, exactly: Bool = false
  ) -> Double {
    forgetSteps()
    self.penalty = penalty
    if !exactly && !needsDoubles {
      sumSingles(rows, scores)
      let share = refactor()
      if share > Self.leastShare { return share }
      needsDoubles = true
    }
    sumDoubles(rows, scores)
    return refactor()
  }

  /// Factors the second derivative with another penalty.
  mutating func change(penalty: Double) -> Double {
    let change = penalty - self.penalty
    self.penalty = penalty
    for pair in 0..<pairCount {
      let at = pair * order
      for j in 0..<order - 1 { changes[at + j] += change * steps[at + j] }
      products[pair] = BLAS.dot(order, steps, xAt: at, changes, yAt: at)
    }
    return refactor()
  }

  private mutating func refactor() -> Double {
    for i in loss.indices { equations[i] = loss[i] }
    for j in 0..<order {
      let at = j * order + j
      if j < order - 1 { equations[at] += penalty }
      // A constant column, whose coefficient stays 0.
      if loss[at] == 0 && equations[at] == penalty { equations[at] = 1 }
    }
    return factor.remake(from: equations)
  }

  private mutating func sumSingles(_ rows: LogisticRows, _ scores: ContiguousArray<Double>) {
    let lead = LogisticRows.blockRows
    // Weights of the size of 1, so that single precision has room on both sides.
    let unit = rows.weightSum / Double(rows.slotCount)
    for i in singles.indices { singles[i] = 0 }
    for k in rows.blocks.indices {
      let slots = rows.slots(of: k)
      findRoots(rows, scores, slots, factor: 1 / unit)
      Self.scale(rows.blocks[k], by: roots, count: slots.count, into: &scaledSingles)
      BLAS.syrk(
        addingSingles: scaledSingles, order: order, inner: slots.count, aLead: lead, &singles)
    }
    for i in singles.indices { loss[i] = Double(singles[i]) * unit }
  }

  private mutating func sumDoubles(_ rows: LogisticRows, _ scores: ContiguousArray<Double>) {
    let lead = LogisticRows.blockRows
    if scaled.isEmpty { scaled = ContiguousArray(repeating: 0, count: lead * order) }
    for i in loss.indices { loss[i] = 0 }
    for k in rows.blocks.indices {
      let slots = rows.slots(of: k)
      findRoots(rows, scores, slots, factor: 1)
      Self.scale(rows.blocks[k], by: roots, count: slots.count, into: &scaled)
      let block = Block(scaled, rowCount: slots.count, columnCount: order, lead: lead)
      BLAS.syrk(block.transposed, accumulates: true, &loss)
    }
  }

  private mutating func findRoots(
    _ rows: LogisticRows, _ scores: ContiguousArray<Double>, _ slots: Range<Int>, factor: Double
  ) {
    var output = roots.mutableSpan
    LogisticFunction.roots(
      scores.span, rows.weights.span, times: factor, rows: slots, into: &output)
  }

  /// Multiplies the first `count` entries of each column of a block by the roots of their rows.
  private static func scale(
    _ block: ContiguousArray<Double>, by roots: ContiguousArray<Double>, count: Int,
    into scaled: inout ContiguousArray<Float>
  ) {
    let (block, roots) = (block.span, roots.span)
    var scaled = scaled.mutableSpan
    precondition(block.count == scaled.count && count <= roots.count)
    for start in stride(from: 0, to: block.count, by: LogisticRows.blockRows) {
      for i in 0..<count { scaled[start + i] = Float(block[start + i] * roots[i]) }
    }
  }

  /// The same in double precision.
  private static func scale(
    _ block: ContiguousArray<Double>, by roots: ContiguousArray<Double>, count: Int,
    into scaled: inout ContiguousArray<Double>
  ) {
    let (block, roots) = (block.span, roots.span)
    var scaled = scaled.mutableSpan
    precondition(block.count == scaled.count && count <= roots.count)
    for start in stride(from: 0, to: block.count, by: LogisticRows.blockRows) {
      for i in 0..<count { scaled[start + i] = block[start + i] * roots[i] }
    }
  }

  /// Takes a step and the change of the gradient along it into account.
  mutating func learn(
    from old: ContiguousArray<Double>, to new: ContiguousArray<Double>,
    oldGradient: ContiguousArray<Double>, newGradient: ContiguousArray<Double>
  ) {
    newest = (newest + 1) % Self.capacity
    let at = newest * order
    for j in 0..<order {
      steps[at + j] = new[j] - old[j]
      changes[at + j] = newGradient[j] - oldGradient[j]
    }
    products[newest] = BLAS.dot(order, steps, xAt: at, changes, yAt: at)
    // Convexity makes it positive; rounding at the very end may not.
    guard products[newest] > 0, products[newest].isFinite else { return forgetSteps() }
    pairCount = min(pairCount + 1, Self.capacity)
  }

  private mutating func forgetSteps() {
    pairCount = 0
    newest = -1
  }

  /// Writes the direction from a point with this gradient to where the gradient should vanish.
  mutating func descend(
    _ gradient: ContiguousArray<Double>, into direction: inout ContiguousArray<Double>
  ) {
    for j in 0..<order { direction[j] = -gradient[j] }
    for age in 0..<pairCount {
      let pair = (newest - age + Self.capacity) % Self.capacity
      let at = pair * order
      shares[pair] = BLAS.dot(order, steps, xAt: at, direction) / products[pair]
      Self.add(-shares[pair], of: changes.span, at: at, to: &direction)
    }
    factor.solve(inPlace: &direction)
    for age in (0..<pairCount).reversed() {
      let pair = (newest - age + Self.capacity) % Self.capacity
      let at = pair * order
      let share = BLAS.dot(order, changes, xAt: at, direction) / products[pair]
      Self.add(shares[pair] - share, of: steps.span, at: at, to: &direction)
    }
  }

  private static func add(
    _ factor: Double, of vector: Span<Double>, at start: Int,
    to sum: inout ContiguousArray<Double>
  ) {
    var sum = sum.mutableSpan
    precondition(start >= 0 && start + sum.count <= vector.count)
    for j in sum.indices { sum[j] += factor * vector[start + j] }
  }

  /// Becomes another one of the same order, in the memory it has. The second derivative itself, which only
  /// a change of the penalty asks for, stays behind.
  mutating func copy(from other: LogisticCurvature) {
    penalty = other.penalty
    needsDoubles = other.needsDoubles
    pairCount = other.pairCount
    newest = other.newest
    factor.copy(fromLower: other.factor.lower)
    for at in 0..<other.pairCount * order {
      steps[at] = other.steps[at]
      changes[at] = other.changes[at]
    }
    for pair in 0..<other.pairCount { products[pair] = other.products[pair] }
  }

  /// Brings everything into memory of its own, so that nothing is left to be copied when it changes.
  mutating func makeUnique() {
    loss.reserveCapacity(loss.count)
    equations.reserveCapacity(equations.count)
    factor.makeUnique()
    steps.reserveCapacity(steps.count)
    changes.reserveCapacity(changes.count)
    products.reserveCapacity(products.count)
    shares.reserveCapacity(shares.count)
    roots.reserveCapacity(roots.count)
    scaled.reserveCapacity(scaled.count)
    scaledSingles.reserveCapacity(scaledSingles.count)
    singles.reserveCapacity(singles.count)
  }

  /// Takes a row of a positive weight in the second derivative into the factor.
  mutating func add(_ row: ContiguousArray<Double>) { factor.update(adding: row) }

  /// Takes a row out of the factor; false, with the factor as it was, where that would cost digits.
  mutating func remove(_ row: ContiguousArray<Double>) -> Bool {
    do { try factor.downdate(removing: row, remainder: 0x1p-10) } catch { return false }
    return true
  }
}
