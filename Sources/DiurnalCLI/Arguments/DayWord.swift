internal import Time

/// A day as people write it on a command line, before it is known which day is today.
///
/// `2026-01-05`, `today`, `yesterday`, `tomorrow`, `-7` (so many days ago), `+1`, and `monday` or `mon`: the last
/// one that there was, today among them, or the next where the future is spoken of.
enum DayWord: Sendable, Hashable {
  case day(CalendarDay)
  case offset(Int)
  /// 1 for Monday.
  case weekday(Int)

  /// How a day may be written, for help and errors.
  static let forms = "yyyy-MM-dd, today, yesterday, -7 or a weekday"

  /// The day that a word stands for, or nil where it is none.
  init?(_ word: String) {
    let lower = word.lowercased()
    switch lower {
    case "today": self = .offset(0)
    case "yesterday": self = .offset(-1)
    case "tomorrow": self = .offset(1)
    default:
      if let day = CalendarDay(word) {
        self = .day(day)
      } else if let first = word.first, "+-".contains(first), let days = Int(word),
        abs(days) < 100_000
      {
        self = .offset(days)
      } else if let place = Self.weekdays.firstIndex(where: { $0 == lower || $0.prefix(3) == lower }
      ) {
        self = .weekday(place + 1)
      } else {
        return nil
      }
    }
  }

  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  /// The day; of a weekday the last, or where `isAhead` the next after today.
  func day(today: CalendarDay, isAhead: Bool = false) -> CalendarDay {
    switch self {
    case .day(let day): return day
    case .offset(let days): return today.advanced(by: days)
    case .weekday(let weekday):
      let back = (today.weekday - weekday + 7) % 7
      return today.advanced(by: isAhead ? 7 - back : -back)
    }
  }
}
