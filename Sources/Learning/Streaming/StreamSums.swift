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
  /// Where columns are centred, and one over their units.
  private(set) var centre: ContiguousArray<Double>
  private(set) var inverseUnits: ContiguousArray<Double>
  /// A power of two that a row's root weight is multiplied by, to be about 1.
  private var rootUnit: Double
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
  /// The row that is looked at: u, and what rounding left of it.
  private(set) var row: ContiguousArray<Double>
  private var rest: ContiguousArray<Double>
  private var scratch: ContiguousArray<Double>

  /// A row with its target as its last value, in the units of the columns.
  struct Row: Equatable, Sendable {
    let values: ContiguousArray<Double>
    let weight: Double
  }

  /// A row is far out where √w (u, 1) has an entry from here up.
  private static let farOut = 64.0
  /// How many rows may be kept apart before wider units are taken, so that they are not.
  static let apartLimit = 64
  /// Sums of no rows, for rows that lie about `centre`, about a `spread` around it, 0 where it is not known.
  init(centre: ContiguousArray<Double>, spreads: ContiguousArray<Double>, weight: Double) {
    order = centre.count
    self.centre = centre
    inverseUnits = Self.inverseUnits(spreads)
    rootUnit = Self.inverseUnit(weight.squareRoot())
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

  /// One over the power of two next below a spread, 1 where that is not known.
  private static func inverseUnit(_ spread: Double, limit: Int = 500) -> Double {
    guard spread > 0, spread.isFinite else { return 1 }
    let exponent = max(-limit, min(limit, Int(spread.exponent)))
    return Double(sign: .plus, exponent: -exponent, significand: 1)
  }

  private static func inverseUnits(_ spreads: ContiguousArray<Double>) -> ContiguousArray<Double> {
    ContiguousArray(spreads.map { inverseUnit($0, limit: 1000) })
  }

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
    let root = weight.squareRoot() * rootUnit
    let limit = Self.farOut / root
    return !(root < Self.farOut) || row.contains { !(abs($0) < limit) }
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

  private mutating func read(from reader: inout BlobReader) throws(BlobError) {
    let malformed = BlobError.malformed("sums that no rows have")
    inverseUnits = try reader.readDoubles(count: order)
    rootUnit = try reader.readDouble()
    rowCount = try reader.readCount("a row count")
    weightSum = try reader.readDouble()
    means = try reader.readDoubles(count: order)
    products = try ExactSums(from: &reader, count: lead * lead)
    for unit in inverseUnits + [rootUnit]
    where !(unit.isNormal && unit > 0 && unit.significand == 1) {
      throw malformed
    }
    guard order >= 2, weightSum >= 0, (weightSum > 0) == (rowCount > 0),
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
    guard apart.count <= rowCount else { throw malformed }
  }

  // MARK: - Sums of all rows

  private var lead: Int { order + 1 }
  /// How many rows are summed, not kept apart.
  private var summedCount: Int { rowCount - apart.count }
  /// Σw of the summed rows, times the square of the root's unit.
  private var summedWeight: Double { products.values[lead * lead - 1] }

  /// Adds what is pending, and moves the centre or widens the units where they no longer suit the rows.
  mutating func settle() {
    fold()
    if summedCount == 0 {
      // Of sums of no rows only rounding is left.
      products = ExactSums(ContiguousArray(repeating: 0, count: lead * lead))
    }
    guard apart.count > Self.apartLimit || isOffCentre else { return }
    var square = scratch
    sumUp(into: &square, columnCount: order)
    if apart.count > Self.apartLimit {
      widen(square)
    } else {
      move(
        to: ContiguousArray((0..<order).map { mean($0) }), inverseUnits: inverseUnits,
        rootUnit: rootUnit)
    }
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

  /// Takes units in which no row that is apart is far out.
  private mutating func widen(_ square: ContiguousArray<Double>) {
    let heaviest = apart.reduce(weightSum / Double(rowCount)) { max($0, $1.weight / 256) }
    let root = Self.inverseUnit(heaviest.squareRoot())
    let newCentre = ContiguousArray((0..<order).map { mean($0) })
    let spreads = ContiguousArray(
      (0..<order).map { j in
        let spread = (square[j * order + j] / weightSum).squareRoot() / inverseUnits[j]
        return apart.reduce(spread) { spread, row in
          max(spread, abs(row.values[j] - newCentre[j]) / 16 * row.weight.squareRoot() * root)
        }
      })
    move(to: newCentre, inverseUnits: Self.inverseUnits(spreads), rootUnit: root)
  }

  /// Moves the centre and changes the units of everything, and sums the rows that are then no longer far out.
  private mutating func move(
    to newCentre: ContiguousArray<Double>, inverseUnits newInverses: ContiguousArray<Double>,
    rootUnit newRoot: Double
  ) {
    // With d the way of the centre, Σ w (u − d)(u − d)ᵀ = Σwuuᵀ − d Σwuᵀ − (Σwu − Σw d) dᵀ.
    let way = (0..<order).map { j in
      DoubleDouble(sum: newCentre[j], -centre[j]).scaled(by: inverseUnits[j])
    }
    let (last, rootFactor) = (order, newRoot / rootUnit)
    let weight = products[last * lead + last]
    let factors = (0..<order).map { newInverses[$0] / inverseUnits[$0] } + [1]
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
    (centre, inverseUnits, rootUnit) = (newCentre, newInverses, newRoot)
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
    var other = other
    other.fold()
    fold()
    other.move(to: centre, inverseUnits: inverseUnits, rootUnit: rootUnit)
    products.add(other.products)
    rowCount += other.rowCount
    apart += other.apart
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
      centre: moments.means,
      spreads: ContiguousArray(
        (0..<order).map {
          (moments.products[$0 * order + $0] / moments.weightSum).squareRoot()
        }),
      weight: moments.weightSum / Double(moments.rowCount))
    take(moments)
  }

  /// Sums of no rows, for rows like these: units are those of the middle half of up to 255 of them, so that a
  /// row far out, which may go again, does not widen them.
  init(like features: Matrix, target: ContiguousArray<Double>, weights: ContiguousArray<Double>?) {
    let count = features.rowCount
    let step = max(1, (count + 254) / 255)
    let sample = Array(stride(from: 0, to: count, by: step))
    var (centre, spreads) = (ContiguousArray<Double>(), ContiguousArray<Double>())
    for j in 0...features.columnCount {
      let values = sample.map { j < features.columnCount ? features[$0, j] : target[$0] }
      let middle = Self.median(values)
      centre.append(middle)
      let away = values.map { abs($0 - middle) }
      let spread = Self.median(away)
      spreads.append(spread > 0 ? spread : away.max() ?? 0)
    }
    let middleWeight = weights.map { weights in Self.median(sample.map { weights[$0] }) } ?? 1
    self.init(centre: centre, spreads: spreads, weight: middleWeight)
  }

  private static func median(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
  }

  /// Writes everything but what is pending, which must be folded.
  func write(to writer: inout BlobWriter) {
    precondition(coming.count == 0 && going.count == 0)
    writer.write(centre)
    writer.write(inverseUnits)
    writer.write(rootUnit)
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
    let centre = try reader.readDoubles()
    self.init(centre: centre, spreads: centre, weight: 1)
    try read(from: &reader)
  }
}
