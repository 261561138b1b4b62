/// A date as a file writes it, with or without a time of day, with or without an offset: the one reader of ISO 8601.
package struct WrittenTime {
  /// The calendar day.
  package let day: CalendarDay
  /// Hours, minutes and seconds (0 to 60) after midnight; nil where only a date is written.
  package var clock: (hour: Int, minute: Int, second: Int?)?
  /// The decimals of the second, to the millisecond and rounded down.
  package var milliseconds = 0
  /// Seconds ahead of UTC, where written.
  package var offset: Int?

  /// Reads `yyyy-MM-dd`, or that and `T` or a space and `HH:mm`, `HH:mm:ss` or `HH:mm:ss.fff`, and after a time
  /// `Z`, `+HH:mm` or `+HHmm`; nil for anything else and for what the calendar has not.
  package init?(_ bytes: Span<UInt8>) {
    guard bytes.count >= 10, let day = CalendarDay(bytes, at: 0) else { return nil }
    self.day = day
    if bytes.count == 10 { return }
    guard bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " "), bytes.count >= 16,
      let hour = bytes.digits(11, 2), hour < 24, bytes[13] == UInt8(ascii: ":"),
      let minute = bytes.digits(14, 2), minute < 60
    else { return nil }
    var second: Int?
    var at = 16
    if at < bytes.count, bytes[at] == UInt8(ascii: ":") {
      second = bytes.digits(17, 2)
      guard let second, second <= 60, let end = readFraction(bytes, from: 19) else { return nil }
      at = end
    }
    clock = (hour, minute, second)
    if at == bytes.count { return }
    guard let offset = Self.offset(bytes, from: at) else { return nil }
    self.offset = offset
  }

  /// Reads the decimals of a second, if any; returns the place behind them, nil where a point has none.
  private mutating func readFraction(_ bytes: Span<UInt8>, from start: Int) -> Int? {
    guard start < bytes.count, bytes[start] == UInt8(ascii: ".") else { return start }
    var at = start + 1
    var unit = 100
    while at < bytes.count, bytes[at] &- 48 <= 9 {
      milliseconds += Int(bytes[at] &- 48) * unit
      unit /= 10
      at += 1
    }
    return at > start + 1 ? at : nil
  }

  /// The seconds of `Z`, `+HH:mm` or `+HHmm`, and nothing behind it; nil for anything else.
  private static func offset(_ bytes: Span<UInt8>, from start: Int) -> Int? {
    if bytes[start] == UInt8(ascii: "Z") { return start + 1 == bytes.count ? 0 : nil }
    let isNegative = bytes[start] == UInt8(ascii: "-")
    guard isNegative || bytes[start] == UInt8(ascii: "+"),
      let hours = bytes.digits(start + 1, 2), hours < 24
    else { return nil }
    let hasColon = start + 3 < bytes.count && bytes[start + 3] == UInt8(ascii: ":")
    let at = start + (hasColon ? 4 : 3)
    guard let minutes = bytes.digits(at, 2), minutes < 60, at + 2 == bytes.count else {
      return nil
    }
    let seconds = hours * 3600 + minutes * 60
    return isNegative ? -seconds : seconds
  }
}

extension CalendarDay {
  /// The day written as `yyyy-MM-dd` in the ten bytes from `start` on; nil for anything else.
  package init?(_ bytes: Span<UInt8>, at start: Int) {
    guard start + 10 <= bytes.count, bytes[start + 4] == UInt8(ascii: "-"),
      bytes[start + 7] == UInt8(ascii: "-"), let year = bytes.digits(start, 4),
      let month = bytes.digits(start + 5, 2), let day = bytes.digits(start + 8, 2)
    else { return nil }
    self.init(year: year, month: month, day: day)
  }
}

extension Span<UInt8> {
  /// The number that `count` ASCII digits from `start` on write; nil where there are other bytes or too few.
  package func digits(_ start: Int, _ count: Int) -> Int? {
    guard start >= 0, start + count <= self.count else { return nil }
    var value = 0
    for index in start..<(start + count) {
      let digit = self[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      value = value * 10 + Int(digit)
    }
    return value
  }
}
