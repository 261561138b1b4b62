#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

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
  init(_ forecasts: [Double], _ outcomes: [Double], isBinary: Bool) {
    count = forecasts.count
    let days = Double(max(1, count))
    let square =
      zip(forecasts, outcomes).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) } / days
    if isBinary {
      meanAbsoluteError = nil
      rootMeanSquareError = nil
      logLoss = zip(forecasts, outcomes).reduce(0) { $0 + Self.logLoss($1.0, $1.1) } / days
      brier = square
      auc = Self.auc(forecasts, outcomes)
    } else {
      meanAbsoluteError = zip(forecasts, outcomes).reduce(0) { $0 + abs($1.0 - $1.1) } / days
      rootMeanSquareError = square.squareRoot()
      logLoss = nil
      brier = nil
      auc = nil
    }
  }

  /// What the forecasts are judged by: the absolute error or the log loss.
  public var loss: Double { logLoss ?? meanAbsoluteError ?? .nan }

  /// The log loss of one probability, kept finite by taking it to be at least 1e-9 from 0 and 1.
  static func logLoss(_ probability: Double, _ outcome: Double) -> Double {
    let bounded = min(max(probability, 1e-9), 1 - 1e-9)
    return outcome > 0.5 ? -log(bounded) : -log1p(-bounded)
  }

  private static func auc(_ forecasts: [Double], _ outcomes: [Double]) -> Double? {
    let order = forecasts.indices.sorted { forecasts[$0] < forecasts[$1] }
    var (yes, no, wins) = (0.0, 0.0, 0.0)
    var start = 0
    while start < order.count {
      var end = start
      var (yesHere, noHere) = (0.0, 0.0)
      while end < order.count, forecasts[order[end]] == forecasts[order[start]] {
        if outcomes[order[end]] > 0.5 { yesHere += 1 } else { noHere += 1 }
        end += 1
      }
      wins += yesHere * (no + noHere / 2)
      yes += yesHere
      no += noHere
      start = end
    }
    return yes > 0 && no > 0 ? wins / (yes * no) : nil
  }
}
