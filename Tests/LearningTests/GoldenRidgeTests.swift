import Learning
import LinearAlgebra
import TestSupport
import Testing

/// Ridge regression against scikit-learn, statsmodels and scipy, with no conversion of the penalty.
@Suite struct `Ridge regression beside other software` {
  struct Document: Decodable {
    let fits: [Fit]
    let paths: [Path]
    let uncertainties: [Uncertainty]
  }

  struct Fit: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let features: [[Double]]
    let targets: [[Double]]
    let weights: [Double]?
    let penalty: Double
    let scaled: Bool
    /// κ of the penalised equations.
    let condition: Double
    let intercepts: [Double]
    let coefficients: [[Double]]
    var testDescription: String { name }
  }

  struct Path: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let features: [[Double]]
    let target: [Double]
    let weights: [Double]?
    let scaled: Bool
    let penalties: [Double]
    let leaveOneOut: [Double]
    let generalised: [Double]
    let freedom: [Double]
    let best: Int
    let bestGeneralised: Int
    var testDescription: String { name }
  }

  struct Uncertainty: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let features: [[Double]]
    let target: [Double]
    let weights: [Double]?
    let leverages: [Double]
    let residuals: [Double]
    let leaveOneOut: [Double]
    let residualVariance: Double
    let newFeatures: [[Double]]
    let predictions: [Double]
    let fittedVariances: [Double]
    let observationVariances: [Double]
    var testDescription: String { name }
  }

  static let document = Result { try Golden.read("ridge/ridge.json", as: Document.self) }

  private static func matrix(_ rows: [[Double]]) throws -> Matrix {
    try Matrix(rows: rows.map { ContiguousArray($0) })
  }

  private static func settings(_ penalty: Double, scaled: Bool) -> RidgeRegression {
    RidgeRegression(penalty: penalty, standardisation: scaled ? .centredAndScaled : .centred)
  }

  /// Both sides lose some roundings times the condition of the equations.
  @Test(arguments: try document.get().fits)
  func `NUM_2: has their coefficients for the same penalty and scaling`(golden: Fit) throws {
    let fit = try Self.settings(golden.penalty, scaled: golden.scaled).fit(
      Self.matrix(golden.features), targets: Self.matrix(golden.targets),
      weights: golden.weights.map { ContiguousArray($0) })
    let tolerance = 64 * .ulpOfOne * golden.condition
    #expect(tolerance < 1e-8)
    #expect(fit.models.count == golden.intercepts.count)
    for (t, model) in fit.models.enumerated() {
      let expected = ContiguousArray(golden.coefficients[t])
      // Coefficients are compared by what they do to a prediction, each times the size of its column.
      var (size, error, terms) = (0.0, 0.0, abs(golden.intercepts[t]))
      for j in 0..<expected.count {
        let column = golden.features.map { $0[j] }
        let mean = column.reduce(0, +) / Double(column.count)
        let spread = column.map { abs($0 - mean) }.max() ?? 0
        size += abs(expected[j]) * spread
        error = max(error, abs(model.coefficients[j] - expected[j]) * spread)
        terms += abs(expected[j] * mean) + tolerance * abs(mean) / spread * size
      }
      #expect(error <= tolerance * size)
      #expect(abs(model.intercept - golden.intercepts[t]) <= tolerance * terms)
    }
  }

  /// With κ the condition of the equations in the space of the rows and s the least share of its weight that a row
  /// leaves to the others, both sides may be off by 64 ε κ / s. The tall ones have κ up to 340 and s from 0.57 up, at
  /// most 1e-11; the wide one κ 42 and s 1.1e-3, 6e-10.
  @Test(arguments: try document.get().paths)
  func `has their leave-one-out errors along a path of penalties`(golden: Path) throws {
    let (features, target) = (try Self.matrix(golden.features), ContiguousArray(golden.target))
    let weights = golden.weights.map { ContiguousArray($0) }
    let path = try PenaltyPath(
      ContiguousArray(golden.penalties), features, target: target, weights: weights,
      standardisation: golden.scaled ? .centredAndScaled : .centred)
    #expect(path.bestPosition() == golden.best)
    #expect(path.bestPosition(by: .generalisedCrossValidation) == golden.bestGeneralised)
    let tolerance = features.columnCount > features.rowCount ? 6e-10 : 1e-11
    for (l, penalty) in golden.penalties.enumerated() {
      #expect(abs(path.leaveOneOutMeanSquares[l, 0] / golden.leaveOneOut[l] - 1) <= tolerance)
      #expect(abs(path.generalisedCrossValidation[l, 0] / golden.generalised[l] - 1) <= tolerance)
      #expect(abs(path.degreesOfFreedom[l] / golden.freedom[l] - 1) <= 1e-11)
      let diagnostics = try Self.settings(penalty, scaled: golden.scaled)
        .fit(features, target: target, weights: weights)
        .diagnostics(features, target: target, weights: weights)
      #expect(abs(diagnostics.leaveOneOutMeanSquares[0] / golden.leaveOneOut[l] - 1) <= tolerance)
      #expect(
        abs(diagnostics.generalisedCrossValidation[0] / golden.generalised[l] - 1) <= tolerance)
    }
  }

  @Test(arguments: try document.get().uncertainties)
  func `has their leverages and variances without a penalty`(golden: Uncertainty) throws {
    let (features, target) = (try Self.matrix(golden.features), ContiguousArray(golden.target))
    let weights = golden.weights.map { ContiguousArray($0) }
    let fit = try RidgeRegression(penalty: 0).fit(features, target: target, weights: weights)
    let diagnostics = try fit.diagnostics(features, target: target, weights: weights)
    for i in 0..<target.count {
      #expect(abs(diagnostics.leverages[i] - golden.leverages[i]) <= 1e-12)
      #expect(abs(diagnostics.residuals[i, 0] - golden.residuals[i]) <= 1e-11)
      #expect(abs(diagnostics.leaveOneOutResiduals[i, 0] - golden.leaveOneOut[i]) <= 1e-11)
    }
    let noise = diagnostics.residualVariance[0]
    #expect(abs(noise / golden.residualVariance - 1) <= 1e-11)
    for (i, row) in golden.newFeatures.enumerated() {
      let row = ContiguousArray(row)
      let leverage = try fit.leverage(of: row)
      #expect(try abs(fit.model.predict(row) - golden.predictions[i]) <= 1e-11)
      #expect(abs(noise * leverage / golden.fittedVariances[i] - 1) <= 1e-10)
      #expect(abs(noise * (1 + leverage) / golden.observationVariances[i] - 1) <= 1e-10)
    }
  }
}
