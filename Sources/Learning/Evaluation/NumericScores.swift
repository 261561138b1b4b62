/// How far forecasts of a number were from what then came.
public struct NumericScores: Equatable, Sendable {
  /// Forecasts of positive weight.
  public let count: Int
  /// Weighted mean of the errors' sizes, in the unit of the outcomes.
  public let meanAbsoluteError: Double
  /// Root of the weighted mean of the errors' squares, in the unit of the outcomes.
  public let rootMeanSquareError: Double
  /// Weighted mean of outcome less forecast: above 0 where forecasts are too low.
  public let meanError: Double

  /// Scores forecasts against outcomes, pair by pair.
  ///
  /// - Parameters:
  ///   - forecasts: One or more finite numbers.
  ///   - outcomes: As many finite numbers.
  ///   - weights: One per pair, from 0 up: 2 counts a pair twice, 0 leaves it out. Nil is 1 for all.
  /// - Throws: ``LearningError/emptyInput(rowCount:columnCount:)``,
  ///   ``LearningError/lengthMismatch(expected:actual:)``,
  ///   ``LearningError/nonFiniteForecast(row:)``, ``LearningError/nonFiniteTarget(row:column:)`` or
  ///   ``LearningError/invalidWeight(row:)``; ``LearningError/tooFewRows(needed:actual:)`` where all
  ///   weights are 0; ``LearningError/overflow(column:)`` where a weighted sum leaves the range of a double.
  public init(
    _ forecasts: ContiguousArray<Double>, _ outcomes: ContiguousArray<Double>,
    weights: ContiguousArray<Double>? = nil
  ) throws(LearningError) {
    try ForecastCheck.check(forecasts, outcomes, weights)
    self.init(unchecked: forecasts, outcomes, weights: weights)
    guard meanAbsoluteError.isFinite, rootMeanSquareError.isFinite, meanError.isFinite else {
      throw .overflow(column: 0)
    }
  }

  /// The same without any check: NaN in, NaN out, and zeros for no pairs at all.
  package init(
    unchecked forecasts: ContiguousArray<Double>, _ outcomes: ContiguousArray<Double>,
    weights: ContiguousArray<Double>? = nil
  ) {
    var (sizes, squares, sum, weightSum) = (0.0, 0.0, 0.0, 0.0)
    var (count, row) = (0, 0)
    for (forecast, outcome) in zip(forecasts, outcomes) {
      let (weight, error) = (weights?[row] ?? 1, outcome - forecast)
      row += 1
      guard weight > 0 else { continue }
      count += 1
      weightSum += weight
      sizes += weight * abs(error)
      squares += weight * (error * error)
      sum += weight * error
    }
    let total = count > 0 ? weightSum : 1
    self.count = count
    meanAbsoluteError = sizes / total
    rootMeanSquareError = (squares / total).squareRoot()
    meanError = sum / total
  }
}

/// What every score asks of its input.
enum ForecastCheck {
  /// That there is something to score, that lengths agree, and that numbers are finite and weights valid.
  static func check(
    _ forecasts: ContiguousArray<Double>, _ outcomes: ContiguousArray<Double>,
    _ weights: ContiguousArray<Double>?
  ) throws(LearningError) {
    guard !forecasts.isEmpty else { throw .emptyInput(rowCount: 0, columnCount: 1) }
    guard outcomes.count == forecasts.count else {
      throw .lengthMismatch(expected: forecasts.count, actual: outcomes.count)
    }
    for row in forecasts.indices {
      guard forecasts[row].isFinite else { throw .nonFiniteForecast(row: row) }
      guard outcomes[row].isFinite else { throw .nonFiniteTarget(row: row, column: 0) }
    }
    guard let weights else { return }
    try CheckedInput.check(weights: weights, count: forecasts.count)
    guard weights.contains(where: { $0 > 0 }) else { throw .tooFewRows(needed: 1, actual: 0) }
  }

  /// The same, and that forecasts are probabilities and outcomes 0 or 1.
  static func check(
    probabilities: ContiguousArray<Double>, _ outcomes: ContiguousArray<Double>,
    _ weights: ContiguousArray<Double>?
  ) throws(LearningError) {
    try check(probabilities, outcomes, weights)
    for row in probabilities.indices {
      guard (0...1).contains(probabilities[row]) else { throw .invalidProbability(row: row) }
      guard outcomes[row] == 0 || outcomes[row] == 1 else { throw .targetNotBinary(row: row) }
    }
  }
}
