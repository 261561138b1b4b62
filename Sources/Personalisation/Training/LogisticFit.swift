internal import Learning
internal import LinearAlgebra

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Logistic regression by Newton's method, every step of which is a weighted ridge fit.
///
/// Minimises Σ log(1 + exp(−s(b + x'β))) + λ/2 Σ β² over standardised columns, b not penalised; ends when
/// the gradient divided by the number of rows is at most 1e-8 in the infinity norm.
struct LogisticFit {
  /// The linear score, in the units of the columns.
  private(set) var model: RidgeModel

  private let outcome: ContiguousArray<Double>
  private let penalty: Double
  private let features: Matrix
  private var scores: ContiguousArray<Double>

  /// - Parameter start: where to begin, such as an earlier fit of the same columns.
  init(
    _ raw: Matrix, _ outcome: ContiguousArray<Double>, penalty: Double,
    from start: RidgeModel? = nil
  ) throws(TrainingError) {
    self.outcome = outcome
    self.penalty = penalty
    let (rows, columns) = (raw.rowCount, raw.columnCount)
    var storage = raw.storage
    var (means, scales) = (ContiguousArray<Double>(), ContiguousArray<Double>())
    for column in 0..<columns {
      let range = (column * rows)..<((column + 1) * rows)
      let mean = storage[range].reduce(0, +) / Double(rows)
      let spread =
        (storage[range].reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(rows)).squareRoot()
      let scale =
        spread > Double(rows) * .ulpOfOne * abs(mean) && spread.isFinite ? 1 / spread : 0
      means.append(mean)
      scales.append(scale)
      for index in range { storage[index] = (storage[index] - mean) * scale }
    }
    do { features = try Matrix(columnMajor: storage, rowCount: rows, columnCount: columns) } catch {
      throw .tooLarge
    }
    let rate = (outcome.reduce(0, +) + 0.5) / Double(rows + 1)
    var point = RidgeModel(
      intercept: log(rate / (1 - rate)), coefficients: ContiguousArray(repeating: 0, count: columns)
    )
    if let start {
      var intercept = start.intercept
      var coefficients = start.coefficients
      for column in 0..<columns {
        intercept += coefficients[column] * means[column]
        coefficients[column] = scales[column] > 0 ? coefficients[column] / scales[column] : 0
      }
      point = RidgeModel(intercept: intercept, coefficients: coefficients)
    }
    model = point
    scores = point.predict(features)
    try iterate()
    var intercept = model.intercept
    var coefficients = model.coefficients
    for column in 0..<columns {
      coefficients[column] *= scales[column]
      intercept -= coefficients[column] * means[column]
    }
    model = RidgeModel(intercept: intercept, coefficients: coefficients)
  }

  private mutating func iterate() throws(TrainingError) {
    var value = objective(model, scores)
    for _ in 0..<60 {
      let probabilities = ContiguousArray(scores.map(Regression.probability))
      guard gradient(probabilities) > 1e-8 else { return }
      let goal = try newton(probabilities)
      var share = 1.0
      while true {
        let next = RidgeModel(
          intercept: model.intercept + share * (goal.intercept - model.intercept),
          coefficients: ContiguousArray(
            zip(model.coefficients, goal.coefficients).map { $0 + share * ($1 - $0) }))
        let nextScores = next.predict(features)
        let nextValue = objective(next, nextScores)
        if nextValue <= value + 1e-12 * abs(value) {
          (model, scores, value) = (next, nextScores, nextValue)
          break
        }
        share /= 2
        // Steps below rounding: as near as doubles come.
        if share < 1e-9 { return }
      }
    }
  }

  /// The step of Newton's method: the ridge fit to the working response.
  private func newton(_ probabilities: ContiguousArray<Double>) throws(TrainingError) -> RidgeModel
  {
    var (response, weights) = (scores, probabilities)
    for row in scores.indices {
      let weight = max(probabilities[row] * (1 - probabilities[row]), 1e-10)
      weights[row] = weight
      response[row] += (outcome[row] - probabilities[row]) / weight
    }
    do {
      return try RidgeRegression(penalty: penalty, standardisation: .centred)
        .fit(features, target: response, weights: weights).model
    } catch { throw .learning(error) }
  }

  private func objective(_ model: RidgeModel, _ scores: ContiguousArray<Double>) -> Double {
    var sum = model.coefficients.reduce(0) { $0 + $1 * $1 } * penalty / 2
    for row in scores.indices {
      let score = scores[row]
      sum += max(score, 0) - score * outcome[row] + log1p(exp(-abs(score)))
    }
    return sum
  }

  /// The gradient divided by the number of rows, in the infinity norm.
  private func gradient(_ probabilities: ContiguousArray<Double>) -> Double {
    let rows = features.rowCount
    var largest = 0.0
    for row in 0..<rows { largest += probabilities[row] - outcome[row] }
    largest = abs(largest)
    for column in 0..<features.columnCount {
      var slope = penalty * model.coefficients[column]
      for row in 0..<rows {
        slope += (probabilities[row] - outcome[row]) * features.storage[column * rows + row]
      }
      largest = max(largest, abs(slope))
    }
    return largest / Double(rows)
  }
}
