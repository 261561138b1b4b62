import Learning
import LinearAlgebra
import TestSupport
import Testing

/// Made-up rows with yes/no labels whose log odds are linear in the columns, plus noise.
struct RandomLabels {
  var features: Matrix
  var labels: ContiguousArray<Double>
  var weights: ContiguousArray<Double>

  init(seed: UInt64, rowCount: Int, featureCount: Int, strength: Double = 1) throws {
    let rows = try RandomRows(seed: seed, rowCount: rowCount, featureCount: featureCount)
    var random = SplitMix64(seed: seed ^ 0xABCD)
    features = rows.features
    weights = rows.weights
    let middle = rows.target.reduce(0, +) / Double(rowCount)
    labels = ContiguousArray(
      rows.target.map { value in
        let odds = strength * (value - middle)
        return Double.random(in: 0..<1, using: &random) < 1 / (1 + _exp(-odds)) ? 1 : 0
      })
    labels[0] = 0
    labels[1] = 1
  }

  func row(_ i: Int) -> ContiguousArray<Double> { features.row(i) }
}

/// e to the power of x by its series: the tests import no C library.
private func _exp(_ x: Double) -> Double {
  let halved = x / 1024
  var (sum, term) = (1.0, 1.0)
  for k in 1..<12 {
    term *= halved / Double(k)
    sum += term
  }
  for _ in 0..<10 { sum *= sum }
  return sum
}

/// The gradient divided by the weight sum in plain loops over columns that are standardised here, and what the
/// columns were divided by.
func plainGradient(
  _ model: LogisticModel, _ data: RandomLabels, weights: ContiguousArray<Double>?, penalty: Double,
  scaled: Bool = true
) -> Double {
  let x = data.features
  let (n, p) = (x.rowCount, x.columnCount)
  let w = weights ?? ContiguousArray(repeating: 1, count: n)
  let total = w.reduce(0, +)
  var largest = 0.0
  var slope = 0.0
  let residuals = (0..<n).map { i in w[i] * (model.probability(x.row(i)) - data.labels[i]) }
  for r in residuals { slope += r }
  largest = abs(slope)
  for j in 0..<p {
    var mean = 0.0
    for i in 0..<n { mean += w[i] * x[i, j] }
    mean /= total
    var square = 0.0
    for i in 0..<n { square += w[i] * (x[i, j] - mean) * (x[i, j] - mean) }
    let scale = scaled ? (square / total).squareRoot() : 1
    if scale == 0 { continue }
    var sum = penalty * model.coefficients[j] * scale
    for i in 0..<n { sum += residuals[i] * (x[i, j] - mean) / scale }
    largest = max(largest, abs(sum))
  }
  return largest / total
}

@Suite struct `A logistic regression` {
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `ends where the gradient vanishes`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let featureCount = Int.random(in: 1...20, using: &random)
    let data = try RandomLabels(
      seed: seed, rowCount: Int.random(in: 5...300, using: &random), featureCount: featureCount,
      strength: [0.1, 1, 10].randomElement(using: &random) ?? 1)
    let weights = Bool.random(using: &random) ? data.weights : nil
    for penalty in [1e-4, 0.01, 1, 100, 1e4] {
      for standardisation in Standardisation.allCases {
        let settings = LogisticRegression(penalty: penalty, standardisation: standardisation)
        let fit = try settings.fit(data.features, labels: data.labels, weights: weights)
        #expect(fit.gradient <= 1e-8)
        let gradient = plainGradient(
          fit.model, data, weights: weights, penalty: penalty,
          scaled: standardisation == .centredAndScaled)
        #expect(abs(gradient - fit.gradient) <= 1e-11, "\(penalty)")
      }
    }
  }

  @Test func `NUM_7: a penalty keeps separated classes finite, without one they are an error`()
    throws
  {
    let features = try Matrix(columns: [[-2, -1, 1, 2]])
    let labels: ContiguousArray<Double> = [0, 0, 1, 1]
    var settings = LogisticRegression(penalty: 1, standardisation: .centred)
    let fit = try settings.fit(features, labels: labels)
    #expect(abs(fit.model.coefficients[0] - 1.006594) < 5e-7)
    #expect(abs(fit.model.intercept) < 1e-8)
    #expect(abs(fit.model.probability([1]) - 0.732353) < 5e-7)
    settings.penalty = 0
    #expect(throws: LearningError.separated) { try settings.fit(features, labels: labels) }
  }
}
