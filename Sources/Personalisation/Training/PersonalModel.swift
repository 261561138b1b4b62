import DayLog
internal import Learning
public import Time

/// A target's whole model: regressions, how they are combined with the naive rules, the interval, the gate
/// and the evaluation they come from. It is saved and replaced as one.
public struct PersonalModel: Sendable, Equatable {
  /// What is predicted.
  public let target: Target
  /// How many days ahead it predicts.
  public let horizon: Int
  /// The first and last day of the log it was trained on.
  public let trainedDays: ClosedRange<CalendarDay>
  /// How many days with an outcome that were.
  public let rowCount: Int
  /// The evaluation it comes from; its gate says whether anything may be claimed.
  public let report: BacktestReport

  /// Every feature of its regressions.
  let spec: FeatureSpec
  /// What stands for a feature that is missing: its mean over the training days.
  let fills: ContiguousArray<Double>
  /// No regression says more or less than this.
  let bounds: ClosedRange<Double>
  /// The regressions; the first is the plain one that is explained.
  let parts: [Part]
  /// The weight of each naive rule, then of each regression.
  let weights: ContiguousArray<Double>
  /// The intervals around its forecasts; nil for a yes/no target.
  let interval: DayInterval?
  /// The forecasts of the evaluation, to go on from.
  let record: RollingRecord

  /// One regression.
  struct Part: Sendable, Equatable {
    let name: String
    let transform: Variant.Transform
    /// Its features, as positions in the spec.
    let columns: [Int]
    let penalty: Double
    let regression: LinearModel
  }

  /// Equality to the bit.
  public static func == (left: Self, right: Self) -> Bool { left.encoded() == right.encoded() }

  /// The names of the plain regression's features, in order.
  public var featureNames: [String] { parts[0].columns.map { spec.features[$0].description } }
}

/// What a paused training has found; given to the next one it goes on from there.
package struct TrainingProgress: Sendable, Equatable {
  /// What is predicted.
  package let target: Target
  let horizon: Int
  let record: RollingRecord

  /// Equality to the bit.
  package static func == (left: Self, right: Self) -> Bool { left.encoded() == right.encoded() }

  /// The share of the evaluation that is done, 0 to 1.
  package var share: Double {
    let whole = record.fingerprints.count * record.forecasts.count
    return whole == 0 ? 0 : Double(record.forecasts.reduce(0) { $0 + $1.count }) / Double(whole)
  }
}

/// Trains the model of one target on a log.
///
/// Features, λ by rolling origin, fit, evaluation on days not known at the time, combination, gate and
/// interval. The result depends on the log and the options alone, to the bit. With an earlier model of the same
/// target and columns λ is kept and only what the changed days touch is computed; the result is
/// that of a training from scratch with that λ.
///
/// - Parameters:
///   - previous: the model in force, whatever log it was trained on.
///   - progress: what a paused training left; it goes before `previous`.
///   - choosesPenalties: whether λ is chosen anew: a full training.
///   - mayContinue: asked between chunks of a few milliseconds to a second; false ends the training there.
/// - Returns: a whole model with how it was made and how many rows had changed, or what is done so far.
/// - Throws: ``TrainingError``; nothing is changed then.
/// - Complexity: for *n* days and *p* features O(*n p*²) for the sums and as much again for the evaluation.
package func trainPersonalisedModel(
  from log: PersonalLog, target: Target, options: TrainingOptions = TrainingOptions(),
  previous: PersonalModel? = nil, progress: TrainingProgress? = nil, choosesPenalties: Bool = false,
  mayContinue: () -> Bool = { true }
) throws(TrainingError) -> TrainingOutcome {
  var earlier: RollingRecord?
  var isPaused = false
  if let progress, progress.target == target, progress.horizon == options.horizon {
    earlier = progress.record
    isPaused = true
  } else if let previous, previous.target == target, previous.horizon == options.horizon,
    !choosesPenalties
  {
    earlier = previous.record
  }
  var training = try PersonalTraining(
    log, target, options, earlier: earlier, isPaused: isPaused)
  return try training.run(mayContinue: mayContinue)
}
