internal import LinearAlgebra

/// Where the columns of a stream are centred and in which units they are summed.
///
/// Units are powers of two, so that going over to others rounds nothing.
struct StreamFrame: Sendable {
  /// A row with its target as its last value, in the units of the columns.
  struct Row: Equatable, Sendable {
    let values: ContiguousArray<Double>
    let weight: Double
  }

  private(set) var centre: ContiguousArray<Double>
  /// One over the units of the columns.
  private(set) var inverseUnits: ContiguousArray<Double>
  /// What a row's root weight is multiplied by, to be about 1.
  private(set) var rootUnit: Double
  /// Whether a column's unit is known. It is not where nearly all rows had one value: a row that has another is kept apart.
  private var isKnown: ContiguousArray<Bool>

  /// A row is far out where √w (u, 1) has an entry from here up.
  private static let farOut = 64.0
  /// How many rows must differ to tell how far apart they lie, even where some of them lie far out.
  private static let differingCount = 8

  var order: Int { centre.count }

  /// A frame around `centre` for columns of these spreads, 0 where that is not known.
  init(centre: ContiguousArray<Double>, spreads: ContiguousArray<Double>, weight: Double) {
    self.centre = centre
    inverseUnits = ContiguousArray(spreads.map { Self.inverseUnit($0, limit: 1000) })
    rootUnit = Self.inverseUnit(weight.squareRoot())
    isKnown = ContiguousArray(spreads.map { $0 > 0 })
  }

  /// A frame for rows like these: its units are those of the middle half, so that a row far out, which may go again,
  /// does not widen them.
  init(like rows: [Row]) {
    self.init(
      like: rows[0].values.indices.map { j in rows.map { $0.values[j] } },
      weights: rows.map(\.weight))
  }

  /// The same of rows that are given column by column.
  init(like columns: [[Double]], weights: [Double]?) {
    let middles = columns.map { Self.middle($0) }
    self.init(
      centre: ContiguousArray(middles.map(\.centre)),
      spreads: ContiguousArray(middles.map(\.spread)),
      weight: weights.map { Self.median($0) } ?? 1)
    isKnown = ContiguousArray(middles.map(\.isKnown))
  }

  /// This frame moved to another centre.
  func moved(to centre: ContiguousArray<Double>) -> StreamFrame {
    var frame = self
    frame.centre = centre
    return frame
  }

  /// This frame with the units of another for the columns whose units this one does not know.
  func knowing(_ other: StreamFrame) -> StreamFrame {
    var frame = self
    for j in 0..<order where !isKnown[j] && other.isKnown[j] {
      frame.inverseUnits[j] = other.inverseUnits[j]
      frame.isKnown[j] = true
    }
    return frame
  }

  /// This frame with units in which those of the rows that lie out least, all but a quarter, are not far out.
  ///
  /// - Parameters:
  ///   - spreads: Those of the rows that are summed.
  ///   - weight: Their mean weight.
  func widened(
    for rows: [Row], spreads: ContiguousArray<Double>, weight: Double
  ) -> StreamFrame {
    func distance(_ row: Row, _ j: Int) -> Double { abs(row.values[j] - centre[j]) }
    let typical = (0..<order).map { j in
      isKnown[j] ? 1 / inverseUnits[j] : Self.middle(rows.map { distance($0, j) }).spread
    }
    let farness = rows.map { row in
      row.weight.squareRoot()
        * (0..<order).reduce(1) { far, j in
          typical[j] > 0 ? max(far, distance(row, j) / typical[j]) : far
        }
    }
    let taken = rows.indices.sorted { (farness[$0], $0) < (farness[$1], $1) }
      .prefix(rows.count * 3 / 4).map { rows[$0] }
    let heaviest = taken.reduce(weight) { max($0, $1.weight / 256) }
    let root = Self.inverseUnit(heaviest.squareRoot())
    let wide = (0..<order).map { j in
      taken.reduce(spreads[j]) { spread, row in
        max(spread, distance(row, j) / 16 * row.weight.squareRoot() * root)
      }
    }
    var frame = StreamFrame(centre: centre, spreads: ContiguousArray(wide), weight: heaviest)
    for j in 0..<order where isKnown[j] { frame.isKnown[j] = true }
    return frame
  }

  /// Whether a row that is u in this frame lies too far out for sums of the others, at this weight.
  func isFarOut(_ row: ContiguousArray<Double>, weight: Double) -> Bool {
    let root = weight.squareRoot() * rootUnit
    let limit = Self.farOut / root
    return !(root < Self.farOut)
      || (0..<order).contains { isKnown[$0] ? !(abs(row[$0]) < limit) : row[$0] != 0 }
  }

  /// One over the power of two next below a spread, 1 where that is not known.
  private static func inverseUnit(_ spread: Double, limit: Int = 500) -> Double {
    guard spread > 0, spread.isFinite else { return 1 }
    let exponent = max(-limit, min(limit, Int(spread.exponent)))
    return Double(sign: .plus, exponent: -exponent, significand: 1)
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  /// The median of a column and of the distances from it. Where most are 0 it is the lower quartile of the others, as
  /// a unit that is too small keeps more rows apart and one too large loses digits; it is not known where few differ.
  private static func middle(
    _ values: [Double]
  ) -> (centre: Double, spread: Double, isKnown: Bool) {
    let centre = median(values)
    let away = values.map { abs($0 - centre) }.sorted()
    let half = away[away.count / 2]
    guard half == 0 else { return (centre, half, true) }
    let apart = away.filter { $0 > 0 }
    guard let farthest = apart.last else { return (centre, 0, false) }
    // A rounding error among the values makes no unit.
    let quartile = max(apart[(apart.count - 1) / 4], farthest * 0x1p-200)
    return (centre, quartile, apart.count >= differingCount)
  }

  /// Writes all but the centre.
  func write(to writer: inout BlobWriter) {
    writer.write(inverseUnits)
    writer.write(rootUnit)
    writer.write(ContiguousArray(isKnown.map { $0 ? 1.0 : 0 }))
  }

  /// Reads what ``write(to:)`` wrote; up to version 3 all units were taken for known.
  init(from reader: inout BlobReader, centre: ContiguousArray<Double>) throws(BlobError) {
    self.centre = centre
    inverseUnits = try reader.readDoubles(count: centre.count)
    rootUnit = try reader.readDouble()
    isKnown = ContiguousArray(repeating: true, count: centre.count)
    if reader.version > 3 {
      let known = try reader.readDoubles(count: centre.count)
      guard known.allSatisfy({ $0 == 0 || $0 == 1 }) else {
        throw .malformed("units that no rows have")
      }
      isKnown = ContiguousArray(known.map { $0 == 1 })
    }
    for unit in inverseUnits + [rootUnit]
    where !(unit.isNormal && unit > 0 && unit.significand == 1) {
      throw .malformed("units that no rows have")
    }
  }
}
