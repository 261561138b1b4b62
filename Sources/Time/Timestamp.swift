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
    let bytes = ContiguousArray(text.utf8)
    guard let written = WrittenTime(bytes.span), let clock = written.clock,
      let second = clock.second, let offset = written.offset,
      // Nine decimals at most, as RFC 3339 has them in practice: more are no clock's.
      bytes.count <= 35
    else { return nil }
    utcOffset = offset
    let local = Int64(clock.hour * 3600 + clock.minute * 60 + second)
    instant = Instant(
      milliseconds: (Int64(written.day.number) * 86_400 + local - Int64(offset)) * 1000
        + Int64(written.milliseconds))
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
