import TestSupport
import Testing

@testable import LinearAlgebra

@Suite struct `Products that are added to what is there` {
  private func numbers(_ count: Int, _ random: inout SplitMix64) -> ContiguousArray<Double> {
    ContiguousArray((0..<count).map { _ in Double.random(in: -1...1, using: &random) })
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `are those of plain loops`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let rows = Int.random(in: 1...40, using: &random)
    let columns = Int.random(in: 1...20, using: &random)
    let lead = rows + Int.random(in: 0...5, using: &random)
    let a = numbers(lead * columns, &random)
    for transposed in [false, true] {
      let (output, input) = transposed ? (columns, rows) : (rows, columns)
      let x = numbers(input, &random)
      let before = numbers(output, &random)
      var y = before
      let block = Block(a, rowCount: rows, columnCount: columns, lead: lead)
      BLAS.gemv(transposed ? block.transposed : block, x, accumulates: true, &y)
      for i in 0..<output {
        let sum = (0..<input).reduce(before[i]) {
          $0 + (transposed ? a[i * lead + $1] : a[$1 * lead + i]) * x[$1]
        }
        #expect(abs(y[i] - sum) <= 1e-14 * Double(input + 1))
      }
    }
    var singles = ContiguousArray<Float>(repeating: 0.5, count: columns * columns)
    BLAS.syrk(
      addingSingles: ContiguousArray(a.map(Float.init)), order: columns, inner: rows, aLead: lead,
      &singles)
    for j in 0..<columns {
      for i in j..<columns {
        let sum = (0..<rows).reduce(0.5) { $0 + a[j * lead + $1] * a[i * lead + $1] }
        #expect(abs(Double(singles[j * columns + i]) - sum) <= 1e-6 * Double(rows + 1))
      }
    }
  }

  @Test func `and factors are remade in the memory they have`() throws {
    let matrix = try Matrix(rows: [[4, 2, 0], [2, 5, 0], [0, 0, 1]])
    var factor = CholeskyFactor(identityOfOrder: 3)
    // 5 − 2²/4 = 4 of the second diagonal entry, 5, is left.
    #expect(abs(factor.remake(from: matrix.storage) - 0.8) < 1e-15)
    let fresh = try CholeskyFactor(matrix)
    #expect(factor.solve([1, 2, 3]) == fresh.solve([1, 2, 3]))
    var other = CholeskyFactor(identityOfOrder: 3)
    other.copy(fromLower: factor.lower)
    #expect(other.solve([1, 2, 3]) == fresh.solve([1, 2, 3]))
    var singular = matrix.storage
    singular[4] = 1
    #expect(factor.remake(from: singular) == 0)
    singular[4] = .nan
    #expect(factor.remake(from: singular) == 0)
    #expect(factor.remake(from: matrix.storage) > 0)
  }
}
