package import Time

/// The forecasts that would have been shown for a target, day by day, each from what was known then.
package struct TargetHistory: Equatable, Sendable {
  /// One day that was forecast.
  package struct Entry: Equatable, Sendable {
    /// The day.
    package let day: CalendarDay
    /// The forecast: a value, or the probability of yes.
    package let forecast: Double
    /// Its interval; nil for a yes/no target and while there were too few errors.
    package let interval: ClosedRange<Double>?
    /// What came; 0 or 1 for a yes/no target.
    package let outcome: Double
  }

  /// Every day with an outcome and a forecast, ascending.
  package let entries: [Entry]
}

extension PersonalModel {
  /// The forecasts made on the way to this model, as far as they still hold in `log`.
  ///
  /// Days that changed since the training, and those after them, are left out: a training makes them anew.
  ///
  /// - Parameter log: the days; those after ``trainedDays`` are left out.
  /// - Returns: an empty history where nothing holds any more.
  /// - Throws: ``TrainingError`` where the target cannot be trained on this log.
  /// - Complexity: that of the features of all days.
  package func history(in log: PersonalLog) throws(TrainingError) -> TargetHistory {
    var options = TrainingOptions()
    options.horizon = horizon
    let training = try PersonalTraining(log, target, options, earlier: record, isPaused: false)
    return training.pastForecasts(through: trainedDays.upperBound)
  }
}
