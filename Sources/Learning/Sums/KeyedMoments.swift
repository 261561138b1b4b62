public import LinearAlgebra

/// Sums over rows with a key each, such as a day number, that are bit for bit those of a build from
/// scratch whatever was added, changed and removed before.
///
/// Keys are cut into blocks of 128 consecutive ones, and the sums of blocks are merged pairwise in a
/// tree that halves the range of keys. Its shape depends on the keys alone, so an edit sums one block
/// anew and merges along the path to the root. Rows are kept. Nothing of a row that was removed is
/// left, and of two logs that hold the same rows everything is equal.
///
/// Memory: 8 (*p* + 2) bytes for each of the rows, 8 *p*² for each block of keys that has any, and
/// 16 *p*² + 1024 *p* once.
/// For a stream where microseconds count use ``StreamingRidge``. Columns whose deviations lie outside 1e-145 to
/// 1e145 are to be brought to another unit first, see ``Moments``.
public struct KeyedMoments: Sendable {
  /// How many features a row has.
  public let featureCount: Int
  private var blocks: [Block] = []
  /// Sums of inner nodes: one for each gap between neighbouring blocks, see ``level(_:)``.
  private var inner: [BlockSums] = []
  private var workspace = BlockSums.Workspace()
  /// The sums of all rows: what ``RidgeRegression/fit(_:)`` takes.
  public private(set) var moments: Moments

  private struct Block: Sendable {
    /// The key divided by 128.
    let number: Int
    var keys: [Int]
    /// Row after row: features, target, weight.
    var rows: ContiguousArray<Double>
    var sums: BlockSums
  }

  /// 2 to the power of this is how many consecutive keys share a block.
  private static let blockBits = 7

  /// Sums over no rows.
  public init(featureCount: Int) throws(LearningError) {
    guard featureCount > 0 else { throw .emptyInput(rowCount: 0, columnCount: featureCount) }
    let (order, overflows) = featureCount.addingReportingOverflow(2)
    guard !overflows else { throw .sizeTooLarge(rowCount: featureCount, columnCount: featureCount) }
    do { _ = try Matrix.entryCount(squareOf: order) } catch { throw LearningError(error) }
    self.featureCount = featureCount
    moments = try Moments(featureCount: featureCount)
  }

  /// Sums over the rows of a matrix, whose keys may come in any order but not twice.
  ///
  /// - Throws: What is wrong with a row; ``LearningError/conflictingKey(_:)`` for a key that comes twice.
  /// - Complexity: O(*n p*²).
  public init(
    keys: [Int], _ features: Matrix, target: ContiguousArray<Double>,
    weights: ContiguousArray<Double>? = nil, threads: Int = 1
  ) throws(LearningError) {
    try self.init(featureCount: features.columnCount)
    guard target.count == keys.count, features.rowCount == keys.count else {
      throw .lengthMismatch(expected: keys.count, actual: min(target.count, features.rowCount))
    }
    if let weights { try CheckedInput.check(weights: weights, count: keys.count) }
    for i in keys.indices.sorted(by: { keys[$0] < keys[$1] }) {
      let row: ContiguousArray<Double>
      do { row = try checked(features.row(i), target[i], weights.map { $0[i] } ?? 1) } catch {
        throw error.inRow(i)
      }
      guard place(row, key: keys[i], replaces: false) else { throw .conflictingKey(keys[i]) }
    }
    sumBlocks(Array(blocks.indices), threads: threads)
  }

  /// How many rows are held.
  public var rowCount: Int { moments.rowCount }
  /// The keys held, ascending.
  public var keys: [Int] { blocks.flatMap(\.keys) }

  /// All rows in the order of their keys.
  public var rows:
    (features: Matrix, target: ContiguousArray<Double>, weights: ContiguousArray<Double>)
  {
    let lead = featureCount + 2
    let all = blocks.reduce(into: ContiguousArray<Double>()) { $0 += $1.rows }
    let columns = (0..<lead).map { j in
      ContiguousArray(stride(from: j, to: all.count, by: lead).map { all[$0] })
    }
    return (
      Matrix(checkedColumns: columns.prefix(featureCount), rowCount: rowCount),
      columns[featureCount], columns[featureCount + 1]
    )
  }

  /// Whether there is a row with this key.
  public func contains(_ key: Int) -> Bool { position(of: key).isPresent }

  /// Adds a row, or puts it in the place of the one with its key.
  ///
  /// - Parameters:
  ///   - key: Which row it is: any number, such as that of a day.
  ///   - features: ``featureCount`` finite values.
  ///   - target: A finite value.
  ///   - weight: Above 0.
  /// - Throws: What is wrong with the row; everything is then as it was.
  /// - Complexity: O(*p*² (128 + log *n*)).
  public mutating func set(
    _ key: Int, _ features: ContiguousArray<Double>, target: Double, weight: Double = 1
  ) throws(LearningError) {
    _ = place(try checked(features, target, weight), key: key, replaces: true)
    sumBlocks([position(of: key).block], threads: 1)
  }

  /// Sets many rows; all or none. A key that comes twice gets its last row.
  public mutating func set(
    _ keys: [Int], _ features: Matrix, target: ContiguousArray<Double>,
    weights: ContiguousArray<Double>? = nil
  ) throws(LearningError) {
    guard target.count == keys.count, features.rowCount == keys.count else {
      throw .lengthMismatch(expected: keys.count, actual: min(target.count, features.rowCount))
    }
    if let weights { try CheckedInput.check(weights: weights, count: keys.count) }
    var rows: [ContiguousArray<Double>] = []
    for i in keys.indices {
      do { rows.append(try checked(features.row(i), target[i], weights.map { $0[i] } ?? 1)) } catch
      {
        throw error.inRow(i)
      }
    }
    for (key, row) in zip(keys, rows) { _ = place(row, key: key, replaces: true) }
    sumBlocks(Set(keys.map { position(of: $0).block }).sorted(), threads: 1)
  }

  /// Removes the row with a key; nothing of it is left.
  ///
  /// - Throws: ``LearningError/unknownKey(_:)``.
  public mutating func remove(_ key: Int) throws(LearningError) {
    let (block, row, isPresent) = position(of: key)
    guard isPresent else { throw .unknownKey(key) }
    let lead = featureCount + 2
    blocks[block].keys.remove(at: row)
    blocks[block].rows.removeSubrange(row * lead..<(row + 1) * lead)
    if !blocks[block].keys.isEmpty { return sumBlocks([block], threads: 1) }
    blocks.remove(at: block)
    if !inner.isEmpty { inner.remove(at: min(block, inner.count - 1)) }
    if blocks.isEmpty {
      BlockSums(order: featureCount + 1).unpack(into: &moments)
    } else {
      for near in [block - 1, block] where blocks.indices.contains(near) { mergeUp(from: near) }
    }
  }

  /// Takes the rows of another in. The result is that of building one from the rows of both.
  ///
  /// - Throws: ``LearningError/incompatibleState`` where feature counts differ;
  ///   ``LearningError/conflictingKey(_:)`` for a key that has another row in each: which of them holds
  ///   is for the log to say. Everything is then as it was.
  public mutating func merge(_ other: KeyedMoments) throws(LearningError) {
    guard other.featureCount == featureCount else { throw .incompatibleState }
    var merged = self
    var touched: Set<Int> = []
    let lead = featureCount + 2
    for block in other.blocks {
      for (i, key) in block.keys.enumerated() {
        let row = ContiguousArray(block.rows[i * lead..<(i + 1) * lead])
        guard merged.place(row, key: key, replaces: false) else { throw .conflictingKey(key) }
      }
      touched.insert(block.number)
    }
    merged.sumBlocks(
      merged.blocks.indices.filter { touched.contains(merged.blocks[$0].number) }, threads: 1)
    self = merged
  }
}

extension KeyedMoments: Equatable {
  /// Whether both hold the same rows, bit for bit; all else follows from them.
  public static func == (a: KeyedMoments, b: KeyedMoments) -> Bool {
    a.featureCount == b.featureCount && a.blocks.count == b.blocks.count
      && zip(a.blocks, b.blocks).allSatisfy { $0.keys == $1.keys && $0.rows == $1.rows }
  }
}

extension KeyedMoments {
  private func checked(
    _ features: ContiguousArray<Double>, _ target: Double, _ weight: Double
  ) throws(LearningError) -> ContiguousArray<Double> {
    try CheckedInput.check(
      row: features, featureCount: featureCount, target: target, weight: weight)
    // That the sum of weights and the products of 2²⁰ rows like this one stay in the range of a double.
    guard weight > 0, weight < Self.weightLimit / 0x1p20 else { throw .invalidWeight(row: 0) }
    let limit = min(0x1p480, 0x1p490 / weight.squareRoot())
    for column in features.indices where abs(features[column]) >= limit {
      throw .overflow(column: column)
    }
    guard abs(target) < limit else { throw .overflow(column: featureCount) }
    return features + [target, weight]
  }

  /// Where a key is, or would be: its block, which may not be there yet, and its row in it.
  private func position(of key: Int) -> (block: Int, row: Int, isPresent: Bool) {
    let number = key >> Self.blockBits
    let block = Self.lowerBound(blocks.count) { blocks[$0].number < number }
    guard block < blocks.count, blocks[block].number == number else { return (block, 0, false) }
    let keys = blocks[block].keys
    let row = Self.lowerBound(keys.count) { keys[$0] < key }
    return (block, row, row < keys.count && keys[row] == key)
  }

  private static func lowerBound(_ count: Int, _ isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Puts a row where its key belongs, without summing; false where the key has another row and it is
  /// not to be replaced.
  private mutating func place(
    _ row: ContiguousArray<Double>, key: Int, replaces: Bool
  ) -> Bool {
    let (block, at, isPresent) = position(of: key)
    let lead = featureCount + 2
    if block == blocks.count || blocks[block].number != key >> Self.blockBits {
      let sums = BlockSums(order: featureCount + 1)
      blocks.insert(
        Block(number: key >> Self.blockBits, keys: [key], rows: row, sums: sums), at: block)
      if blocks.count > 1 { inner.insert(sums, at: min(block, inner.count)) }
    } else if isPresent {
      let range = at * lead..<(at + 1) * lead
      guard replaces || blocks[block].rows[range].elementsEqual(row) else { return false }
      blocks[block].rows.replaceSubrange(range, with: row)
    } else {
      blocks[block].keys.insert(key, at: at)
      blocks[block].rows.insert(contentsOf: row, at: at * lead)
    }
    return true
  }

  /// Sums some blocks anew, and all nodes above them.
  private mutating func sumBlocks(_ positions: [Int], threads: Int) {
    if positions.count == 1 {
      blocks[positions[0]].sums.sum(blocks[positions[0]].rows, &workspace)
      return mergeUp(from: positions[0])
    }
    let (order, blocks) = (featureCount + 1, blocks)
    let sums = Parallel.map(positions.count, threads: threads) { index in
      BlockSums(rows: blocks[positions[index]].rows, order: order)
    }
    for (position, sums) in zip(positions, sums) { self.blocks[position].sums = sums }
    if !positions.isEmpty { mergeAll(blocks.indices).unpack(into: &moments) }
  }

  /// The level of the node between two neighbouring blocks: the highest bit in which their numbers
  /// differ. Of two gaps in a row the levels always differ, so that the levels alone make a tree: a node
  /// reaches as far to both sides as the levels are lower than its own.
  private func level(_ gap: Int) -> Int {
    let bits = UInt(bitPattern: blocks[gap].number) ^ UInt(bitPattern: blocks[gap + 1].number)
    return UInt.bitWidth - bits.leadingZeroBitCount
  }

  /// The sums of neighbouring blocks that make a whole node.
  private func sums(_ range: ClosedRange<Int>) -> BlockSums {
    guard range.count > 1 else { return blocks[range.lowerBound].sums }
    return inner[topGap(range)]
  }

  /// The gap whose node has exactly these blocks below it.
  private func topGap(_ range: ClosedRange<Int>) -> Int {
    var (top, highest) = (range.lowerBound, -1)
    for gap in range.lowerBound..<range.upperBound where level(gap) > highest {
      (top, highest) = (gap, level(gap))
    }
    return top
  }

  /// Merges anew along the path from one block to the root.
  private mutating func mergeUp(from block: Int) {
    var (low, high) = (block, block)
    while low > 0 || high < blocks.count - 1 {
      let left = low > 0 ? level(low - 1) : .max
      let right = high < blocks.count - 1 ? level(high) : .max
      if left < right {
        var start = low - 1
        while start > 0, level(start - 1) < left { start -= 1 }
        inner[low - 1].merge(sums(start...low - 1), sums(low...high))
        low = start
      } else {
        var end = high + 1
        while end < blocks.count - 1, level(end) < right { end += 1 }
        inner[high].merge(sums(low...high), sums(high + 1...end))
        high = end
      }
    }
    sums(0...blocks.count - 1).unpack(into: &moments)
  }

  /// Merges everything below the node of these blocks anew.
  private mutating func mergeAll(_ range: Range<Int>) -> BlockSums {
    guard range.count > 1 else { return blocks[range.lowerBound].sums }
    let top = topGap(range.lowerBound...range.upperBound - 1)
    let left = mergeAll(range.lowerBound..<top + 1)
    let right = mergeAll(top + 1..<range.upperBound)
    inner[top].merge(left, right)
    return inner[top]
  }
}

extension KeyedMoments {
  /// The rows as a blob: versioned, checksummed, the same bytes for the same rows. Sums are left out, as
  /// reading makes them anew to the bit.
  public func encoded() -> [UInt8] {
    var writer = BlobWriter(kind: Self.kind, version: 1)
    writer.write(featureCount)
    writer.write(keys)
    for block in blocks {
      for value in block.rows { writer.write(value) }
    }
    return writer.finish()
  }

  /// The rows in a blob, of at most 4,096 features.
  public init(decoding bytes: [UInt8]) throws(BlobError) {
    var reader = try BlobReader(bytes, kind: Self.kind, supported: 1)
    let featureCount = try reader.readCount("a feature count")
    // Memory goes with its square, so that a count that is believed can end the process.
    guard featureCount <= Self.decodedFeatureLimit else { throw .malformed("a feature count") }
    let keys = try reader.readInts()
    do { try self.init(featureCount: featureCount) } catch { throw .malformed("a feature count") }
    for (i, key) in keys.enumerated() {
      guard i == 0 || keys[i - 1] < key else { throw .malformed("keys out of order") }
      var row = ContiguousArray<Double>()
      for _ in 0..<featureCount + 2 { row.append(try reader.readDouble()) }
      do {
        let (features, target) = (ContiguousArray(row.prefix(featureCount)), row[featureCount])
        _ = place(try checked(features, target, row[featureCount + 1]), key: key, replaces: false)
      } catch { throw .malformed("a row that is not finite") }
    }
    try reader.finish()
    sumBlocks(Array(blocks.indices), threads: 1)
  }

  private static let kind = "DKey"
  private static let decodedFeatureLimit = 4096
  private static let weightLimit = 0x1p1000
}
