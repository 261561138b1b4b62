import LinearAlgebra
import TestSupport
import Testing

@Suite struct `A Cholesky factor` {
  @Test func `NUM_12: a downdate keeps a positive pivot or leaves the factor alone`() throws {
    var factor = try CholeskyFactor(Matrix(rows: [[1]]))
    try factor.downdate(removing: [0.5])
    #expect(abs(factor.solve([1])[0] - 1 / 0.75) <= 4e-16)
    try factor = CholeskyFactor(Matrix(rows: [[1]]))
    factor.update(adding: [0.5])
    #expect(abs(factor.solve([1])[0] - 1 / 1.25) <= 4e-16)
    try factor = CholeskyFactor(Matrix(rows: [[1]]))
    let before = factor
    #expect(throws: LinearAlgebraError.losesPivot(order: 1)) { try factor.downdate(removing: [1]) }
    #expect(factor.solve([3]) == before.solve([3]))
  }
}
