/// How good probabilities of yes were.
public struct ProbabilityScores: Equatable, Sendable {
  /// Forecasts of positive weight.
  public let count: Int
  /// Weighted mean log loss in nats, from 0 up; see ``LogLoss``.
  public let logLoss: Double
  /// Weighted mean square of outcome less probability, from 0 to 1.
  ///
  /// *Verification of forecasts expressed in terms of probability*, Brier, Monthly Weather Review 78
  /// (1950), 1–3.
  public let brier: Double
  /// How well the forecasts rank.
  public let ranking: Ranking

  /// The area under the ROC curve, or why there is none.
  public enum Ranking: Equatable, Sendable {
    /// How often a yes has the higher probability than a no, over all pairs of one of each; equal
    /// probabilities count half.
    case area(Double)
    /// Every outcome of positive weight was no.
    case noYes
    /// Every outcome of positive weight was yes.
    case noNo
  }

  /// The area of ``ranking``; nil where only one kind of outcome came, which ``ranking`` then names.
  public var areaUnderCurve: Double? {
    if case .area(let area) = ranking { area } else { nil }
  }

  /// Scores probabilities against outcomes, pair by pair.
  ///
  /// - Parameters:
  ///   - probabilities: One or more, from 0 to 1.
  ///   - outcomes: As many, 1 for yes and 0 for no.
  ///   - weights: One per pair, from 0 up: 2 counts a pair twice, 0 leaves it out. Nil is 1 for all.
  ///   - floor: As in ``LogLoss/of(probability:outcome:floor:)``; the other scores do without.
  /// - Throws: As ``NumericScores``; ``LearningError/invalidProbability(row:)``,
  ///   ``LearningError/targetNotBinary(row:)``; ``LearningError/invalidSetting(_:)`` for a floor below 0
  ///   or from 0.5 up.
  /// - Complexity: O(*n* log *n*).
  public init(
    _ probabilities: ContiguousArray<Double>, _ outcomes: ContiguousArray<Double>,
    weights: ContiguousArray<Double>? = nil, floor: Double = 0
  ) throws(LearningError) {
    guard floor >= 0, floor < 0.5 else { throw .invalidSetting("floor") }
    try ForecastCheck.check(probabilities: probabilities, outcomes, weights)
    self.init(unchecked: probabilities, outcomes, weights: weights, floor: floor)
    guard brier.isFinite, areaUnderCurve?.isFinite ?? true else { throw .overflow(column: 0) }
  }

  /// The same without any check: NaN in, NaN out, and zeros for no pairs at all.
  package init(
    unchecked probabilities: ContiguousArray<Double>, _ outcomes: ContiguousArray<Double>,
    weights: ContiguousArray<Double>? = nil, floor: Double = 0
  ) {
    var (losses, squares, weightSum, count) = (0.0, 0.0, 0.0, 0)
    for row in probabilities.indices {
      let weight = weights?[row] ?? 1
      guard weight > 0 else { continue }
      let error = outcomes[row] - probabilities[row]
      count += 1
      weightSum += weight
      losses +=
        weight
        * LogLoss.of(probability: probabilities[row], outcome: outcomes[row], floor: floor)
      squares += weight * (error * error)
    }
    let total = count > 0 ? weightSum : 1
    self.count = count
    logLoss = losses / total
    brier = squares / total
    ranking = Self.rank(probabilities, outcomes, weights)
  }

  /// Pairs of a yes and a no are counted group by group of equal probabilities, in ascending order.
  ///
  /// *The meaning and use of the area under a receiver operating characteristic (ROC) curve*, Hanley
  /// and McNeil, Radiology 143 (1982), 29–36: the area is the statistic of Mann and Whitney.
  private static func rank(
    _ probabilities: ContiguousArray<Double>, _ outcomes: ContiguousArray<Double>,
    _ weights: ContiguousArray<Double>?
  ) -> Ranking {
    let order = probabilities.indices.sorted { probabilities[$0] < probabilities[$1] }
    var (yes, no, wins) = (0.0, 0.0, 0.0)
    var start = 0
    while start < order.count {
      var end = start
      var (yesHere, noHere) = (0.0, 0.0)
      // The first of a group is always taken, or a NaN would never be passed.
      repeat {
        let weight = weights?[order[end]] ?? 1
        if outcomes[order[end]] > 0.5 { yesHere += weight } else { noHere += weight }
        end += 1
      } while end < order.count && probabilities[order[end]] == probabilities[order[start]]
      wins += yesHere * (no + noHere / 2)
      yes += yesHere
      no += noHere
      start = end
    }
    return yes > 0 ? no > 0 ? .area(wins / (yes * no)) : .noNo : .noYes
  }
}
