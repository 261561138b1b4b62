import LinearAlgebra
import TestSupport
import Testing

/// Eigenvalues and singular values against scipy and, behind it, fifty digits of mpmath; vectors, which
/// are no more than conventions where values repeat, by the identities that make them vectors.
@Suite struct `Decompositions beside other software` {
  struct Document: Decodable {
    let symmetric: [Decomposition]
    let rectangular: [Decomposition]
  }

  struct Decomposition: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let rows: [[Double]]
    let values: [Double]
    let rank: Int?
    var testDescription: String { name }

    func matrix() throws -> Matrix { try Matrix(rows: rows.map { ContiguousArray($0) }) }

    /// What backward stable means: some roundings of the largest value, times the order.
    var tolerance: Double {
      let order = Double(max(rows.count, rows[0].count))
      return 8 * order * .ulpOfOne * (values.map { abs($0) }.max() ?? 0)
    }
  }

  static let document = Result {
    try Golden.read("decompositions/decompositions.json", as: Document.self)
  }

  /// Entry (i, j) of ABᵀ where the inner dimension is weighted.
  private static func entry(
    _ a: Matrix, _ i: Int, _ b: Matrix, _ j: Int, weights: ContiguousArray<Double>
  ) -> Double {
    weights.indices.reduce(0) { $0 + a[i, $1] * weights[$1] * b[j, $1] }
  }

  private static func expectOrthonormalColumns(_ matrix: Matrix) {
    for j in 0..<matrix.columnCount {
      for k in 0...j {
        let product = (0..<matrix.rowCount).reduce(0) { $0 + matrix[$1, j] * matrix[$1, k] }
        #expect(abs(product - (j == k ? 1 : 0)) <= 32 * .ulpOfOne)
      }
    }
  }

  @Test(arguments: try document.get().symmetric)
  func `have their eigenvalues`(golden: Decomposition) throws {
    let matrix = try golden.matrix()
    let eigen = try SymmetricEigen(matrix)
    for (value, expected) in zip(eigen.values, golden.values) {
      #expect(abs(value - expected) <= golden.tolerance)
    }
    Self.expectOrthonormalColumns(eigen.vectors)
    for i in 0..<eigen.order {
      for j in 0..<eigen.order {
        let entry = Self.entry(eigen.vectors, i, eigen.vectors, j, weights: eigen.values)
        #expect(abs(entry - matrix[i, j]) <= golden.tolerance)
      }
    }
  }

  @Test(arguments: try document.get().rectangular)
  func `have their singular values and rank`(golden: Decomposition) throws {
    let matrix = try golden.matrix()
    let parts = try SingularValues(matrix)
    #expect(parts.values.count == golden.values.count)
    for (value, expected) in zip(parts.values, golden.values) {
      #expect(abs(value - expected) <= golden.tolerance)
    }
    #expect(parts.rank == golden.rank)
    let right = parts.rightTransposed.transposed
    Self.expectOrthonormalColumns(parts.left)
    Self.expectOrthonormalColumns(right)
    for i in 0..<matrix.rowCount {
      for j in 0..<matrix.columnCount {
        let entry = Self.entry(parts.left, i, right, j, weights: parts.values)
        #expect(abs(entry - matrix[i, j]) <= golden.tolerance)
      }
    }
  }
}
