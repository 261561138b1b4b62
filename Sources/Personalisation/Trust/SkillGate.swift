#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Whether a forecast has shown, on days it did not know, that it is better than every naive rule.
public struct SkillGate: Equatable, Sendable {
  /// The rule with the least loss on the scored days.
  public let bestBaseline: NaiveRule
  /// 1 less the forecast's loss over that rule's loss; 0 is no better.
  public let skill: Double
  /// A lower bound of the skill, set for daily watching.
  ///
  /// It is the smaller of the skill seen and of a lower confidence bound for the share of a rule's
  /// squared error that the forecast explains, the least over all rules. Were it judged by the
  /// errors' difference alone, a forecast's own estimation noise would hide what it knows in the first
  /// months.
  public let skillLower: Double
  /// Whether ``skillLower`` is above 0: then, and only then, something may be claimed.
  public var isOpen: Bool { skillLower > 0 }

  /// Fewer scored days keep it closed.
  static let leastDays = 14

  /// Judges the forecasts of the scored days.
  ///
  /// Let *b* be a rule's forecast, *f* ours and *y* the outcome. Where the rule says all there is to
  /// say, (y − b)(f − b) is 0 on average whatever *f* is; its sum over the days is held against a
  /// boundary that grows with the days, so that looking every day opens few gates by chance.
  ///
  /// - Parameters:
  ///   - baselines: the forecasts of `NaiveRule.baselines`, in their order.
  /// - Note: *Approximately normal tests for equal predictive accuracy in nested models*, Clark and
  ///   West, Journal of Econometrics 138 (2007).
  init(
    forecast: [Double], baselines: [[Double]], outcomes: [Double], isBinary: Bool
  ) {
    let own = Scores(forecast, outcomes, isBinary: isBinary).loss
    let losses = baselines.map { Scores($0, outcomes, isBinary: isBinary).loss }
    let best = losses.indices.min { losses[$0] < losses[$1] } ?? 0
    bestBaseline = NaiveRule.baselines[best]
    skill = losses[best] > 0 ? 1 - own / losses[best] : 0
    var lower = Double.infinity
    for baseline in baselines {
      lower = min(lower, Self.explained(forecast, baseline, outcomes))
    }
    skillLower = outcomes.count < Self.leastDays ? -1 : min(lower, skill)
  }

  /// A lower bound of the share of the rule's squared error that the forecast explains.
  private static func explained(
    _ forecast: [Double], _ baseline: [Double], _ outcomes: [Double]
  ) -> Double {
    var (sum, squares, total) = (0.0, 0.0, 0.0)
    for index in outcomes.indices {
      let error = outcomes[index] - baseline[index]
      let gain = error * (forecast[index] - baseline[index])
      sum += gain
      squares += gain * gain
      total += error * error
    }
    guard total > 0 else { return -1 }
    let width = (squares * (boundary + 2 * log(1 + Double(outcomes.count) / 180))).squareRoot()
    return (sum - width) / total
  }

  /// The square of how many standard errors are asked for on the first day, growing as the logarithm of the
  /// days. Set by simulation: with daily looks for 180 days at forecasts of pure noise, fewer than one
  /// person in twenty ever saw an open gate.
  static let boundary = 3.24
}
