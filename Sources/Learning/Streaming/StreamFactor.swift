internal import LinearAlgebra

/// The Cholesky factor L of penalised equations (G + λI)β = g, with L⁻¹g kept solved as a row below it.
///
/// Holds all its scratch: nothing but reading it from a blob allocates.
struct StreamFactor: Sendable {
  /// How many columns the equations have.
  let order: Int
  /// `order` columns of order + 1 rows: L, and in the last row L⁻¹g.
  private var lower: ContiguousArray<Double>
  private var spare: ContiguousArray<Double>
  private var scratch: ContiguousArray<Double>
  private var cosines: ContiguousArray<Double>
  private var sines: ContiguousArray<Double>

  /// The least share of the determinant that a downdate may leave: rounding errors grow by its inverse.
  private static let leastRemainder = 0.0625

  private var lead: Int { order + 1 }

  /// A factor that is to be built before it is used.
  init(order: Int) {
    self.order = order
    lower = ContiguousArray(repeating: 0, count: order * (order + 1))
    spare = lower
    scratch = ContiguousArray(repeating: 0, count: order + 1)
    cosines = scratch
    sines = scratch
  }

  /// Builds the factor from sums; false, and as it was, where the equations are singular to rounding.
  ///
  /// - Complexity: O(order³ / 3).
  mutating func rebuild(
    from sums: inout StreamSums, uses: ContiguousArray<Double>, penalty: Double
  ) -> Bool {
    sums.centredProducts(into: &spare, columnCount: order)
    for j in 0..<order {
      let column = j * lead
      for i in j..<lead { spare[column + i] *= uses[j] * uses[i] }
      spare[column + j] = uses[j] == 0 ? 1 : spare[column + j] + penalty
      sines[j] = spare[column + j]
    }
    do { try LAPACK.potrf(order: order, &spare, lead: lead) } catch { return false }
    for j in 0..<order {
      let pivot = spare[j * lead + j]
      // What is left of a column must be more than the rounding of its products.
      guard pivot * pivot > 4 * .ulpOfOne * sines[j], pivot.isFinite else { return false }
      scratch[j] = spare[j * lead + order]
    }
    BLAS.trsv(transposed: false, order: order, spare, lLead: lead, &scratch)
    for j in 0..<order { spare[j * lead + order] = scratch[j] }
    swap(&lower, &spare)
    return true
  }

  /// Adds the square of a vector of order + 1 entries, the last for g; it is used up.
  mutating func update(_ vector: inout ContiguousArray<Double>) {
    BLAS.rotateIn(order: order, extra: 1, &lower, lLead: lead, using: &vector)
  }

  /// Takes the square of a vector off; false, and the factor as it was, where that would cost digits.
  /// The vector is used up.
  mutating func downdate(_ vector: inout ContiguousArray<Double>) -> Bool {
    BLAS.trsv(transposed: false, order: order, lower, lLead: lead, &vector)
    let left = 1 - BLAS.dot(order, vector, vector)
    guard left >= Self.leastRemainder else { return false }
    var length = left.squareRoot()
    for k in stride(from: order - 1, through: 0, by: -1) {
      let longer = (length * length + vector[k] * vector[k]).squareRoot()
      cosines[k] = length / longer
      sines[k] = vector[k] / longer
      length = longer
    }
    // The row below L turns the other way round: forwards, each entry solved for what it becomes.
    var rest = vector[order]
    for k in 0..<order {
      let entry = (lower[k * lead + order] - sines[k] * rest) / cosines[k]
      rest = cosines[k] * rest - sines[k] * entry
      lower[k * lead + order] = entry
      vector[k] = 0
    }
    BLAS.rotateOut(
      order: order, &lower, lLead: lead, cosines: cosines, sines: sines, zeros: &vector)
    return true
  }

  /// Writes the solution β.
  func solve(into solution: inout ContiguousArray<Double>) {
    for j in 0..<order { solution[j] = lower[j * lead + order] }
    BLAS.trsv(transposed: true, order: order, lower, lLead: lead, &solution)
  }

  /// v'(G + λI)⁻¹v; v is used up.
  func form(_ vector: inout ContiguousArray<Double>) -> Double {
    BLAS.trsv(transposed: false, order: order, lower, lLead: lead, &vector)
    return BLAS.dot(order, vector, vector)
  }

  func write(to writer: inout BlobWriter) {
    var packed = ContiguousArray<Double>()
    packed.reserveCapacity(order * (order + 3) / 2)
    for j in 0..<order { packed += lower[j * lead + j..<(j + 1) * lead] }
    writer.write(packed)
  }

  init(from reader: inout BlobReader, order: Int) throws(BlobError) {
    self.init(order: order)
    let packed = try reader.readDoubles(count: order * (order + 3) / 2)
    var at = 0
    for j in 0..<order {
      guard packed[at] > 0 else { throw .malformed("a factor without a positive pivot") }
      for i in j..<lead {
        lower[j * lead + i] = packed[at]
        at += 1
      }
    }
    guard packed.allSatisfy(\.isFinite) else { throw .malformed("a factor that is not finite") }
  }
}
