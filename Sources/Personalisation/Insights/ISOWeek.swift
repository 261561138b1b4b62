import DayLog
public import Time

/// A week of ISO 8601: Monday to Sunday, whatever the person's locale.
public struct ISOWeek: Hashable, Comparable, Sendable {
  /// Its Monday.
  public let first: CalendarDay

  /// The week that this day is in.
  public init(containing day: CalendarDay) { first = day.startOfWeek }

  /// Its Sunday.
  public var last: CalendarDay { first.advanced(by: 6) }

  /// Its seven days.
  public var days: ClosedRange<CalendarDay> { first...last }

  /// The year of its Thursday: the year that ISO 8601 counts the week in.
  public var year: Int { first.advanced(by: 3).components.year }

  /// Its number in that year, 1 to 53.
  public var number: Int {
    let thursday = first.advanced(by: 3)
    guard let newYear = CalendarDay(year: year, month: 1, day: 1) else { return 1 }
    return newYear.distance(to: thursday) / 7 + 1
  }

  public static func < (left: Self, right: Self) -> Bool { left.first < right.first }
}

extension ISOWeek: CustomStringConvertible {
  /// The week as ISO 8601 writes it, such as `2024-W10`.
  public var description: String {
    let digits = String(number)
    return "\(String(first.advanced(by: 3).description.prefix(4)))-W"
      + (digits.utf8.count == 1 ? "0" : "") + digits
  }
}
