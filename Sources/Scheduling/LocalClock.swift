/// What the clock on the wall shows: how far it is ahead of UTC at a moment.
///
/// The zone's rules come from outside (this module reads no zone files); all that is asked of them is
/// an offset.
public struct LocalClock: Sendable {
  /// Seconds ahead of UTC at a moment.
  public let utcOffset: @Sendable (Moment) -> Int

  /// The clock that is `utcOffset` seconds ahead of UTC at each moment.
  public init(utcOffset: @escaping @Sendable (Moment) -> Int) { self.utcOffset = utcOffset }

  /// The clock that shows UTC.
  public static let utc = LocalClock { _ in 0 }

  /// The calendar day that the clock shows at a moment, as a number of days since 1970-01-01.
  public func dayNumber(at moment: Moment) -> Int {
    Int(moment.advanced(by: .seconds(utcOffset(moment))).milliseconds.floored(by: 86_400_000))
  }

  /// The first moment at which the clock shows `secondOfDay` (0 to 86,399), or a later time, on the day
  /// `dayNumber` days after 1970-01-01.
  ///
  /// Where the clock is put forward over that time, the moment it is put forward; where the time comes
  /// twice, the first of the two; where the zone leaves the whole day out, the beginning of the next.
  ///
  /// - Complexity: about 30 calls of ``utcOffset`` near a change of the clock, else 2. It holds for at
  ///   most one change within three days, which is all that zones have had.
  public func moment(secondOfDay: Int, ofDay dayNumber: Int) -> Moment {
    let target = Int64(dayNumber) * 86_400_000 + Int64(secondOfDay) * 1000
    var before = target - 36 * 3_600_000
    var after = target + 36 * 3_600_000
    func offset(_ milliseconds: Int64) -> Int64 {
      Int64(utcOffset(Moment(milliseconds: milliseconds))) * 1000
    }
    let (old, new) = (offset(before), offset(after))
    if old == new { return Moment(milliseconds: target - old) }
    while after - before > 1 {
      let middle = before + (after - before) / 2
      if offset(middle) == old { before = middle } else { after = middle }
    }
    if target - old < after { return Moment(milliseconds: target - old) }
    return Moment(milliseconds: max(after, target - new))
  }
}

extension Int64 {
  /// The quotient rounded towards negative infinity.
  fileprivate func floored(by divisor: Int64) -> Int64 {
    self / divisor - (self % divisor < 0 ? 1 : 0)
  }
}
