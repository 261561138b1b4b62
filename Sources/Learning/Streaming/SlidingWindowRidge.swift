public import LinearAlgebra

/// A ridge regression on the last rows of a stream: a row comes, the oldest goes, in one step and exactly.
///
/// The model is that of ``RidgeRegression`` on the rows of the window, with the column scales of the last
/// ``restandardise()``, to the precision that ``StreamingRidge`` states; it does not wear out, however many
/// rows have passed. After a level that moved far restandardise once the window holds the new one. Rows are kept, 8 (*p* + 2) bytes each.
public struct SlidingWindowRidge: Sendable {
  /// How many rows the window holds.
  public let capacity: Int
  private var state: StreamingRidge
  private var rows: [Row]
  /// Where the oldest row is in ``rows``, which wraps around.
  private var oldest = 0

  private struct Row: Sendable {
    let features: ContiguousArray<Double>
    let target: Double
    let weight: Double
  }

  /// A window that is full of these rows, oldest first.
  ///
  /// - Throws: As a full training of ``StreamingRidge``. A weight must be above 0.
  /// - Complexity: O(*n p*²).
  public init(
    _ settings: RidgeRegression, _ features: Matrix, target: ContiguousArray<Double>,
    weights: ContiguousArray<Double>? = nil
  ) throws(LearningError) {
    if let weights {
      try CheckedInput.check(weights: weights, count: features.rowCount)
      if let row = weights.firstIndex(of: 0) { throw .invalidWeight(row: row) }
    }
    state = try StreamingRidge(settings, features, target: target, weights: weights)
    capacity = features.rowCount
    rows = (0..<features.rowCount).map { i in
      Row(features: features.row(i), target: target[i], weight: weights.map { $0[i] } ?? 1)
    }
  }

  /// How many features a row has.
  public var featureCount: Int { state.featureCount }
  /// The model of the rows in the window.
  ///
  /// - Complexity: O(*p*²).
  public var model: LinearModel { state.model }
  /// The columns that were constant when scales were last taken, which have coefficient 0 until the next
  /// time.
  public var constantColumns: [Int] { state.constantColumns }
  /// The sums of the rows in the window, in the columns' own units.
  public var moments: Moments { state.moments }

  /// Writes the coefficients of ``model`` into an array of ``featureCount`` and returns the intercept,
  /// without allocating.
  public func writeCoefficients(into coefficients: inout ContiguousArray<Double>) -> Double {
    state.writeCoefficients(into: &coefficients)
  }

  /// How far out a row lies, as ``RidgeFit/leverage(of:)``.
  public func leverage(of row: ContiguousArray<Double>) throws(LearningError) -> Double {
    try state.leverage(of: row)
  }

  /// Takes a row in and lets the oldest go.
  ///
  /// - Parameters:
  ///   - features: ``featureCount`` finite values.
  ///   - target: A finite value.
  ///   - weight: Above 0.
  /// - Throws: What is wrong with the row; ``LearningError/singular(order:)`` where λ is 0 and the window
  ///   would not determine a model. The window is then unchanged.
  /// - Complexity: O(*p*²), without allocating; O(*p*³ / 3) where the oldest row held up the fit so much
  ///   that the factor must be made anew.
  public mutating func slide(
    _ features: ContiguousArray<Double>, target: Double, weight: Double = 1
  ) throws(LearningError) {
    guard weight > 0 else { throw .invalidWeight(row: 0) }
    let last = rows[oldest]
    try state.change(
      last.features, target: last.target, weight: last.weight, to: features, target: target,
      weight: weight)
    rows[oldest] = Row(features: features, target: target, weight: weight)
    oldest = (oldest + 1) % capacity
  }

  /// Slides over all rows of a matrix, as sliding over them one by one would; all or none.
  public mutating func slide(
    _ features: Matrix, target: ContiguousArray<Double>, weights: ContiguousArray<Double>? = nil
  ) throws(LearningError) {
    guard target.count == features.rowCount else {
      throw .lengthMismatch(expected: features.rowCount, actual: target.count)
    }
    if let weights { try CheckedInput.check(weights: weights, count: features.rowCount) }
    var copy = self
    for i in 0..<features.rowCount {
      do {
        try copy.slide(
          features.row(i), target: target[i], weight: weights.map { $0[i] } ?? 1)
      } catch { throw error.inRow(i) }
    }
    self = copy
  }

  /// Takes new column scales from the rows in the window, as a full training on them would.
  ///
  /// Whatever passed through the window before leaves nothing: the sums are those of its rows.
  ///
  /// - Throws: As a full training; the window is then unchanged.
  /// - Complexity: O(*n p*²).
  public mutating func restandardise() throws(LearningError) {
    let held = window
    state = try StreamingRidge(
      state.settings, held.features, target: held.target, weights: held.weights)
  }

  /// The rows in the window, oldest first.
  public var window:
    (features: Matrix, target: ContiguousArray<Double>, weights: ContiguousArray<Double>)
  {
    let ordered = rows[oldest...] + rows[..<oldest]
    let columns = (0..<featureCount).map { j in ContiguousArray(ordered.map { $0.features[j] }) }
    return (
      Matrix(checkedColumns: columns, rowCount: capacity),
      ContiguousArray(ordered.map(\.target)), ContiguousArray(ordered.map(\.weight))
    )
  }
}

extension SlidingWindowRidge {
  /// The window as a blob: versioned, checksummed, without times or random marks.
  ///
  /// Mutating as ``StreamingRidge/encoded()`` is: the window read back goes on to the bit as this one does.
  public mutating func encoded() -> [UInt8] {
    var writer = BlobWriter(kind: Self.kind, version: 1)
    writer.write(state.encoded())
    for row in rows[oldest...] + rows[..<oldest] {
      writer.write(row.features + [row.target, row.weight])
    }
    return writer.finish()
  }

  /// The window in a blob, to the bit.
  public init(decoding bytes: [UInt8]) throws(BlobError) {
    var reader = try BlobReader(bytes, kind: Self.kind, supported: 1)
    state = try StreamingRidge(decoding: try reader.readBytes())
    capacity = state.rowCount
    rows = []
    for _ in 0..<capacity {
      let row = try reader.readDoubles(count: state.featureCount + 2)
      guard row.allSatisfy(\.isFinite), row[state.featureCount + 1] > 0 else {
        throw .malformed("a row that no window holds")
      }
      rows.append(
        Row(
          features: ContiguousArray(row.prefix(state.featureCount)),
          target: row[state.featureCount], weight: row[state.featureCount + 1]))
    }
    try reader.finish()
    guard capacity > 0 else { throw .malformed("a window without rows") }
  }

  private static let kind = "DWin"
}
