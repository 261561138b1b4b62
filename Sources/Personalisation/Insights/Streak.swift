import DayLog
public import Time

/// How many days in a row something was logged, up to today or yesterday.
public struct Streak: Hashable, Sendable {
  /// How many days; 0 where neither today nor yesterday was logged.
  public let dayCount: Int
  /// Its first day, the day after the last gap; nil where there is no streak.
  public let first: CalendarDay?
  /// Its last day: today, or yesterday while today has nothing yet.
  public let last: CalendarDay?

  /// The streak of these days as it stands on `today`; later days do not count.
  ///
  /// - Parameter logged: the days on which something was logged, in any order.
  public init(_ logged: Set<CalendarDay>, today: CalendarDay) {
    var end = today
    if !logged.contains(end) { end = today.advanced(by: -1) }
    guard logged.contains(end) else {
      (dayCount, first, last) = (0, nil, nil)
      return
    }
    var start = end
    while logged.contains(start.advanced(by: -1)) { start = start.advanced(by: -1) }
    (dayCount, first, last) = (start.distance(to: end) + 1, start, end)
  }
}
