/// A dense matrix of doubles, column after column as LAPACK has it.
///
/// Entry (i, j) is `storage[j * rowCount + i]`; a column is contiguous. Sizes are checked against the
/// 32-bit indices of BLAS when a matrix is made, so that no later call has to.
public struct Matrix: Equatable, Sendable {
  /// How many rows.
  public let rowCount: Int
  /// How many columns.
  public let columnCount: Int
  /// The entries, column after column: `rowCount * columnCount` of them.
  public internal(set) var storage: ContiguousArray<Double>

  /// A matrix whose entries all are `value`.
  ///
  /// - Throws: ``LinearAlgebraError/sizeTooLarge(rowCount:columnCount:)``, before anything is
  ///   allocated.
  public init(
    repeating value: Double = 0, rowCount: Int, columnCount: Int
  ) throws(LinearAlgebraError) {
    let count = try Self.entryCount(rowCount: rowCount, columnCount: columnCount)
    self.init(
      unchecked: ContiguousArray(repeating: value, count: count), rowCount: rowCount,
      columnCount: columnCount)
  }

  /// The matrix with these entries, column after column.
  ///
  /// - Throws: ``LinearAlgebraError/sizeTooLarge(rowCount:columnCount:)`` or
  ///   ``LinearAlgebraError/lengthMismatch(expected:actual:)``.
  public init(
    columnMajor storage: ContiguousArray<Double>, rowCount: Int, columnCount: Int
  ) throws(LinearAlgebraError) {
    let count = try Self.entryCount(rowCount: rowCount, columnCount: columnCount)
    guard storage.count == count else {
      throw .lengthMismatch(expected: count, actual: storage.count)
    }
    self.init(unchecked: storage, rowCount: rowCount, columnCount: columnCount)
  }

  /// The matrix with these columns; no columns make a matrix of 0 × 0.
  ///
  /// - Throws: ``LinearAlgebraError/lengthMismatch(expected:actual:)`` where a column is not as long
  ///   as the first.
  public init(columns: [ContiguousArray<Double>]) throws(LinearAlgebraError) {
    let rowCount = columns.first?.count ?? 0
    let count = try Self.entryCount(rowCount: rowCount, columnCount: columns.count)
    var storage = ContiguousArray<Double>()
    storage.reserveCapacity(count)
    for column in columns {
      guard column.count == rowCount else {
        throw .lengthMismatch(expected: rowCount, actual: column.count)
      }
      storage.append(contentsOf: column)
    }
    self.init(unchecked: storage, rowCount: rowCount, columnCount: columns.count)
  }

  /// The matrix with these rows; no rows make a matrix of 0 × 0.
  ///
  /// - Throws: ``LinearAlgebraError/lengthMismatch(expected:actual:)`` where a row is not as long as
  ///   the first.
  public init(rows: [ContiguousArray<Double>]) throws(LinearAlgebraError) {
    let columnCount = rows.first?.count ?? 0
    try self.init(rowCount: rows.count, columnCount: columnCount)
    for (i, row) in rows.enumerated() {
      guard row.count == columnCount else {
        throw .lengthMismatch(expected: columnCount, actual: row.count)
      }
      for (j, value) in row.enumerated() { storage[j * rowCount + i] = value }
    }
  }

  /// The matrix with these rows, as ``init(rows:)`` makes it of any array.
  public init(rows: [[Double]]) throws(LinearAlgebraError) {
    try self.init(rows: rows.map { ContiguousArray($0) })
  }

  /// The matrix with these columns, as ``init(columns:)`` makes it of any array.
  public init(columns: [[Double]]) throws(LinearAlgebraError) {
    try self.init(columns: columns.map { ContiguousArray($0) })
  }

  /// The entries of a size that has been checked already.
  init(unchecked storage: ContiguousArray<Double>, rowCount: Int, columnCount: Int) {
    self.storage = storage
    self.rowCount = rowCount
    self.columnCount = columnCount
  }

  /// The entry in row `row` and column `column`, both from 0.
  public subscript(row: Int, column: Int) -> Double {
    get {
      precondition(row >= 0 && row < rowCount && column >= 0 && column < columnCount)
      return storage[column * rowCount + row]
    }
    set {
      precondition(row >= 0 && row < rowCount && column >= 0 && column < columnCount)
      storage[column * rowCount + row] = newValue
    }
  }

  /// A copy of one column.
  public func column(_ index: Int) -> ContiguousArray<Double> {
    precondition(index >= 0 && index < columnCount)
    return ContiguousArray(storage[index * rowCount..<(index + 1) * rowCount])
  }

  /// A copy of one row.
  public func row(_ index: Int) -> ContiguousArray<Double> {
    precondition(index >= 0 && index < rowCount)
    return ContiguousArray((0..<columnCount).lazy.map { storage[$0 * rowCount + index] })
  }

  /// The rows of a range, in order.
  public func rows(_ range: Range<Int>) -> Matrix {
    precondition(range.lowerBound >= 0 && range.upperBound <= rowCount)
    var part = ContiguousArray<Double>()
    part.reserveCapacity(range.count * columnCount)
    for j in 0..<columnCount {
      part.append(
        contentsOf: storage[j * rowCount + range.lowerBound..<j * rowCount + range.upperBound])
    }
    return Matrix(unchecked: part, rowCount: range.count, columnCount: columnCount)
  }

  /// The rows at these positions, in this order; a position may be named twice.
  public func rows(at positions: some Collection<Int>) -> Matrix {
    // An array of known type: asking a collection of any type for each position takes ten times as long.
    let positions = ContiguousArray(positions)
    precondition(positions.allSatisfy { $0 >= 0 && $0 < rowCount })
    var part = ContiguousArray<Double>()
    part.reserveCapacity(positions.count * columnCount)
    for j in 0..<columnCount {
      for i in positions { part.append(storage[j * rowCount + i]) }
    }
    return Matrix(unchecked: part, rowCount: positions.count, columnCount: columnCount)
  }

  /// Rows and columns exchanged.
  public var transposed: Matrix {
    var turned = ContiguousArray<Double>()
    turned.reserveCapacity(storage.count)
    for i in 0..<rowCount {
      for j in 0..<columnCount { turned.append(storage[j * rowCount + i]) }
    }
    return Matrix(unchecked: turned, rowCount: columnCount, columnCount: rowCount)
  }

  /// The matrix with columns that are known to have `rowCount` entries each and to fit.
  package init(checkedColumns columns: some Collection<ContiguousArray<Double>>, rowCount: Int) {
    var storage = ContiguousArray<Double>()
    storage.reserveCapacity(rowCount * columns.count)
    for column in columns { storage += column }
    precondition(storage.count == rowCount * columns.count)
    self.init(unchecked: storage, rowCount: rowCount, columnCount: columns.count)
  }

  /// How many entries a square of this order has, when BLAS can index them.
  package static func entryCount(squareOf order: Int) throws(LinearAlgebraError) -> Int {
    try entryCount(rowCount: order, columnCount: order)
  }

  /// How many entries a matrix of this size has, when BLAS can index them.
  static func entryCount(rowCount: Int, columnCount: Int) throws(LinearAlgebraError) -> Int {
    let (count, overflows) = rowCount.multipliedReportingOverflow(by: columnCount)
    let largest = Int(Int32.max)
    guard rowCount >= 0, columnCount >= 0, !overflows, count <= largest, rowCount <= largest,
      columnCount <= largest
    else { throw .sizeTooLarge(rowCount: rowCount, columnCount: columnCount) }
    return count
  }
}
