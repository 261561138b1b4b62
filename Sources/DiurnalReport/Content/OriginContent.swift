internal import DayLog
internal import Diurnal
internal import Time

/// How much of what is shown the person typed, and how much was imported.
struct OriginContent: Sendable {
  let typedCount: Int
  let importedCount: Int
  /// The days on which a typed value is shown, by metric.
  let typedDays: [Metric: Set<CalendarDay>]

  init(_ days: [ResolvedDay]) {
    var (typed, imported) = (0, 0)
    var typedDays: [Metric: Set<CalendarDay>] = [:]
    for day in days {
      for item in day.items {
        if item.resolved.source.origin == .typed {
          typed += 1
          typedDays[item.metric, default: []].insert(day.day)
        } else {
          imported += 1
        }
      }
    }
    (typedCount, importedCount, self.typedDays) = (typed, imported, typedDays)
  }
}
