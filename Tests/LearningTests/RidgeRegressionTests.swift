import Learning
import LinearAlgebra
import TestSupport
import Testing

@Suite struct `Ridge regression` {
  @Test func `NUM_1: the intercept is not penalised`() throws {
    let features = try Matrix(columns: [[0, 1, 2, 3], [5, 7, 11, 13]])
    let model = try RidgeRegression(penalty: 0.1, standardisation: .centred)
      .fit(features, target: [17, 19, 23, 29])
    #expect(abs(model.intercept - 12.904818) < 5e-7)
    #expect(abs(model.coefficients[0] - 2.115159) < 5e-7)
    #expect(abs(model.coefficients[1] - 0.658049) < 5e-7)
  }
}
