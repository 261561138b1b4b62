/// A matrix that lies in an array, to be read: one column after the other, each `lead` entries after the
/// one before.
///
/// Making one copies nothing.
package struct Block: Sendable {
  let storage: ContiguousArray<Double>
  /// Where it begins.
  let at: Int
  package let rowCount: Int
  package let columnCount: Int
  /// The distance of two columns in memory.
  let lead: Int
  /// Whether its rows are what lies in memory as columns.
  let isTransposed: Bool

  /// The matrix of `rowCount` × `columnCount` that begins at `at`. That it lies inside the array is a
  /// precondition.
  ///
  /// - Parameter lead: The distance of two columns; nil where they follow each other without a gap.
  package init(
    _ storage: ContiguousArray<Double>, at: Int = 0, rowCount: Int, columnCount: Int,
    lead: Int? = nil
  ) {
    let lead = max(1, lead ?? rowCount)
    Self.check(storage.count, at: at, rowCount: rowCount, columnCount: columnCount, lead: lead)
    self.init(
      unchecked: storage, at: at, rowCount: rowCount, columnCount: columnCount, lead: lead,
      isTransposed: false)
  }

  private init(
    unchecked storage: ContiguousArray<Double>, at: Int, rowCount: Int, columnCount: Int, lead: Int,
    isTransposed: Bool
  ) {
    self.storage = storage
    self.at = at
    self.rowCount = rowCount
    self.columnCount = columnCount
    self.lead = lead
    self.isTransposed = isTransposed
  }

  /// The same numbers with rows and columns exchanged.
  package var transposed: Block {
    Block(
      unchecked: storage, at: at, rowCount: columnCount, columnCount: rowCount, lead: lead,
      isTransposed: !isTransposed)
  }

  /// How many rows lie in memory.
  var storedRowCount: Int { isTransposed ? columnCount : rowCount }
  /// How many columns lie in memory.
  var storedColumnCount: Int { isTransposed ? rowCount : columnCount }

  /// That a matrix lies inside an array of `count` entries.
  static func check(_ count: Int, at: Int, rowCount: Int, columnCount: Int, lead: Int) {
    precondition(
      at >= 0 && rowCount >= 0 && columnCount >= 0 && lead >= max(1, rowCount)
        && (rowCount == 0 || columnCount == 0
          || at + (columnCount - 1) * lead + rowCount <= count),
      "a matrix beyond its array")
  }
}

extension Matrix {
  /// The whole matrix as a block.
  package var block: Block { Block(storage, rowCount: rowCount, columnCount: columnCount) }

  /// The rows of a range as a block.
  package func block(rows: Range<Int>) -> Block {
    precondition(rows.upperBound <= rowCount)
    return Block(
      storage, at: rows.lowerBound, rowCount: rows.count, columnCount: columnCount, lead: rowCount)
  }
}
