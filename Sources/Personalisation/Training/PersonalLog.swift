public import DayLog
public import Time

/// What a person's model learns from: the days, and on which of them the person was there.
public struct PersonalLog: Sendable {
  /// Closed days alone: today is open and never trains.
  package let table: DayTable
  /// Days on which anything was typed or checked in: a symptom not mentioned then was absent.
  public let activeDays: Set<CalendarDay>
  /// The same with changes of level taken out: how a metric serves as a feature of another target.
  let levelled: DayTable
  /// What the person's log has beyond these days and metrics.
  package let leftOut: LearnedDays.LeftOut

  /// A log; symptoms count as absent (0) on the active days that do not mention them.
  package init(
    _ table: DayTable, activeDays: Set<CalendarDay> = [],
    leftOut: LearnedDays.LeftOut = LearnedDays.LeftOut()
  ) {
    self.activeDays = activeDays
    self.leftOut = leftOut
    var values = table.values
    for (column, metric) in table.metrics.enumerated() where metric.isSymptom {
      for row in 0..<table.dayCount
      where values[column * table.dayCount + row].isNaN
        && activeDays.contains(table.firstDay.advanced(by: row))
      {
        values[column * table.dayCount + row] = 0
      }
    }
    let whole = DayTable(
      firstDay: table.firstDay, dayCount: table.dayCount, metrics: table.metrics, values: values)
    self.table = whole
    levelled = Self.levelled(whole)
  }
  private static func levelled(_ table: DayTable) -> DayTable {
    var values: ContiguousArray<Double> = []
    values.reserveCapacity(table.values.count)
    for (index, metric) in table.metrics.enumerated() {
      let column = table.values[(index * table.dayCount)..<((index + 1) * table.dayCount)]
      values += metric.isSymptom ? ContiguousArray(column) : LevelChange.removed(from: column)
    }
    return DayTable(
      firstDay: table.firstDay, dayCount: table.dayCount, metrics: table.metrics, values: values)
  }

  /// What the features of a target are made of: its own values as they are, all others levelled.
  func table(for target: Target) -> DayTable {
    guard let index = table.metrics.firstIndex(of: target.metric) else { return levelled }
    var values = levelled.values
    let own = (index * table.dayCount)..<((index + 1) * table.dayCount)
    values.replaceSubrange(own, with: table.values[own])
    return DayTable(
      firstDay: table.firstDay, dayCount: table.dayCount, metrics: table.metrics, values: values)
  }

  /// The days on which the level of a metric changed for good, as a new device or unit makes it; none for a symptom
  /// and for a metric that the log does not have.
  ///
  /// - Complexity: O(*n*) for *n* days.
  public func levelChanges(of metric: Metric) -> [CalendarDay] {
    guard !metric.isSymptom, let column = table.column(metric) else { return [] }
    return LevelChange.places(in: column).map { table.firstDay.advanced(by: $0) }
  }
}
