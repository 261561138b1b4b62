public import DayLog

/// What a person's model learns from: the days, and on which of them the person was there.
public struct PersonalLog: Sendable {
  /// Closed days alone: today is open and never trains.
  public let table: DayTable
  /// Days on which anything was typed or checked in: a symptom not mentioned then was absent.
  public let activeDays: Set<CalendarDay>

  /// A log; symptoms count as absent (0) on the active days that do not mention them.
  public init(_ table: DayTable, activeDays: Set<CalendarDay> = []) {
    self.activeDays = activeDays
    var values = table.values
    for (column, metric) in table.metrics.enumerated() where metric.isSymptom {
      for row in 0..<table.dayCount
      where values[column * table.dayCount + row].isNaN
        && activeDays.contains(table.firstDay.advanced(by: row))
      {
        values[column * table.dayCount + row] = 0
      }
    }
    self.table = DayTable(
      firstDay: table.firstDay, dayCount: table.dayCount, metrics: table.metrics, values: values)
  }
}
