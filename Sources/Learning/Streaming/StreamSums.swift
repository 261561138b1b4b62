internal import LinearAlgebra

/// The exact sums of a stream of rows that come and go in any order.
///
/// Rows are standardised with a frozen centre and frozen scales, u = (x − centre) / scale, so that a
/// row that goes takes off to the bit what it brought. Products are gathered in blocks by the BLAS and
/// added with the error of each addition kept, so that the sums do not wear out over tens of thousands
/// of edits.
struct StreamSums: Sendable {
  /// Features and the target after them.
  let order: Int
  private(set) var centre: ContiguousArray<Double>
  /// One over the scales, 1 for a column that was constant.
  let inverseScales: ContiguousArray<Double>
  /// Rows of positive weight.
  private(set) var rowCount: Int
  private var weight: ExactSums
  /// Σ w u.
  private var first: ExactSums
  /// Σ w uuᵀ in a lower triangle, column-major, without the rows that are pending.
  private var second: ExactSums
  /// √w u of rows whose products are still to be added, and to be taken off.
  private var coming: ContiguousArray<Double>
  private var going: ContiguousArray<Double>
  private var comingCount = 0
  private var goingCount = 0
  private var scratch: ContiguousArray<Double>

  /// How many rows are gathered before their products are added.
  private static let capacity = 32
  /// A row further out than this many scales is added alone: among others it would wipe out their last
  /// digits, and its going would not bring them back.
  private static let outlier = 64.0

  /// The sums of `moments`, with its means as the centre.
  init(_ moments: Moments, inverseScales: ContiguousArray<Double>) {
    order = moments.order
    centre = moments.means
    self.inverseScales = inverseScales
    rowCount = moments.rowCount
    weight = ExactSums([moments.weightSum])
    first = ExactSums(ContiguousArray(repeating: 0, count: order))
    var products = moments.products
    for j in 0..<order {
      for i in j..<order { products[j * order + i] *= inverseScales[j] * inverseScales[i] }
    }
    second = ExactSums(products)
    scratch = ContiguousArray(repeating: 0, count: order * order)
    coming = ContiguousArray(repeating: 0, count: order * Self.capacity)
    going = coming
  }

  var weightSum: Double { weight.values[0] }

  /// Σ w u: divided by ``weightSum`` the means of the standardised columns.
  var firstMoments: ContiguousArray<Double> { first.values }

  /// The mean of a column in its own unit.
  func mean(_ j: Int) -> Double {
    centre[j] + first.values[j] / weightSum / inverseScales[j]
  }

  /// Takes a standardised row of this weight in.
  mutating func add(_ u: ContiguousArray<Double>, weight rowWeight: Double) {
    rowCount += 1
    weight.add(rowWeight, at: 0)
    first.add(u, times: rowWeight)
    let isAlone = isOutlier(u)
    if isAlone { fold() }
    Self.append(u, rowWeight, to: &coming, at: comingCount * order)
    comingCount += 1
    if isAlone || comingCount == Self.capacity { fold() }
  }

  /// Takes a standardised row of this weight off.
  mutating func remove(_ u: ContiguousArray<Double>, weight rowWeight: Double) {
    rowCount -= 1
    weight.add(-rowWeight, at: 0)
    first.add(u, times: -rowWeight)
    let isAlone = isOutlier(u)
    if isAlone { fold() }
    Self.append(u, rowWeight, to: &going, at: goingCount * order)
    goingCount += 1
    if isAlone || goingCount == Self.capacity { fold() }
  }

  /// Adds the products that are pending.
  mutating func fold() {
    if comingCount > 0 { fold(coming, count: comingCount, sign: 1) }
    if goingCount > 0 { fold(going, count: goingCount, sign: -1) }
    comingCount = 0
    goingCount = 0
  }

  private mutating func fold(_ rows: ContiguousArray<Double>, count: Int, sign: Double) {
    BLAS.syrk(Block(rows, rowCount: order, columnCount: count), alpha: sign, &scratch)
    second.add(lower: scratch, order: order)
  }

  /// Writes the centred products of the standardised columns into a lower triangle, columns
  /// 0..<columnCount of ``order`` rows.
  mutating func centredProducts(
    into products: inout ContiguousArray<Double>, columnCount: Int
  ) {
    fold()
    for j in 0..<columnCount {
      let mean = first.values[j] / weightSum
      for i in j..<order {
        products[j * order + i] = second.values[j * order + i] - mean * first.values[i]
      }
    }
  }

  /// Moves the centre to the means where they have drifted more than a scale away: the further, the
  /// more digits cancel in the centred products.
  mutating func recentreIfFar() {
    guard first.values.contains(where: { abs($0) > weightSum }) else { return }
    var products = scratch
    centredProducts(into: &products, columnCount: order)
    for j in 0..<order { centre[j] = mean(j) }
    first = ExactSums(ContiguousArray(repeating: 0, count: order))
    second = ExactSums(products)
  }

  /// The sums in the columns' own units.
  var moments: Moments {
    var copy = self
    var products = scratch
    copy.centredProducts(into: &products, columnCount: order)
    for j in 0..<order {
      for i in j..<order { products[j * order + i] /= inverseScales[j] * inverseScales[i] }
      for i in 0..<j { products[j * order + i] = 0 }
    }
    return Moments(
      featureCount: order - 1, targetCount: 1, rowCount: rowCount, weightSum: weightSum,
      means: ContiguousArray((0..<order).map { mean($0) }), products: products)
  }

  private func isOutlier(_ u: ContiguousArray<Double>) -> Bool {
    u.contains { abs($0) > Self.outlier }
  }

  private static func append(
    _ u: ContiguousArray<Double>, _ weight: Double, to rows: inout ContiguousArray<Double>, at: Int
  ) {
    let root = weight.squareRoot()
    for j in 0..<u.count { rows[at + j] = root * u[j] }
  }

  /// Writes everything but what is pending, which must be folded.
  func write(to writer: inout BlobWriter) {
    precondition(comingCount == 0 && goingCount == 0)
    writer.write(rowCount)
    writer.write(centre)
    writer.write(inverseScales)
    weight.write(to: &writer)
    first.write(to: &writer)
    second.write(to: &writer)
  }

  /// Reads what ``write(to:)`` wrote.
  init(from reader: inout BlobReader) throws(BlobError) {
    rowCount = try reader.readCount("a row count")
    centre = try reader.readDoubles()
    order = centre.count
    inverseScales = try reader.readDoubles(count: order)
    weight = try ExactSums(from: &reader, count: 1)
    first = try ExactSums(from: &reader, count: order)
    second = try ExactSums(from: &reader, count: order * order)
    guard order >= 2, inverseScales.allSatisfy({ $0 > 0 && $0.isFinite }),
      weight.values[0] > 0, centre.allSatisfy(\.isFinite)
    else { throw .malformed("sums that no rows have") }
    scratch = ContiguousArray(repeating: 0, count: order * order)
    coming = ContiguousArray(repeating: 0, count: order * Self.capacity)
    going = coming
  }
}
