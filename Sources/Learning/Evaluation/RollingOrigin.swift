public import LinearAlgebra

/// Settings of a rolling-origin evaluation: every row is forecast from the rows known before it, as it
/// would have been on its day, and then becomes one of them.
///
/// *Out-of-sample tests of forecasting accuracy: an analysis and review*, Tashman, International Journal
/// of Forecasting 16 (2000), 437–450.
public struct RollingOrigin: Equatable, Sendable {
  /// How many rows must be known before the first forecast, from 2 up.
  public var leastRows: Int
  /// A row is forecast from the rows up to this many before it, from 1 up.
  public var horizon: Int
  /// How many rows share their column scales, which are then taken anew from all rows known, from 1 up.
  public var scaleInterval: Int

  /// Settings with these numbers.
  public init(leastRows: Int = 20, horizon: Int = 1, scaleInterval: Int = 28) {
    self.leastRows = leastRows
    self.horizon = horizon
    self.scaleInterval = scaleInterval
  }

  /// Forecasts every row from the first that has ``leastRows`` rows known, by a ridge regression that is
  /// refitted for every row.
  ///
  /// - Parameters:
  ///   - settings: Penalty and standardisation.
  ///   - features: One row per observation in the order of time, finite.
  ///   - target: One value per row, finite.
  ///   - weights: One per row, from 0 up: a row of weight 0 is forecast but never learned from. Nil is 1
  ///     for all.
  ///   - progress: Called after each stretch of rows, with counts of rows; nil goes on to the end.
  /// - Throws: As ``RollingRidge``; ``LearningError/cancelled``; ``LearningError/tooFewRows(needed:actual:)`` where no row can be
  ///   forecast.
  /// - Complexity: As ``RollingRidge``.
  public func evaluate(
    _ settings: RidgeRegression, _ features: Matrix, target: ContiguousArray<Double>,
    weights: ContiguousArray<Double>? = nil, progress: ProgressHandler? = nil
  ) throws(LearningError) -> RollingForecasts {
    try evaluate(
      [settings.penalty], features, target: target, weights: weights,
      standardisation: settings.standardisation, progress: progress)
  }

  /// The same for a whole list of penalties, from which one can then be chosen.
  public func evaluate(
    _ penalties: ContiguousArray<Double>, _ features: Matrix, target: ContiguousArray<Double>,
    weights: ContiguousArray<Double>? = nil,
    standardisation: Standardisation = .centredAndScaled, progress: ProgressHandler? = nil
  ) throws(LearningError) -> RollingForecasts {
    var rolling = try RollingRidge(
      self, penalties, features, target: target, weights: weights, standardisation: standardisation)
    let rows = rolling.nextRow..<features.rowCount
    guard !rows.isEmpty else {
      throw .tooFewRows(needed: rolling.nextRow + 1, actual: features.rowCount)
    }
    let meter = ProgressMeter(progress, total: rows.count)
    var first = rows.lowerBound
    while try rolling.advance() {
      try meter?.step(rolling.nextRow - first)
      first = rolling.nextRow
    }
    return rolling.forecasts
  }

  /// Fits all rows at the penalty whose forecasts had the least loss, see
  /// ``RollingForecasts/bestPenalty(by:)``: for a series in time the choice to make by default.
  ///
  /// - Returns: The fit, and what each penalty forecast on the way.
  public func fit(
    _ penalties: ContiguousArray<Double>, _ features: Matrix, target: ContiguousArray<Double>,
    weights: ContiguousArray<Double>? = nil, standardisation: Standardisation = .centredAndScaled,
    by loss: RollingForecasts.Loss = .absolute, progress: ProgressHandler? = nil
  ) throws(LearningError) -> (fit: RidgeFit, forecasts: RollingForecasts) {
    let forecasts = try evaluate(
      penalties, features, target: target, weights: weights, standardisation: standardisation,
      progress: progress)
    let settings = RidgeRegression(
      penalty: forecasts.bestPenalty(by: loss), standardisation: standardisation)
    return (try settings.fit(features, target: target, weights: weights), forecasts)
  }

  /// That the settings can be used.
  func check() throws(LearningError) {
    guard leastRows >= 2 else { throw .invalidSetting("leastRows") }
    guard horizon >= 1 else { throw .invalidSetting("horizon") }
    guard scaleInterval >= 1 else { throw .invalidSetting("scaleInterval") }
  }
}
