package import Time

/// Resolved values of consecutive days as columns: what features are computed from.
///
/// Column `m` holds metric `metrics[m]`, one value a day from `firstDay` on without leaving a day out; a
/// missing value is NaN. The days are calendar days, so a row's neighbours are its neighbours in time.
package struct DayTable: Sendable, Equatable {
  /// The day of row 0.
  package let firstDay: CalendarDay
  /// How many days (rows) there are.
  package let dayCount: Int
  /// The metric of each column, in ascending order of name.
  package let metrics: [Metric]
  /// `dayCount * metrics.count` values, one metric after the other.
  package let values: ContiguousArray<Double>

  /// A table of `metrics.count` columns of `dayCount` values; NaN where nothing is known.
  package init(
    firstDay: CalendarDay, dayCount: Int, metrics: [Metric], values: ContiguousArray<Double>
  ) {
    precondition(dayCount >= 0 && values.count == dayCount * metrics.count, "a column a metric")
    precondition(zip(metrics, metrics.dropFirst()).allSatisfy(<), "metrics ascend and are distinct")
    self.firstDay = firstDay
    self.dayCount = dayCount
    self.metrics = metrics
    self.values = values
  }

  /// The day after the last row.
  package var endDay: CalendarDay { firstDay.advanced(by: dayCount) }

  /// The values of one metric, one a day, NaN where missing; nil where the table has no such metric.
  package func column(_ metric: Metric) -> ContiguousArray<Double>.SubSequence? {
    guard let index = metrics.firstIndex(of: metric) else { return nil }
    return values[(index * dayCount)..<((index + 1) * dayCount)]
  }

  /// Equality by bit pattern of the values, so that NaN (missing) equals NaN.
  package static func == (left: Self, right: Self) -> Bool {
    left.firstDay == right.firstDay && left.dayCount == right.dayCount
      && left.metrics == right.metrics
      && left.values.elementsEqual(right.values) { $0.bitPattern == $1.bitPattern }
  }
}
