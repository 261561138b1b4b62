internal import LinearAlgebra

extension StreamingLogistic {
  /// The state as a blob: versioned, checksummed, without times or random marks. It holds the rows.
  public func encoded() -> [UInt8] {
    var writer = BlobWriter(kind: Self.kind, version: 1)
    settings.write(to: &writer)
    writer.write(scales.means)
    writer.write(scales.inverseScales)
    // Keys in the order of their slots, for a dictionary has none.
    let held = slots.sorted { $0.value < $1.value }
    writer.write(held.map(\.key))
    writer.write(held.map(\.value))
    writer.write(emptySlots)
    rows.write(to: &writer)
    solver.write(to: &writer)
    return writer.finish()
  }

  /// The state in a blob, to the bit: it goes on as the one that was encoded.
  public init(decoding bytes: [UInt8]) throws(BlobError) {
    var reader = try BlobReader(bytes, kind: Self.kind, supported: 1)
    let settings = try LogisticRegression(from: &reader)
    let means = try reader.readDoubles()
    let inverseScales = try reader.readDoubles(count: means.count)
    guard !means.isEmpty, (means + inverseScales).allSatisfy(\.isFinite),
      inverseScales.allSatisfy({ $0 >= 0 })
    else { throw .malformed("column scales") }
    let keys = try reader.readInts()
    let places = try reader.readInts()
    let emptySlots = try reader.readInts()
    let rows = try LogisticRows(from: &reader, order: means.count + 1)
    let solver = try LogisticSolver(from: &reader, rows, settings)
    try reader.finish()
    guard keys.count == places.count, Set(keys).count == keys.count,
      (places + emptySlots).sorted() == Array(0..<rows.slotCount),
      places.allSatisfy({ rows.weights[$0] > 0 }), emptySlots.allSatisfy({ rows.weights[$0] == 0 })
    else { throw .malformed("keys") }
    self.init(
      settings, ColumnScales(means: means, inverseScales: inverseScales), rows, solver,
      slots: Dictionary(uniqueKeysWithValues: zip(keys, places)), emptySlots: emptySlots)
    guard hasBothLabels else { throw .malformed("one class") }
  }

  private static let kind = "DSLg"
}

extension LogisticRegression {
  fileprivate func write(to writer: inout BlobWriter) {
    writer.write(penalty)
    writer.write(standardisation.rawValue)
    writer.write(tolerance)
    writer.write(maximumIterations)
  }

  fileprivate init(from reader: inout BlobReader) throws(BlobError) {
    let penalty = try reader.readDouble()
    guard let standardisation = Standardisation(rawValue: try reader.readByte()) else {
      throw .malformed("settings")
    }
    self.init(
      penalty: penalty, standardisation: standardisation, tolerance: try reader.readDouble(),
      maximumIterations: try reader.readInt())
    do { try check() } catch { throw .malformed("settings") }
    guard penalty > 0 else { throw .malformed("settings") }
  }
}

extension LogisticRows {
  fileprivate func write(to writer: inout BlobWriter) {
    writer.write(labels)
    writer.write(weights)
    for k in blocks.indices {
      let count = slots(of: k).count
      for j in 0..<order - 1 {
        let start = j * Self.blockRows
        writer.write(ContiguousArray(blocks[k][start..<start + count]))
      }
    }
  }

  fileprivate init(from reader: inout BlobReader, order: Int) throws(BlobError) {
    let labels = try reader.readDoubles()
    let weights = try reader.readDoubles(count: labels.count)
    guard labels.allSatisfy({ $0 == 0 || $0 == 1 }),
      weights.allSatisfy({ $0 >= 0 && $0.isFinite })
    else { throw .malformed("labels or weights") }
    var blocks: [ContiguousArray<Double>] = []
    for start in stride(from: 0, to: labels.count, by: Self.blockRows) {
      let count = min(Self.blockRows, labels.count - start)
      var block = ContiguousArray<Double>()
      block.reserveCapacity(order * Self.blockRows)
      let rest = repeatElement(0.0, count: Self.blockRows - count)
      for _ in 0..<order - 1 {
        let column = try reader.readDoubles(count: count)
        guard column.allSatisfy(\.isFinite) else { throw .malformed("a row that is not finite") }
        block += column
        block += rest
      }
      // The ones of the intercept; an empty slot has none.
      block += (start..<start + count).map { weights[$0] > 0 ? 1 : 0 }
      block += rest
      blocks.append(block)
    }
    self.init(order: order, blocks: blocks, labels: labels, weights: weights)
  }
}

extension LogisticSolver {
  fileprivate func write(to writer: inout BlobWriter) {
    writer.write(point)
    writer.write(ContiguousArray(scores))
    writer.write(gradient)
    writer.write(mustRenew)
    writer.write(excess)
    curvature.write(to: &writer)
  }

  fileprivate init(
    from reader: inout BlobReader, _ rows: LogisticRows, _ settings: LogisticRegression
  ) throws(BlobError) {
    self.init(
      order: rows.order, slotCount: rows.slotCount, tolerance: settings.tolerance,
      maximumIterations: settings.maximumIterations)
    point = try reader.readDoubles(count: rows.order)
    scores = try reader.readDoubles()
    gradient = try reader.readDoubles(count: rows.order)
    mustRenew = try reader.readBool()
    excess = try reader.readCount("a count of steps")
    guard scores.count >= rows.slotCount, (point + scores + gradient).allSatisfy(\.isFinite),
      gradientNorm(rows) <= tolerance
    else { throw .malformed("a point that is none") }
    makeRoom(for: scores.count)
    penalty = settings.penalty
    curvature = try LogisticCurvature(from: &reader, order: rows.order, penalty: penalty)
  }
}

extension LogisticCurvature {
  fileprivate func write(to writer: inout BlobWriter) {
    writer.write(needsDoubles)
    writer.write(pairCount)
    writer.write(newest)
    writer.write(ContiguousArray(steps.prefix(pairCount * order)))
    writer.write(ContiguousArray(changes.prefix(pairCount * order)))
    writer.write(ContiguousArray(products.prefix(pairCount)))
    var packed = ContiguousArray<Double>()
    packed.reserveCapacity(order * (order + 1) / 2)
    for j in 0..<order { packed += factor.lower[j * order + j..<(j + 1) * order] }
    writer.write(packed)
  }

  fileprivate init(
    from reader: inout BlobReader, order: Int, penalty: Double
  ) throws(BlobError) {
    self.init(order: order)
    self.penalty = penalty
    needsDoubles = try reader.readBool()
    pairCount = try reader.readCount("a count of steps")
    newest = try reader.readInt()
    guard pairCount <= Self.capacity, (-1..<Self.capacity).contains(newest),
      pairCount == Self.capacity || newest == pairCount - 1
    else { throw .malformed("steps") }
    let lists = (
      try reader.readDoubles(count: pairCount * order),
      try reader.readDoubles(count: pairCount * order), try reader.readDoubles(count: pairCount)
    )
    guard (lists.0 + lists.1).allSatisfy(\.isFinite), lists.2.allSatisfy({ $0 > 0 && $0.isFinite })
    else { throw .malformed("steps") }
    for at in lists.0.indices { (steps[at], changes[at]) = (lists.0[at], lists.1[at]) }
    for pair in lists.2.indices { products[pair] = lists.2[pair] }
    let packed = try reader.readDoubles(count: order * (order + 1) / 2)
    var lower = ContiguousArray<Double>(repeating: 0, count: order * order)
    var at = 0
    for j in 0..<order {
      guard packed[at] > 0 else { throw .malformed("a factor without a positive pivot") }
      for i in j..<order {
        lower[j * order + i] = packed[at]
        at += 1
      }
    }
    guard packed.allSatisfy(\.isFinite) else { throw .malformed("a factor that is not finite") }
    factor.copy(fromLower: lower)
  }
}
