/// A moment of the wall clock, in whole milliseconds since 1970-01-01T00:00:00Z.
///
/// Begin dates and last runs are kept in it, so that they survive a restart; how long a run has been
/// going is never measured with it, because a wall clock is set, forwards and backwards.
public struct Moment: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
  public let milliseconds: Int64

  /// The moment this many milliseconds after 1970-01-01T00:00:00Z.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// The moment this much later, to the millisecond; where that is out of range, the last one there is.
  public func advanced(by duration: Duration) -> Moment {
    let (sum, overflow) = milliseconds.addingReportingOverflow(duration.wholeMilliseconds)
    guard overflow else { return Moment(milliseconds: sum) }
    return Moment(milliseconds: milliseconds > 0 ? .max : .min)
  }

  /// The time from this moment to `other`: negative when `other` is earlier.
  public func duration(to other: Moment) -> Duration {
    .milliseconds(other.milliseconds) - .milliseconds(milliseconds)
  }

  public static func < (left: Self, right: Self) -> Bool {
    left.milliseconds < right.milliseconds
  }
}

extension Moment: Codable {
  public init(from decoder: any Decoder) throws {
    milliseconds = try decoder.singleValueContainer().decode(Int64.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(milliseconds)
  }
}

extension Duration {
  /// A span of whole minutes.
  public static func minutes(_ count: Int) -> Duration { .seconds(count * 60) }

  /// A span of whole hours, of 3,600 seconds each.
  public static func hours(_ count: Int) -> Duration { .seconds(count * 3600) }

  /// A span of whole days of 24 hours each: no calendar is asked.
  public static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }

  /// The span in milliseconds, rounded towards zero; the largest or smallest number there is where it
  /// does not fit.
  var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    guard !overflow else { return seconds > 0 ? .max : .min }
    let (sum, carried) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
    return carried ? (seconds > 0 ? .max : .min) : sum
  }
}
