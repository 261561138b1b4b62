import FoundationEssentials
import LinearAlgebra
import Testing

@testable import Learning

@Suite struct `A linear model` {
  private let ridge = LinearModel(intercept: 1, coefficients: [2, -3])
  private let logistic = LinearModel(link: .logit, intercept: 0.5, coefficients: [1, 0.25])

  @Test func `predicts through its link, from any kind of array`() throws {
    #expect(try ridge.predict([10.0, 1] as [Double]) == 18)
    #expect(try ridge.predict([10, 1] as ContiguousArray<Double>) == 18)
    #expect(try ridge.predict(Matrix(rows: [[10, 1], [0, 0]])) == [18, 1])
    let score = 0.5 + 2 + 0.25 * 4
    #expect(try logistic.score([2, 4]) == score)
    #expect(try logistic.predict([2, 4]) == LogisticFunction.probability(score))
    #expect(
      try logistic.predict(Matrix(rows: [[2, 4]])) == [LogisticFunction.probability(score)])
    #expect(try ridge.predict([.nan, 1]).isNaN)
  }

  @Test func `refuses a row of another length, as a fit's leverage does`() throws {
    let wrong = LearningError.lengthMismatch(expected: 2, actual: 3)
    #expect(throws: wrong) { try ridge.predict([1, 2, 3]) }
    #expect(throws: wrong) { try ridge.score([1, 2, 3]) }
    #expect(throws: wrong) { try ridge.predict(Matrix(rows: [[1, 2, 3]])) }
    #expect(throws: LearningError.lengthMismatch(expected: 1, actual: 2)) {
      try logistic.logLosses(Matrix(rows: [[1, 2]]), labels: [0, 1])
    }
    let fit = try RidgeRegression().fit(
      Matrix(rows: [[1, 2], [2, 1], [3, 5]]), target: [1, 2, 4])
    #expect(throws: wrong) { try fit.leverage(of: [1, 2, 3]) }
  }

  @Test func `knows its columns by name, and says which are wrong`() throws {
    let named = try ridge.named(["steps", "sleep"])
    #expect(named.coefficient(of: "sleep") == -3)
    #expect(named.coefficient(of: "mood") == nil)
    #expect(try named.predict(["sleep": 1, "steps": 10]) == 18)
    #expect(
      throws: LearningError.invalidFeatureNames(
        missing: ["sleep"], unknown: ["mood"], repeated: [])
    ) {
      try named.predict(["steps": 1, "mood": 2])
    }
    #expect(
      throws: LearningError.invalidFeatureNames(missing: [], unknown: ["steps"], repeated: [])
    ) {
      try ridge.predict(["steps": 1])
    }
    #expect(
      throws: LearningError.invalidFeatureNames(missing: [], unknown: [], repeated: ["sleep"])
    ) {
      try ridge.named(["sleep", "sleep"])
    }
    #expect(throws: LearningError.lengthMismatch(expected: 2, actual: 1)) {
      try ridge.named(["steps"])
    }
  }

  @Test func `comes back from a blob and from JSON to the bit`() throws {
    for model in [ridge, logistic, try ridge.named(["steps", "sleep"])] {
      #expect(try LinearModel(decoding: model.encoded()) == model)
      let json = try JSONEncoder().encode(model)
      #expect(try JSONDecoder().decode(LinearModel.self, from: json) == model)
    }
    let settings = RidgeRegression(penalty: 3, standardisation: .centred)
    let json = try JSONEncoder().encode(settings)
    #expect(try JSONDecoder().decode(RidgeRegression.self, from: json) == settings)
  }

  @Test func `reads the blobs that ridge and logistic models had`() throws {
    for (kind, model) in [("DRdg", ridge), ("DLgt", logistic)] {
      var writer = BlobWriter(kind: kind, version: 1)
      writer.write(model.intercept)
      writer.write(model.coefficients)
      #expect(try LinearModel(decoding: writer.finish()) == model)
    }
  }

  @Test(arguments: [
    #"{"link": "identity", "intercept": 1e999, "coefficients": [1]}"#,
    #"{"link": "probit", "intercept": 1, "coefficients": [1]}"#,
    #"{"link": "logit", "intercept": 1, "coefficients": [1], "featureNames": ["a", "b"]}"#,
    #"{"link": "logit", "intercept": 1, "coefficients": [1, 2], "featureNames": ["a", "a"]}"#,
  ])
  func `refuses JSON that is no model`(text: String) {
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode(LinearModel.self, from: Data(text.utf8))
    }
  }

  @Test func `of another link is no start for a logistic fit`() throws {
    #expect(throws: LearningError.invalidSetting("start")) {
      try LogisticRegression().fit(
        Matrix(rows: [[1, 0], [0, 1], [2, 2]]), labels: [0, 1, 1], startingFrom: ridge)
    }
  }

  @Test func `a decomposition that does not converge is not called singular`() {
    #expect(LearningError(.notConverged) == .decompositionNotConverged)
  }
}
