/// Whether a forecast has shown, on days it did not know, that it is better than every naive rule.
public struct SkillGate: Equatable, Sendable {
  /// The rule with the least loss on the scored days.
  public let bestBaseline: NaiveRule
  /// 1 less the forecast's loss over that rule's loss; 0 is no better.
  public let skill: Double
  /// A lower bound of the skill, set for daily watching: the smaller of the skill seen and of a lower
  /// confidence bound, the least over all rules, for the share by which the forecast's squared error is
  /// below the rule's (as a share of the error itself where the target is a number).
  public let skillLower: Double
  /// Whether ``skillLower`` is above 0: then, and only then, something may be claimed.
  public var isOpen: Bool { skillLower > 0 }

  /// Fewer scored days keep it closed.
  package static let leastDays = 20
  /// How many standard errors are taken off the evidence.
  ///
  /// Fewer than for one look at one rule would have it, as the least of five bounds counts and the skill
  /// seen must be above 0 too. Chosen by simulation of people with twelve metrics, trained and looked at on every day to day
  /// 180. Of 400 who had no part in the choice (`bench --suite gate`), 4.0 % ever saw an open gate where
  /// the target was independent noise. Where yesterday's metrics explain R² = 0.4 of it (four of the
  /// twelve), the gate was open for 48 % on day 60, 79 % on day 90 and 95 % on day 120. The bound lay
  /// below the true skill for 83 % of the people in noise: it is calibrated for the gate, not proven.
  static let boundary = 1.3

  /// Forecasts of some days, and what came.
  struct Stretch {
    let forecast: ContiguousArray<Double>
    /// Those of `NaiveRule.baselines`, in their order.
    let baselines: [ContiguousArray<Double>]
    let outcomes: ContiguousArray<Double>
  }

  /// Judges forecasts.
  ///
  /// - Parameters:
  ///   - forecast: how the forecast did on the days whose skill is told.
  ///   - baselines: how those of `NaiveRule.baselines` did on them, in their order.
  ///   - judged: the days that count as evidence: these and perhaps some before.
  init(forecast: Scores, baselines: [Scores], judged: Stretch, isBinary: Bool) {
    let own = forecast.loss
    let losses = baselines.map(\.loss)
    let best = losses.indices.min { losses[$0] < losses[$1] } ?? 0
    bestBaseline = NaiveRule.baselines[best]
    skill = losses[best] > 0 ? 1 - own / losses[best] : 0
    guard forecast.count >= Self.leastDays else {
      skillLower = -1
      return
    }
    var share = Double.infinity
    for baseline in judged.baselines {
      share = min(share, Self.share(judged.forecast, baseline, judged.outcomes))
    }
    skillLower = min(skill, isBinary ? share : 1 - (1 - share).squareRoot())
  }

  /// A lower bound of the share of the rule's squared error that the forecast spares.
  private static func share(
    _ forecast: ContiguousArray<Double>, _ baseline: ContiguousArray<Double>,
    _ outcomes: ContiguousArray<Double>
  ) -> Double {
    // In units of the rule's largest error, so that no square overflows.
    let unit = zip(outcomes, baseline).reduce(0) { max($0, abs($1.0 - $1.1)) }
    guard unit > 0, unit.isFinite else { return -1 }
    var (sum, squares, total) = (0.0, 0.0, 0.0)
    for index in outcomes.indices {
      let theirs = (outcomes[index] - baseline[index]) / unit
      let ours = (outcomes[index] - forecast[index]) / unit
      let gain = theirs * theirs - ours * ours
      sum += gain
      squares += gain * gain
      total += theirs * theirs
    }
    let bound = (sum - boundary * squares.squareRoot()) / total
    return bound.isFinite ? max(-1, bound) : -1
  }
}
