/// What a training may be told; the defaults are the product's.
public struct TrainingOptions: Hashable, Sendable {
  /// How many days ahead is predicted, 1 to 7.
  public var horizon = 1
  /// The share of outcomes that intervals are to cover.
  public var coverage = 0.9
  /// Days with an outcome below which there is no model: four weeks, in which each weekday has been seen four
  /// times.
  ///
  /// So a log of 30 days trains, even where its last day is new or another is forgotten.
  public var leastDays = 28
  /// Forecasts are scored once this many outcomes are known.
  public var scoredAfter = 30
  /// The gate's evidence begins once this many are: with the first forecasts of a regression.
  public var judgedAfter = 20
  /// A metric serves as a feature once it has this many values.
  public var leastMetricDays = 20
  /// At most this many metrics beside the target's own serve as features: those that had so many values first.
  public var mostMetrics = 24

  /// The defaults.
  public init() {}
}

/// How a training went about it.
public enum TrainingMode: String, Sendable {
  /// Everything was computed from the log.
  case full
  /// λ was kept, and only what the changed days touch was computed.
  case incremental
  /// No row had changed.
  case unchanged
  /// A training that had run out of budget was brought to its end.
  case resumed
}

/// What a training ended with.
package enum TrainingOutcome: Sendable {
  /// A whole model, to be saved in place of the old one.
  case trained(PersonalModel, TrainingMode, changedRows: Int)
  /// The budget ran out: the old model stays in force, and the next training goes on from here.
  case paused(TrainingProgress)
}
