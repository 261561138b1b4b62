internal import LinearAlgebra

/// Rows whose products are still to be summed, each number as a double and what rounding left of it.
///
/// Their products are summed to 22 bits more than a double has. Numbers are cut where their columns have 23 bits
/// left: v = h + t. Every product of two h and every sum of 128 of them fits a double, so ΣhhᵀI is exact
/// whatever the order in which a kernel adds; t is so small that what rounding does to its products does not
/// show. What a row brought it can then take off, to the same precision, among any other rows.
///
/// - Note: The cut is that of *Error-free transformations of matrix multiplication by using fast routines of
///   matrix multiplication and its applications*, Ozaki, Ogita, Oishi and Rump, Numerical Algorithms 59 (2012),
///   95–118.
struct PendingRows: Sendable {
  /// How many numbers a row has.
  let order: Int
  private(set) var count = 0
  /// Row after row.
  private var values: ContiguousArray<Double>
  private var rests: ContiguousArray<Double>
  private var largest: ContiguousArray<Double>

  /// How many rows are gathered before their products are summed: a sum of 2⁷ products of 2 × 23 bits has 53.
  static let capacity = 128
  private static let bits = 23

  init(order: Int) {
    self.order = order
    values = ContiguousArray(repeating: 0, count: order * Self.capacity)
    rests = values
    largest = ContiguousArray(repeating: 0, count: order)
  }

  var isFull: Bool { count == Self.capacity }

  /// Appends a row: `factor` times a number and its rest.
  mutating func append(
    _ row: ContiguousArray<Double>, rests rowRests: ContiguousArray<Double>, root: DoubleDouble
  ) {
    precondition(!isFull && row.count == order - 1)
    let at = count * order
    if root.low == 0, root.high.significand == 1 {
      // A power of two rounds nothing.
      for j in 0..<row.count {
        values[at + j] = root.high * row[j]
        rests[at + j] = root.high * rowRests[j]
      }
    } else {
      for j in 0..<row.count {
        let value = DoubleDouble(high: row[j], low: rowRests[j]) * root
        values[at + j] = value.high
        rests[at + j] = value.low
      }
    }
    values[at + row.count] = root.high
    rests[at + row.count] = root.low
    count += 1
  }

  /// Adds the products of all rows to sums, or takes them off, and forgets the rows.
  mutating func fold(
    into sums: inout ExactSums, subtracting: Bool, _ scratch: inout ContiguousArray<Double>
  ) {
    guard count > 0 else { return }
    let sign: Double = subtracting ? -1 : 1
    cut()
    BLAS.syrk(
      Block(values, rowCount: order, columnCount: count), alpha: sign, isFinite: true, &scratch)
    sums.add(lower: scratch, order: order)
    // hhᵀ + t(h + t/2)ᵀ + (h + t/2)tᵀ = (h + t)(h + t)ᵀ
    Elementwise.add(count * order, 0.5, rests, to: &values)
    BLAS.syr2k(
      Block(rests, rowCount: order, columnCount: count),
      Block(values, rowCount: order, columnCount: count), alpha: sign, isFinite: true, &scratch)
    sums.add(lower: scratch, order: order)
    count = 0
  }

  /// Leaves in `values` what has at most 23 bits above the last place that counts in a column of the rows,
  /// and moves the rest to `rests`.
  private mutating func cut() {
    for j in 0..<order { largest[j] = 0 }
    for at in stride(from: 0, to: count * order, by: order) {
      for j in 0..<order { largest[j] = max(largest[j], abs(values[at + j])) }
    }
    // Adding and taking off this rounds to multiples of its last place.
    for j in 0..<order where largest[j] > 0 {
      let power = Double(sign: .plus, exponent: largest[j].exponent + 1, significand: 1)
      largest[j] = power * Double(sign: .plus, exponent: 52 - Self.bits, significand: 1.5)
    }
    for at in stride(from: 0, to: count * order, by: order) {
      for j in 0..<order {
        let value = values[at + j]
        let head = (value + largest[j]) - largest[j]
        values[at + j] = head
        rests[at + j] += value - head
      }
    }
  }
}
