internal import Learning

/// How good forecasts were.
public struct Scores: Equatable, Sendable {
  /// How many days were scored.
  public let count: Int
  /// Mean absolute error in the target's unit; nil for a yes/no target.
  public let meanAbsoluteError: Double?
  /// Root mean square error in the target's unit; nil for a yes/no target.
  public let rootMeanSquareError: Double?
  /// Mean log loss in nats; nil for a numeric target.
  public let logLoss: Double?
  /// Mean square error of the probability; nil for a numeric target.
  public let brier: Double?
  /// Area under the ROC curve: how often a yes day had the higher probability than a no day, ties half;
  /// nil for a numeric target and where one of the two kinds is missing.
  public let auc: Double?

  /// Scores of forecasts against outcomes of equal count.
  init(
    _ forecasts: ContiguousArray<Double>, _ outcomes: ContiguousArray<Double>, isBinary: Bool
  ) {
    count = forecasts.count
    if isBinary {
      let scores = ProbabilityScores(unchecked: forecasts, outcomes, floor: Self.floor)
      meanAbsoluteError = nil
      rootMeanSquareError = nil
      logLoss = scores.logLoss
      brier = scores.brier
      auc = scores.areaUnderCurve
    } else {
      let scores = NumericScores(unchecked: forecasts, outcomes)
      meanAbsoluteError = scores.meanAbsoluteError
      rootMeanSquareError = scores.rootMeanSquareError
      logLoss = nil
      brier = nil
      auc = nil
    }
  }

  /// What the forecasts are judged by: the absolute error or the log loss.
  public var loss: Double { logLoss ?? meanAbsoluteError ?? .nan }

  /// The log loss of one probability, kept finite by taking it to be at least 1e-9 from 0 and 1.
  static func logLoss(_ probability: Double, _ outcome: Double) -> Double {
    LogLoss.of(probability: probability, outcome: outcome, floor: floor)
  }

  private static let floor = 1e-9
}
