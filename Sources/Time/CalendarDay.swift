/// A day of the proleptic Gregorian calendar: a label, not a moment.
///
/// It is a day number, so stepping and comparing need no calendar, no zone and no clock; a clock
/// change can neither lose nor double one. Which day an instant belongs to is decided once, when a
/// sample comes in.
public struct CalendarDay: Hashable, Comparable, Sendable {
  /// Days since 1970-01-01; negative before it.
  public let number: Int

  /// The days that four digits of year can write: 0001-01-01 to 9999-12-31.
  public static let supported = CalendarDay(number: -719_162)...CalendarDay(number: 2_932_896)

  /// The day with this number of days since 1970-01-01.
  public init(number: Int) { self.number = number }

  /// The day with this date, or nil where the calendar has none (2024-02-30) or the year is outside
  /// 1...9999.
  ///
  /// - Complexity: O(1); *chrono-Compatible Low-Level Date Algorithms*, Howard Hinnant.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.length(ofMonth: month, year: year)
    else { return nil }
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    number = era * 146_097 + dayOfEra - 719_468
  }

  /// The day written as `yyyy-MM-dd`, ten ASCII characters and nothing else; nil for any other text.
  public init?(_ text: some StringProtocol) {
    let bytes = ContiguousArray(text.utf8)
    guard bytes.count == 10 else { return nil }
    self.init(bytes.span, at: 0)
  }

  /// Year, month (1 to 12) and day of the month (1 to 31).
  public var components: (year: Int, month: Int, day: Int) {
    let shifted = number + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  /// The ISO weekday: 1 is Monday, 7 is Sunday.
  public var weekday: Int {
    let sinceMonday = (number + 3) % 7
    return (sinceMonday >= 0 ? sinceMonday : sinceMonday + 7) + 1
  }

  /// The Monday of the ISO week that this day is in.
  public var startOfWeek: CalendarDay { advanced(by: 1 - weekday) }

  private static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension CalendarDay: Strideable {
  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }

  /// The number of days from this one to `other`: negative when `other` is earlier.
  public func distance(to other: CalendarDay) -> Int { other.number - number }

  /// The day this many days later: never by way of hours.
  public func advanced(by days: Int) -> CalendarDay { CalendarDay(number: number + days) }
}

extension CalendarDay: CustomStringConvertible {
  /// The day as `yyyy-MM-dd`.
  public var description: String {
    let (year, month, day) = components
    func padded(_ value: Int, _ width: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }
}

extension CalendarDay {
  /// Before every day that anybody logs.
  public static let distantPast = CalendarDay(number: Int(Int32.min))
  /// After every day that anybody logs.
  public static let distantFuture = CalendarDay(number: Int(Int32.max))
}
