internal import DayLog
import Time

/// A date as a file writes it, with or without a time of day, with or without an offset.
struct LocalTime: Hashable, Sendable {
  let day: CalendarDay
  /// Seconds after midnight, or nil where only a date is written.
  let second: Int?
  /// Seconds ahead of UTC, where written.
  let offset: Int?
  /// Whether it is written in UTC (`Z`), which says when it was and nothing of the clock on the wall.
  let isUTC: Bool

  init(day: CalendarDay, second: Int?, offset: Int?, isUTC: Bool = false) {
    self.day = day
    self.second = second
    self.offset = offset
    self.isUTC = isUTC
  }

  /// `yyyy-MM-dd`, or that and `T` or a space and `HH:mm`, `HH:mm:ss` or `HH:mm:ss.fff`, and after a
  /// time `Z`, `+HH:mm` or `+HHmm`, after a space or none; nil for anything else and for what the calendar has not.
  init?(_ bytes: Span<UInt8>) {
    guard bytes.count >= 10, let day = Self.day(bytes, at: 0) else { return nil }
    if bytes.count == 10 {
      self.init(day: day, second: nil, offset: nil)
      return
    }
    guard bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " "), bytes.count >= 16,
      let hour = Self.digits(bytes, 11, 2), hour < 24, bytes[13] == UInt8(ascii: ":"),
      let minute = Self.digits(bytes, 14, 2), minute < 60
    else { return nil }
    var second = hour * 3600 + minute * 60
    var at = 16
    if at < bytes.count, bytes[at] == UInt8(ascii: ":") {
      guard let seconds = Self.digits(bytes, 17, 2), seconds <= 60 else { return nil }
      second += min(seconds, 59)
      at = 19
      if at < bytes.count, bytes[at] == UInt8(ascii: ".") {
        let start = at + 1
        at = start
        while at < bytes.count, bytes[at] &- 48 <= 9 { at += 1 }
        guard at > start else { return nil }
      }
    }
    guard let offset = Self.offset(bytes, from: at) else { return nil }
    self.init(
      day: day, second: second, offset: offset.seconds, isUTC: bytes[bytes.count - 1] | 0x20 == 0x7A
    )
  }

  /// Seconds since 1970, by UTC where an offset is written, else by the clock on the wall.
  var seconds: Int64 { Int64(day.number) * 86_400 + Int64((second ?? 0) - (offset ?? 0)) }

  /// The zone that puts it on a day: the one asked for, of what is written in UTC else the machine's; nil
  /// for the clock it is written on.
  func zone(_ options: ImportOptions) -> Zone? {
    offset == nil ? nil : options.zone ?? (isUTC ? options.localZone : nil)
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
    if let zone = zone(options), let instant = instant() {
      return instant.day(utcOffset: zone.utcOffset(at: instant), dayStart: options.dayStart)
    }
    return second < options.dayStart ? day.advanced(by: -1) : day
  }

  /// The calendar day of the zone asked for, else of the clock it is written on, whatever the day
  /// start: what a night belongs to.
  func calendarDay(_ options: ImportOptions) -> CalendarDay {
    guard let zone = zone(options), let instant = instant() else { return day }
    return instant.day(utcOffset: zone.utcOffset(at: instant))
  }

  static func day(_ bytes: Span<UInt8>, at start: Int) -> CalendarDay? {
    guard start + 10 <= bytes.count, bytes[start + 4] == UInt8(ascii: "-"),
      bytes[start + 7] == UInt8(ascii: "-"), let year = digits(bytes, start, 4),
      let month = digits(bytes, start + 5, 2), let day = digits(bytes, start + 8, 2)
    else { return nil }
    return CalendarDay(year: year, month: month, day: day)
  }

  static func digits(_ bytes: Span<UInt8>, _ start: Int, _ count: Int) -> Int? {
    guard start + count <= bytes.count else { return nil }
    var value = 0
    for index in start..<(start + count) {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      value = value * 10 + Int(digit)
    }
    return value
  }

  /// What follows a time: nothing, `Z` or an offset; nil for anything else.
  private static func offset(_ bytes: Span<UInt8>, from start: Int) -> (seconds: Int?, Void)? {
    if start == bytes.count { return (nil, ()) }
    if bytes[start] == UInt8(ascii: " ") {
      return start + 1 < bytes.count ? offset(bytes, from: start + 1) : nil
    }
    if bytes[start] == UInt8(ascii: "Z") { return start + 1 == bytes.count ? (0, ()) : nil }
    let isNegative = bytes[start] == UInt8(ascii: "-")
    guard isNegative || bytes[start] == UInt8(ascii: "+"), let hours = digits(bytes, start + 1, 2),
      hours <= 18
    else { return nil }
    let hasColon = start + 3 < bytes.count && bytes[start + 3] == UInt8(ascii: ":")
    let at = start + (hasColon ? 4 : 3)
    guard let minutes = digits(bytes, at, 2), minutes < 60, at + 2 == bytes.count else {
      return nil
    }
    let seconds = hours * 3600 + minutes * 60
    return (isNegative ? -seconds : seconds, ())
  }
}

extension LocalTime {
  /// ``init(_:)`` over a string's bytes.
  init?(_ text: String) {
    let bytes = ContiguousArray(text.utf8)
    self.init(bytes.span)
  }
}
