internal import LinearAlgebra

/// The Cholesky factor L of penalised equations (G + λI)β = g, with L⁻¹g kept solved as a row below it.
///
/// Holds all its scratch: nothing but reading it from a blob allocates.
struct StreamFactor: Sendable {
  private var factor: CholeskyFactor
  /// What the next factor is made in, so that one that cannot be made leaves this one as it was.
  private var spare: CholeskyFactor

  /// The least share of the determinant that a downdate may leave: rounding errors grow by its inverse.
  private static let leastRemainder = 0.0625

  /// How many columns the equations have.
  var order: Int { factor.order }

  /// A factor that is to be built before it is used.
  init(order: Int) {
    factor = CholeskyFactor(identityOfOrder: order, rowsBelow: 1)
    spare = factor
  }

  /// Builds the factor from sums, whose columns `scaling` brings to the scale that the penalty sees; false, and as it
  /// was, where the equations are singular to rounding.
  ///
  /// - Complexity: O(order³ / 3).
  mutating func rebuild(
    from sums: inout StreamSums, scaling: ContiguousArray<Double>, penalty: Double
  ) -> Bool {
    let (order, lead) = (order, order + 1)
    let share = spare.remake { lower in
      sums.centredProducts(into: &lower, columnCount: order)
      for j in 0..<order {
        let column = j * lead
        for i in j..<lead { lower[column + i] *= scaling[j] * scaling[i] }
        lower[column + j] = scaling[j] == 0 ? 1 : lower[column + j] + penalty
      }
    }
    // What is left of a column must be more than the rounding of its products.
    guard share > 4 * .ulpOfOne else { return false }
    swap(&factor, &spare)
    return true
  }

  /// Adds the square of a vector of order + 1 entries, the last for g; it is used up.
  mutating func update(_ vector: inout ContiguousArray<Double>) { factor.update(using: &vector) }

  /// Takes the square of a vector off; false, and the factor as it was, where that would cost digits.
  /// The vector is used up.
  mutating func downdate(_ vector: inout ContiguousArray<Double>) -> Bool {
    do { try factor.downdate(using: &vector, remainder: Self.leastRemainder) } catch {
      return false
    }
    return true
  }

  /// Writes the solution β.
  func solve(into solution: inout ContiguousArray<Double>) {
    factor.solve(rowBelow: 0, into: &solution)
  }

  /// v'(G + λI)⁻¹v; v is used up.
  func form(_ vector: inout ContiguousArray<Double>) -> Double {
    factor.quadraticForm(using: &vector)
  }

  func write(to writer: inout BlobWriter) {
    let lead = order + 1
    var packed = ContiguousArray<Double>()
    packed.reserveCapacity(order * (order + 3) / 2)
    for j in 0..<order { packed += factor.lower[j * lead + j..<(j + 1) * lead] }
    writer.write(packed)
  }

  init(from reader: inout BlobReader, order: Int) throws(BlobError) {
    self.init(order: order)
    let lead = order + 1
    let packed = try reader.readDoubles(count: order * (order + 3) / 2)
    var lower = factor.lower
    var at = 0
    for j in 0..<order {
      guard packed[at] > 0 else { throw .malformed("a factor without a positive pivot") }
      for i in j..<lead {
        lower[j * lead + i] = packed[at]
        at += 1
      }
    }
    guard packed.allSatisfy(\.isFinite) else { throw .malformed("a factor that is not finite") }
    factor.copy(fromLower: lower)
  }
}
