import LinearAlgebra
import TestSupport
import Testing

@testable import Learning

/// Standard errors, R² and intervals beside statsmodels (`Golden/inference`).
@Suite struct `The uncertainty of a ridge fit` {
  struct Document: Decodable { let cases: [Golden] }

  struct Golden: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let penalty: Double
    let rows: [[Double]]
    let target, weights, row, errors, mean, new: [Double]
    let freedomLeft, interceptError, rSquared, adjusted: Double
    var testDescription: String { name }
  }

  static let document = Result {
    try TestSupport.Golden.read("inference/inference.json", as: Document.self)
  }

  /// Both solve equations of a condition below 1e3 and take differences of sums over some fifty rows: 1e-11
  /// is a hundred times the rounding of that.
  private func expect(_ value: Double, _ golden: Double) {
    #expect(abs(value - golden) <= 1e-11 * max(1, abs(golden)))
  }

  @Test(arguments: try document.get().cases)
  func `is what statsmodels finds`(golden: Golden) throws {
    let features = try Matrix(rows: golden.rows)
    let weights = ContiguousArray(golden.weights)
    let target = ContiguousArray(golden.target)
    let fit = try RidgeRegression(penalty: golden.penalty).fit(
      features, target: target, weights: weights)
    let found = try fit.inference(features, target: target, weights: weights)
    expect(found.residualDegreesOfFreedom, golden.freedomLeft)
    expect(found.interceptStandardErrors[0], golden.interceptError)
    for (j, error) in golden.errors.enumerated() { expect(found.standardErrors[j, 0], error) }
    expect(found.rSquared[0], golden.rSquared)
    expect(found.adjustedRSquared[0], golden.adjusted)
    let row = ContiguousArray(golden.row)
    let mean = try found.meanInterval(for: row, coverage: 0.9)
    let new = try found.predictionInterval(for: row, coverage: 0.9)
    expect(mean.lower, golden.mean[0])
    expect(mean.upper, golden.mean[1])
    expect(new.lower, golden.new[0])
    expect(new.upper, golden.new[1])
    #expect(try mean.estimate == fit.model.predict(row) && new.estimate == mean.estimate)
  }

  @Test func `has no error where a column is constant, and no bound where no row is left over`()
    throws
  {
    let features = try Matrix(rows: [[1, 5], [2, 5], [4, 5]])
    let fit = try RidgeRegression(penalty: 0).fit(features, target: [1, 2, 9])
    let found = try fit.inference(features, target: [1, 2, 9])
    #expect(found.standardErrors[1, 0] == 0 && found.standardErrors[0, 0] > 0)
    let two = try Matrix(rows: [[1], [2]])
    let exact = try RidgeRegression(penalty: 0).fit(two, target: [1, 2])
    let interval = try exact.inference(two, target: [1, 2]).predictionInterval(for: [3])
    #expect(interval.lower == -.infinity && interval.upper == .infinity)
    let flat = try RidgeRegression().fit(features, target: [3, 3, 3])
    #expect(try flat.inference(features, target: [3, 3, 3]).rSquared[0].isNaN)
  }

  @Test func `refuses a coverage, a target or a row that there is not`() throws {
    let features = try Matrix(rows: [[1], [2], [4], [7]])
    let target: ContiguousArray = [1, 2.5, 3, 8]
    let found = try RidgeRegression().fit(features, target: target)
      .inference(features, target: target)
    for coverage in [0, 1, -0.5, .nan] {
      #expect(throws: LearningError.invalidSetting("coverage")) {
        try found.predictionInterval(for: [1], coverage: coverage)
      }
    }
    #expect(throws: LearningError.invalidSetting("target")) {
      try found.meanInterval(for: [1], target: 1)
    }
    #expect(throws: LearningError.lengthMismatch(expected: 1, actual: 2)) {
      try found.predictionInterval(for: [1, 2])
    }
  }
}
