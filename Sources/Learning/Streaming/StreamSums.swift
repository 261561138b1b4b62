internal import LinearAlgebra

/// The sums of a stream of rows that come and go in any order, from which a row that goes takes off what
/// it brought.
///
/// Rows are summed as u = (x − centre) / unit, with the error of the subtraction kept and units that are
/// powers of two, so that no rounding depends on the centre, which may move. Their products are summed to
/// twice the digits of a double, see ``PendingRows`` and ``ExactSums``: sums do not wear out, however many
/// rows have passed. What would still wipe out last digits, a row far out or of a large weight, is not
/// summed but kept apart, and leaves nothing when it goes.
struct StreamSums: Sendable {
  /// Features and the target after them.
  let order: Int
  private(set) var frame: StreamFrame
  /// Rows of positive weight.
  private(set) var rowCount: Int
  /// The sum of their weights.
  private(set) var weightSum: Double
  /// The means of u over all rows: kept from edit to edit, and taken anew whenever the
  /// centred products are.
  private(set) var means: ContiguousArray<Double>
  /// Σ vvᵀ of the rows v = √w (u, 1) that are not apart, without those that are pending: a lower triangle.
  private var products: ExactSums
  private var coming: PendingRows
  private var going: PendingRows
  private(set) var apart: [Row] = []
  /// Whether the frame is that of the rows held; else every row is kept apart until there are enough to measure.
  private var isMeasured = false
  /// The row that is looked at: u, and what rounding left of it.
  private(set) var row: ContiguousArray<Double>
  private var rest: ContiguousArray<Double>
  private var scratch: ContiguousArray<Double>

  typealias Row = StreamFrame.Row

  /// How many rows may be kept apart before wider units are taken, so that they are not.
  static let apartLimit = 64
  /// How many rows it takes to tell where the others lie, even where some of them lie far out.
  private static let measuredCount = 16

  /// Sums of no rows, for rows that lie in this frame.
  private init(_ frame: StreamFrame) {
    order = frame.order
    self.frame = frame
    rowCount = 0
    weightSum = 0
    means = ContiguousArray(repeating: 0, count: order)
    products = ExactSums(ContiguousArray(repeating: 0, count: (order + 1) * (order + 1)))
    coming = PendingRows(order: order + 1)
    going = coming
    row = means
    rest = means
    scratch = products.values
  }

  var centre: ContiguousArray<Double> { frame.centre }
  /// One over the units of the columns.
  var inverseUnits: ContiguousArray<Double> { frame.inverseUnits }
  private var rootUnit: Double { frame.rootUnit }

  /// The mean of a column in its own unit.
  func mean(_ j: Int) -> Double { centre[j] + means[j] / inverseUnits[j] }

  /// Writes a row and its target to ``row``.
  ///
  /// - Throws: ``LearningError/overflow(column:)`` where it lies further out than squares can tell, and
  ///   ``LearningError/invalidWeight(row:)`` where its weight takes the sum of weights out of range.
  mutating func look(
    at features: ContiguousArray<Double>, target: Double, weight: Double
  ) throws(LearningError) {
    for j in 0..<features.count { look(at: features[j], column: j) }
    look(at: target, column: order - 1)
    for j in 0..<order where !(abs(row[j]) < 0x1p400) { throw .overflow(column: j) }
    guard weightSum + weight < 0x1p1000 else { throw .invalidWeight(row: 0) }
  }

  private mutating func look(at value: Double, column j: Int) {
    let apart = DoubleDouble(sum: value, -centre[j])
    row[j] = apart.high * inverseUnits[j]
    rest[j] = apart.low * inverseUnits[j]
  }

  /// Whether the row that is looked at would be kept apart at this weight.
  func isFarOut(weight: Double) -> Bool {
    !isMeasured || frame.isFarOut(row, weight: weight)
  }

  /// Takes the row in that is looked at.
  mutating func add(
    _ features: ContiguousArray<Double>, target: Double, weight: Double
  ) {
    rowCount += 1
    let total = weightSum + weight
    let share = weight / total
    for j in 0..<order { means[j] += share * (row[j] - means[j]) }
    weightSum = total
    if isFarOut(weight: weight) {
      apart.append(Row(values: features + [target], weight: weight))
    } else {
      append(weight)
    }
  }

  /// Takes the row off that is looked at, one that is not kept apart.
  mutating func remove(weight: Double) {
    rowCount -= 1
    let total = weightSum - weight
    let share = weight / total
    for j in 0..<order { means[j] -= share * (row[j] - means[j]) }
    weightSum = total
    if going.isFull { fold() }
    going.append(row, rests: rest, root: root(weight))
    if summedCount == 0 { isMeasured = false }
  }

  /// Forgets a row that is kept apart; false where there is no such row. After it the sums are to be settled.
  mutating func removeApart(
    _ features: ContiguousArray<Double>, target: Double, weight: Double
  ) -> Bool {
    guard !apart.isEmpty, isFarOut(weight: weight) else { return false }
    let row = Row(values: features + [target], weight: weight)
    guard let at = apart.lastIndex(of: row) else { return false }
    apart.remove(at: at)
    rowCount -= 1
    return true
  }

  private mutating func append(_ weight: Double) {
    if coming.isFull { fold() }
    coming.append(row, rests: rest, root: root(weight))
  }

  private func root(_ weight: Double) -> DoubleDouble {
    guard weight != 1 else { return DoubleDouble(rootUnit) }
    let root = DoubleDouble.root(weight)
    return DoubleDouble(high: root.high * rootUnit, low: root.low * rootUnit)
  }

  /// Adds the products that are pending.
  mutating func fold() {
    coming.fold(into: &products, subtracting: false, &scratch)
    going.fold(into: &products, subtracting: true, &scratch)
  }

  /// Becomes the sums of the rows of `moments`, centred at their means.
  private mutating func take(_ moments: Moments) {
    (rowCount, weightSum) = (moments.rowCount, moments.weightSum)
    let square = rootUnit * rootUnit
    for j in 0..<order {
      for i in j..<order {
        products[j * lead + i] = DoubleDouble(
          square * (moments.products[j * order + i] * inverseUnits[j] * inverseUnits[i]))
      }
    }
    products[lead * lead - 1] = DoubleDouble(square * weightSum)
  }

  // MARK: - Sums of all rows

  private var lead: Int { order + 1 }
  /// How many rows are summed, not kept apart.
  private var summedCount: Int { rowCount - apart.count }
  /// Σw of the summed rows, times the square of the root's unit.
  private var summedWeight: Double { products.values[lead * lead - 1] }

  /// Adds what is pending, and moves the centre or changes the units where they do not suit the rows.
  mutating func settle() {
    fold()
    if summedCount == 0 {
      // Of sums of no rows only rounding is left.
      products = ExactSums(ContiguousArray(repeating: 0, count: lead * lead))
      isMeasured = false
      measure()
    }
    if apart.count > Self.apartLimit { widen() }
    if isOffCentre {
      // Rows that are apart are no reason to move: they may go again.
      let weight = summedWeight
      let means = (0..<order).map { products.values[$0 * lead + order] / weight }
      move(
        to: frame.moved(
          to: ContiguousArray((0..<order).map { centre[$0] + means[$0] / inverseUnits[$0] })))
    }
  }

  /// Whether ``settle()`` leaves centre and units where they are, given that nothing is pending.
  var isSettled: Bool { summedCount > 0 && apart.count <= Self.apartLimit && !isOffCentre }

  /// Takes the frame of the rows that are apart, where no others are held, and sums those that are not far out
  /// once there are enough to tell.
  private mutating func measure() {
    guard !apart.isEmpty else { return }
    isMeasured = apart.count >= Self.measuredCount
    move(to: StreamFrame(like: apart))
  }

  /// Writes the centred products Σ w (u − ū)(u − ū)ᵀ of all rows into a lower triangle, columns 0..<columnCount of
  /// ``order`` rows, and takes ``weightSum`` and ``means`` anew.
  mutating func centredProducts(
    into square: inout ContiguousArray<Double>, columnCount: Int
  ) {
    settle()
    sumUp(into: &square, columnCount: columnCount)
  }

  /// Whether a mean of the summed rows lies further from the centre than the rows from it: the further, the
  /// more digits cancel.
  private var isOffCentre: Bool {
    guard summedCount > 0 else { return false }
    let weight = summedWeight
    return (0..<order).contains { j in
      let mean = products.values[j * lead + order] / weight
      return abs(mean) > 0x1p-20 && mean * mean * weight > products.values[j * lead + j] / 2
    }
  }

  /// - Note: Rows that are apart come in one after the other: *Updating formulae and a pairwise algorithm for
  ///   computing sample variances*, Chan, Golub and LeVeque, COMPSTAT 1982.
  private mutating func sumUp(into square: inout ContiguousArray<Double>, columnCount: Int) {
    let (weight, unit) = (summedWeight, 1 / (rootUnit * rootUnit))
    for j in 0..<order {
      means[j] = summedCount == 0 ? 0 : products.values[j * lead + order] / weight
    }
    weightSum = weight * unit
    for j in 0..<columnCount {
      for i in j..<order {
        square[j * order + i] =
          unit * products.less(means[j] * products.values[i * lead + order], at: j * lead + i)
      }
    }
    var away = means
    for row in apart {
      let total = weightSum + row.weight
      let share = row.weight / total
      for j in 0..<order {
        away[j] = (row.values[j] - centre[j]) * inverseUnits[j] - means[j]
        means[j] += share * away[j]
      }
      for j in 0..<columnCount {
        let scaled = weightSum * share * away[j]
        for i in j..<order { square[j * order + i] += scaled * away[i] }
      }
      weightSum = total
    }
  }

  /// Takes units in which most rows that are apart are not far out.
  private mutating func widen() {
    var (spreads, weight) = (ContiguousArray(repeating: 0.0, count: order), 0.0)
    if summedCount > 0 {
      weight = summedWeight / (rootUnit * rootUnit) / Double(summedCount)
      for j in 0..<order {
        spreads[j] =
          (products.values[j * lead + j] / summedWeight).squareRoot() / inverseUnits[j]
      }
    }
    isMeasured = true
    move(to: frame.widened(for: apart, spreads: spreads, weight: weight))
  }

  /// Moves the centre and changes the units of everything, and sums the rows that are then no longer far out.
  private mutating func move(to new: StreamFrame) {
    // With d the way of the centre, Σ w (u − d)(u − d)ᵀ = Σwuuᵀ − d Σwuᵀ − (Σwu − Σw d) dᵀ.
    let way = (0..<order).map { j in
      DoubleDouble(sum: new.centre[j], -centre[j]).scaled(by: inverseUnits[j])
    }
    let (last, rootFactor) = (order, new.rootUnit / rootUnit)
    let weight = products[last * lead + last]
    let factors = (0..<order).map { new.inverseUnits[$0] / inverseUnits[$0] } + [1]
    let firsts = (0..<order).map { products[$0 * lead + last] }
    let moved = (0..<order).map { firsts[$0] - weight * way[$0] } + [weight]
    for j in 0..<lead {
      for i in j..<lead {
        let sum =
          i == last
          ? moved[j] : products[j * lead + i] - way[i] * firsts[j] - way[j] * moved[i]
        products[j * lead + i] = sum.scaled(by: factors[i] * factors[j]).scaled(
          by: rootFactor * rootFactor)
      }
    }
    frame = new
    let rows = apart
    apart = []
    for row in rows {
      for j in 0..<order { look(at: row.values[j], column: j) }
      if isFarOut(weight: row.weight) { apart.append(row) } else { append(row.weight) }
    }
    fold()
  }

  /// Takes the rows of other sums in.
  mutating func merge(_ other: StreamSums) {
    var (into, from) = isMeasured ? (self, other) : (other, self)
    into.fold()
    from.fold()
    if into.isMeasured {
      if from.isMeasured { into.move(to: into.frame.knowing(from.frame)) }
      from.isMeasured = true
      from.move(to: into.frame)
    }
    into.products.add(from.products)
    into.rowCount += from.rowCount
    into.apart += from.apart
    self = into
  }

  /// One over the scales that the features of all rows ask for, in their own units.
  ///
  /// - Throws: ``LearningError/overflow(column:)`` where one of them is no double.
  mutating func inverseScales(
    _ standardisation: Standardisation
  ) throws(LearningError) -> ContiguousArray<Double> {
    var square = scratch
    centredProducts(into: &square, columnCount: order)
    // Squares of columns in their own units could leave the range of a double.
    let scales = ColumnScales(
      means: ContiguousArray((0..<order - 1).map { mean($0) * inverseUnits[$0] }),
      squares: ContiguousArray((0..<order - 1).map { square[$0 * order + $0] }),
      weightSum: weightSum, rowCount: rowCount, .centredAndScaled)
    var inverses = scales.inverseScales
    for j in inverses.indices {
      inverses[j] *= inverseUnits[j]
      guard inverses[j].isFinite else { throw .overflow(column: j) }
      if standardisation == .centred && inverses[j] > 0 { inverses[j] = 1 }
    }
    return inverses
  }

  /// The sums of all rows in the columns' own units.
  var moments: Moments {
    var copy = self
    var square = ContiguousArray<Double>(repeating: 0, count: order * order)
    copy.centredProducts(into: &square, columnCount: order)
    for j in 0..<order {
      for i in j..<order {
        square[j * order + i] = square[j * order + i] / copy.inverseUnits[j] / copy.inverseUnits[i]
      }
    }
    return Moments(
      featureCount: order - 1, targetCount: 1, rowCount: rowCount, weightSum: copy.weightSum,
      means: ContiguousArray((0..<order).map { copy.mean($0) }), products: square)
  }

}

extension StreamSums {
  /// The rows of these sums, which have one target.
  init(_ moments: Moments) {
    let order = moments.order
    self.init(
      StreamFrame(
        centre: moments.means,
        spreads: ContiguousArray(
          (0..<order).map {
            (moments.products[$0 * order + $0] / moments.weightSum).squareRoot()
          }), weight: moments.weightSum / Double(moments.rowCount)))
    take(moments)
    isMeasured = true
  }

  /// Sums of no rows, for as many rows of so many columns.
  init(order: Int) {
    let unknown = ContiguousArray(repeating: 0.0, count: order)
    self.init(StreamFrame(centre: unknown, spreads: unknown, weight: 1))
  }

  /// Sums of no rows, for rows like up to 255 of these.
  init(like features: Matrix, target: ContiguousArray<Double>, weights: ContiguousArray<Double>?) {
    let count = features.rowCount
    let step = max(1, (count + 254) / 255)
    let sample = Array(stride(from: 0, to: count, by: step))
    let columns = (0...features.columnCount).map { j in
      sample.map { j < features.columnCount ? features[$0, j] : target[$0] }
    }
    self.init(
      StreamFrame(like: columns, weights: weights.map { weights in sample.map { weights[$0] } }))
    isMeasured = count >= Self.measuredCount
  }

  /// Writes everything but what is pending, which must be folded.
  func write(to writer: inout BlobWriter) {
    precondition(coming.count == 0 && going.count == 0)
    writer.write(centre)
    frame.write(to: &writer)
    writer.write(rowCount)
    writer.write(weightSum)
    writer.write(means)
    products.write(to: &writer)
    writer.write(apart.count)
    for row in apart {
      writer.write(row.values)
      writer.write(row.weight)
    }
  }

  /// Reads what ``write(to:)`` wrote.
  init(from reader: inout BlobReader) throws(BlobError) {
    let malformed = BlobError.malformed("sums that no rows have")
    let centre = try reader.readDoubles()
    guard centre.count >= 2 else { throw malformed }
    self.init(try StreamFrame(from: &reader, centre: centre))
    rowCount = try reader.readCount("a row count")
    weightSum = try reader.readDouble()
    means = try reader.readDoubles(count: order)
    products = try ExactSums(from: &reader, count: lead * lead)
    guard weightSum >= 0, (weightSum > 0) == (rowCount > 0),
      (centre + means + [weightSum]).allSatisfy(\.isFinite)
    else {
      throw malformed
    }
    for _ in 0..<(try reader.readCount("a row count")) {
      let row = Row(values: try reader.readDoubles(count: order), weight: try reader.readDouble())
      guard row.weight > 0, (row.values + [row.weight]).allSatisfy(\.isFinite) else {
        throw .malformed("a row that no sums keep")
      }
      apart.append(row)
    }
    guard apart.count <= rowCount, rowCount < 1 << 53 else { throw malformed }
    isMeasured = summedCount > 0
  }
}
