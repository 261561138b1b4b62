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

  @Test func `takes a row in whose square is no double`() throws {
    for size in [1e155, 1e200, 1e300, 1e-170, 1e-300] {
      // A = diag(size², 1) + … would overflow; its factor does not.
      var factor = try CholeskyFactor(Matrix(rows: [[1, 0], [0, 1]]))
      factor.update(adding: [size, 0])
      let solution = factor.solve([size, 1])
      let expected = size > 1 ? 1 / size : size
      #expect(abs(solution[0] / expected - 1) <= 4 * .ulpOfOne)
      #expect(solution[1] == 1)
    }
  }
}
