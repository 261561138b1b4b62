import DayLog
import Time

/// Local time in London, whose clocks are an hour ahead from the last Sunday of March to that of October.
enum LondonClock {
  /// Seconds ahead of UTC at a moment.
  static func offset(at seconds: Int) -> Int {
    let day = CalendarDay(number: (seconds - 3600) / 86_400)
    let (year, month, _) = day.components
    switch month {
    case 4...9: return 3600
    case 3: return seconds >= change(year, 3) ? 3600 : 0
    case 10: return seconds >= change(year, 10) ? 0 : 3600
    default: return 0
    }
  }

  /// The moment at 01:00 UTC of a month's last Sunday.
  private static func change(_ year: Int, _ month: Int) -> Int {
    guard let end = CalendarDay(year: year, month: month, day: 31) else {
      preconditionFailure("March and October have 31 days")
    }
    return (end.number - end.weekday % 7) * 86_400 + 3600
  }

  /// The moment of a wall-clock time, in minutes after midnight, that is not in the hour of a change.
  static func moment(_ day: CalendarDay, minute: Int) -> Int {
    let asUTC = day.number * 86_400 + minute * 60
    return asUTC - offset(at: asUTC)
  }

  /// A moment as health exports write it, `2025-03-30 07:00:00 +0100`, with this offset.
  static func text(_ moment: Int, offset: Int) -> String {
    let local = moment + offset
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
    let second = local % 86_400
    let time = "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))"
    return "\(CalendarDay(number: local / 86_400)) \(time) +\(two(offset / 3600))00"
  }
}
