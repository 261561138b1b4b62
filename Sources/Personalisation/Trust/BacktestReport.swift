internal import Learning

/// How a target's forecasts did on days they did not know, beside the naive rules.
public struct BacktestReport: Equatable, Sendable {
  /// What was forecast.
  public let target: Target
  /// Days with an outcome.
  public let rows: Int
  /// Days that were forecast and scored: those after the first ``TrainingOptions/scoredAfter``.
  public let scored: Int
  /// Columns of the plain regression.
  public let features: Int
  /// λ of the plain regression.
  public let lambda: Double
  /// The scores of the forecast shown.
  public let forecast: Scores
  /// The scores of the plain regression, on the days it could forecast.
  public let model: Scores
  /// The scores of each rule of `NaiveRule.baselines`, in their order.
  public let baselines: [Scores]
  /// Whether anything may be claimed.
  public let gate: SkillGate
  /// How the intervals did; nil for a yes/no target and where none was scored.
  public let interval: Coverage?

  /// `ridge` or `logistic`.
  public var kind: String { target.isBinary ? "logistic" : "ridge" }

  /// How intervals did.
  public struct Coverage: Equatable, Sendable {
    /// The share of outcomes that was to be covered.
    public let nominal: Double
    /// The share that was.
    public let coverage: Double
    /// The median width, in the target's unit.
    public let medianWidth: Double
  }
}

extension BacktestReport {
  /// Scores a history against the rules.
  ///
  /// - Parameters:
  ///   - plain: the plain regression's forecast of each day.
  ///   - scoredFrom: the first day that is scored.
  ///   - judgedFrom: the first day that is evidence for the gate.
  init(
    _ target: Target, _ history: ForecastHistory, naive: NaiveForecasts,
    plain: ContiguousArray<Double>, outcomes: ContiguousArray<Double>, features: Int,
    lambda: Double, scoredFrom: Int, judgedFrom: Int
  ) {
    func stretch(from first: Int) -> (indices: [Int], SkillGate.Stretch) {
      let indices = history.days.indices.filter { history.days[$0] >= first }
      func of(_ series: ContiguousArray<Double>) -> ContiguousArray<Double> {
        ContiguousArray(indices.lazy.map { series[history.days[$0]] })
      }
      return (
        indices,
        SkillGate.Stretch(
          forecast: ContiguousArray(indices.lazy.map { history.forecasts[$0] }),
          baselines: NaiveRule.baselines.map { of(naive[$0]) }, outcomes: of(outcomes))
      )
    }
    let (indices, seen) = stretch(from: scoredFrom)
    let modelled = indices.lazy.map { history.days[$0] }.filter { !plain[$0].isNaN }
    let isBinary = target.isBinary
    self.target = target
    rows = outcomes.count { !$0.isNaN }
    scored = indices.count
    self.features = features
    self.lambda = lambda
    forecast = Scores(seen.forecast, seen.outcomes, isBinary: isBinary)
    model = Scores(
      ContiguousArray(modelled.map { plain[$0] }), ContiguousArray(modelled.map { outcomes[$0] }),
      isBinary: isBinary)
    baselines = seen.baselines.map { Scores($0, seen.outcomes, isBinary: isBinary) }
    gate = SkillGate(
      forecast: forecast, baselines: baselines, judged: stretch(from: judgedFrom).1,
      isBinary: isBinary)
    let intervals =
      isBinary
      ? nil
      : IntervalCoverage(
        nominal: history.interval.nominal, forecasts: seen.forecast,
        halfWidths: indices.map { history.halfWidths[$0] },
        outcomes: seen.outcomes)
    interval = intervals.map {
      Coverage(
        nominal: $0.nominal, coverage: $0.covered.share, medianWidth: $0.medianWidth)
    }
  }
}
