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
    /// The mean width plus 2 / (1 − ``nominal``) times the mean distance of outcomes from their interval, in the
    /// target's unit: of two kinds of intervals the one with the lower score is better (Gneiting and Raftery,
    /// Journal of the American Statistical Association 102 (2007)).
    public let score: Double

    init(nominal: Double, coverage: Double, medianWidth: Double, score: Double) {
      self.nominal = nominal
      self.coverage = coverage
      self.medianWidth = medianWidth
      self.score = score
    }

    /// How intervals did, nil where a day had none; nil where none had one.
    init?(nominal: Double, intervals: [ClosedRange<Double>?], outcomes: ContiguousArray<Double>) {
      var (widths, hits, beyond): ([Double], Int, Double) = ([], 0, 0)
      for case (let interval?, let outcome) in zip(intervals, outcomes) {
        widths.append(interval.upperBound - interval.lowerBound)
        if interval.contains(outcome) { hits += 1 }
        beyond += max(0, interval.lowerBound - outcome, outcome - interval.upperBound)
      }
      guard !widths.isEmpty else { return nil }
      let count = Double(widths.count)
      self.init(
        nominal: nominal, coverage: Double(hits) / count,
        medianWidth: TrailingMedian.median(ContiguousArray(widths)),
        score: (widths.reduce(0, +) + 2 / (1 - nominal) * beyond) / count)
    }
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
    interval = history.shown.interval.flatMap {
      Coverage(
        nominal: $0.nominal, intervals: indices.map { history.intervals[$0] },
        outcomes: seen.outcomes)
    }
  }
}
