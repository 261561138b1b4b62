/// A moment, in whole milliseconds since 1970-01-01T00:00:00Z.
///
/// Milliseconds are what edits are ordered by; being an integer it survives files and devices
/// unchanged, as a floating-point date does not.
public struct Instant: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
  public let milliseconds: Int64

  /// The moment this many milliseconds after 1970-01-01T00:00:00Z.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// The moment this many seconds after 1970-01-01T00:00:00Z; where that is out of range, the first or last there is.
  public init(seconds: Int64) {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    milliseconds = overflow ? (seconds > 0 ? .max : .min) : product
  }

  /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
  public var seconds: Int64 {
    milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0)
  }

  /// Whether one moment is before the other.
  public static func < (left: Self, right: Self) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// The moment this many seconds later; where that is out of range, the first or last there is.
  public func advanced(bySeconds seconds: Int64) -> Instant {
    advanced(by: .seconds(seconds))
  }

  /// The moment this much later, to the millisecond; where that is out of range, the last one there is.
  public func advanced(by duration: Duration) -> Instant {
    let (sum, overflow) = milliseconds.addingReportingOverflow(duration.wholeMilliseconds)
    guard overflow else { return Instant(milliseconds: sum) }
    return Instant(milliseconds: milliseconds > 0 ? .max : .min)
  }

  /// The time from this moment to `other`: negative when `other` is earlier.
  public func duration(to other: Instant) -> Duration {
    .milliseconds(other.milliseconds) - .milliseconds(milliseconds)
  }

  /// The calendar day on which this moment falls for a clock `offset` seconds ahead of UTC, when the
  /// person's day starts `dayStart` seconds after midnight (0 for midnight, 14,400 for 04:00).
  ///
  /// At the ends of the calendar it may be outside ``CalendarDay/supported``, and then cannot be read again.
  public func day(utcOffset offset: Int, dayStart: Int = 0) -> CalendarDay {
    let local = seconds + Int64(offset) - Int64(dayStart)
    return CalendarDay(number: Int((local >= 0 ? local : local - 86_399) / 86_400))
  }
}

extension Instant: Codable {
  /// Reads the number of milliseconds.
  public init(from decoder: any Decoder) throws {
    milliseconds = try decoder.singleValueContainer().decode(Int64.self)
  }

  /// Writes the number of milliseconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(milliseconds)
  }
}
