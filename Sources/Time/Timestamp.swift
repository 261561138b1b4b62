/// An instant together with the offset of the clock on which it was read (ISO 8601, RFC 3339).
public struct Timestamp: Hashable, Sendable {
  /// The moment.
  public let instant: Instant
  /// Seconds ahead of UTC.
  public let utcOffset: Int

  /// `instant` as a clock `utcOffset` seconds ahead of UTC shows it.
  public init(instant: Instant, utcOffset: Int) {
    self.instant = instant
    self.utcOffset = utcOffset
  }

  /// The moment written as `2024-05-01T09:00:00+02:00`: a date, `T` (or a space), hours, minutes, seconds with up to nine
  /// decimals, and `Z` or an offset; nil for any other text. A moment is kept to the millisecond, rounded
  /// down; second 60 is the first of the next minute.
  public init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    func digits(_ range: Range<Int>) -> Int? {
      var value = 0
      for index in range {
        guard index < bytes.count, (48...57).contains(bytes[index]) else { return nil }
        value = value * 10 + Int(bytes[index] - 48)
      }
      return value
    }
    guard bytes.count >= 20, let day = CalendarDay(String(decoding: bytes[0..<10], as: UTF8.self)),
      bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " "),
      bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      let hour = digits(11..<13), let minute = digits(14..<16), let second = digits(17..<19),
      hour < 24, minute < 60, second <= 60
    else { return nil }
    var position = 19
    var milliseconds = 0
    if bytes[position] == UInt8(ascii: ".") {
      let start = position + 1
      position = start
      while position < bytes.count, (48...57).contains(bytes[position]) { position += 1 }
      guard (1...9).contains(position - start) else { return nil }
      for index in start..<start + 3 {
        milliseconds = milliseconds * 10 + (index < position ? Int(bytes[index] - 48) : 0)
      }
    }
    guard position < bytes.count else { return nil }
    let rest = bytes.count - position
    switch bytes[position] {
    case UInt8(ascii: "Z"):
      guard rest == 1 else { return nil }
      utcOffset = 0
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      let minutesAt =
        rest == 6 && bytes[position + 3] == UInt8(ascii: ":") ? position + 4 : position + 3
      guard rest == 5 || minutesAt == position + 4, let hours = digits(position + 1..<position + 3),
        let minutes = digits(minutesAt..<minutesAt + 2), minutesAt + 2 == bytes.count, hours < 24,
        minutes < 60
      else { return nil }
      let size = hours * 3600 + minutes * 60
      utcOffset = bytes[position] == UInt8(ascii: "-") ? -size : size
    default: return nil
    }
    let seconds = Int64(day.number) * 86_400 + Int64(hour * 3600 + minute * 60 + second - utcOffset)
    instant = Instant(milliseconds: seconds * 1000 + Int64(milliseconds))
  }

  /// The calendar day on the clock of the timestamp, for a day that starts `dayStart` seconds after
  /// midnight.
  public func day(dayStart: Int = 0) -> CalendarDay {
    instant.day(utcOffset: utcOffset, dayStart: dayStart)
  }
}

extension Timestamp: CustomStringConvertible {
  /// The moment as ``init(_:)`` reads it, with three decimals where it is not a whole second.
  public var description: String {
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let local = instant.seconds + Int64(utcOffset)
    let day = instant.day(utcOffset: utcOffset)
    let time = Int(local - Int64(day.number) * 86_400)
    let fraction = Int((instant.milliseconds % 1000 + 1000) % 1000)
    var text = "\(day)T\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60))"
    if fraction > 0 { text += ".\(fraction < 100 ? "0" : "")\(two(fraction))" }
    if utcOffset == 0 { return text + "Z" }
    let size = abs(utcOffset)
    return text + "\(utcOffset < 0 ? "-" : "+")\(two(size / 3600)):\(two(size / 60 % 60))"
  }
}

extension Instant: CustomStringConvertible {
  /// The moment in UTC, such as `2024-05-01T07:00:00Z`.
  public var description: String { Timestamp(instant: self, utcOffset: 0).description }
}
