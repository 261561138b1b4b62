internal import DayLog
import Time

/// A date as a file writes it, with or without a time of day, with or without an offset.
struct LocalTime: Hashable, Sendable {
  let day: CalendarDay
  /// Seconds after midnight, or nil where only a date is written.
  let second: Int?
  /// Seconds ahead of UTC, where written.
  let offset: Int?

  init(day: CalendarDay, second: Int?, offset: Int?) {
    self.day = day
    self.second = second
    self.offset = offset
  }

  /// `yyyy-MM-dd`, or that and `T` or a space and `HH:mm`, `HH:mm:ss` or `HH:mm:ss.fff`, and after a
  /// time `Z`, `+HH:mm` or `+HHmm`; nil for anything else and for what the calendar has not.
  init?(_ bytes: Span<UInt8>) {
    guard let written = WrittenTime(bytes) else { return nil }
    let second = written.clock.map { $0.hour * 3600 + $0.minute * 60 + min($0.second ?? 0, 59) }
    self.init(day: written.day, second: second, offset: written.offset)
  }

  /// The moment, where an offset is written or given.
  func instant(offset given: Int? = nil) -> Instant? {
    guard let second, let offset = offset ?? given else { return nil }
    return Instant(seconds: Int64(day.number) * 86_400 + Int64(second - offset))
  }

  /// The day of the person: a date stands as it is, a time goes by the zone asked for, else by the
  /// clock it is written on, and belongs to the day before until the day start.
  func day(_ options: ImportOptions) -> CalendarDay {
    guard let second else { return day }
    if let zone = options.zone, let instant = instant() {
      return instant.day(utcOffset: zone.utcOffset(at: instant), dayStart: options.dayStart)
    }
    return second < options.dayStart ? day.advanced(by: -1) : day
  }

  /// The calendar day of the zone asked for, else of the clock it is written on, whatever the day
  /// start: what a night belongs to.
  func calendarDay(_ options: ImportOptions) -> CalendarDay {
    guard let zone = options.zone, let instant = instant() else { return day }
    return instant.day(utcOffset: zone.utcOffset(at: instant))
  }
}

extension LocalTime {
  /// ``init(_:)`` over a string's bytes.
  init?(_ text: String) {
    let bytes = ContiguousArray(text.utf8)
    self.init(bytes.span)
  }
}
