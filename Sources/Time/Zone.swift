/// A time zone: how far its clocks are ahead of UTC at each moment.
///
/// It is made of the bytes of a TZif file (RFC 8536), as every Unix has them; who reads those files
/// is not this module's business.
public struct Zone: Hashable, Sendable {
  /// Such as `Europe/Amsterdam`.
  public let name: String
  /// Seconds since 1970 from which each of ``offsets`` holds.
  private let transitions: [Int64]
  private let offsets: [Int]
  /// What holds before the first transition.
  private let firstOffset: Int
  /// What holds after the last one.
  private let rule: ZoneRule?

  /// Clocks that never change, `utcOffset` seconds ahead of UTC.
  public init(name: String, utcOffset: Int) {
    self.name = name
    (transitions, offsets, firstOffset, rule) = ([], [], utcOffset, nil)
  }

  /// Clocks that show UTC.
  public static let utc = Zone(name: "UTC", utcOffset: 0)

  /// Reads the bytes of a TZif file, version 1 or later.
  ///
  /// - Throws: ``ZoneError``, with the name.
  public init(name: String, tzif bytes: [UInt8]) throws(ZoneError) {
    var reader = TZifReader(bytes, name: name)
    let data = try reader.read()
    self.name = name
    transitions = data.transitions
    offsets = data.offsets
    firstOffset = data.firstOffset
    rule = data.rule
  }

  /// The zone of a POSIX `TZ` text, which is its name too, such as `CET-1CEST,M3.5.0,M10.5.0/3`; nil where it is
  /// none, or leaves to the system when clocks change.
  public init?(posix text: String) {
    guard let rule = ZoneRule(posix: text.utf8) else { return nil }
    name = text
    (transitions, offsets, firstOffset) = ([], [], 0)
    self.rule = rule
  }

  /// Seconds that the clocks are ahead of UTC at this moment.
  ///
  /// - Complexity: O(log of the number of transitions).
  public func utcOffset(at instant: Instant) -> Int {
    let second = instant.seconds
    guard let last = transitions.last, second < last else {
      // The rule holds from the last transition on; without one the last offset stays.
      return rule?.utcOffset(at: second) ?? offsets.last ?? firstOffset
    }
    var (low, high) = (0, transitions.count)
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle] <= second { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? firstOffset : offsets[low - 1]
  }

  /// The one calendar day that the clocks show at this moment, for a person whose day starts `dayStart`
  /// seconds after midnight.
  public func day(of instant: Instant, dayStart: Int = 0) -> CalendarDay {
    instant.day(utcOffset: utcOffset(at: instant), dayStart: dayStart)
  }

  /// The first moment from which the clocks show this day or a later one: where they skip the day's
  /// start, or the day, the moment after the gap.
  public func start(of day: CalendarDay, dayStart: Int = 0) -> Instant {
    let wanted = Int64(day.number) * 86_400 + Int64(dayStart)
    // No clock is a day and two hours from UTC. Within that, the days shown at the first seconds of the
    // pieces between transitions tell where the day begins.
    let (low, high) = (wanted - 93_600, wanted + 93_600)
    var pieces = [low] + changes(after: low, through: high)
    pieces.append(high)
    for (start, end) in zip(pieces, pieces.dropFirst()) {
      let moment = max(start, wanted - Int64(utcOffset(at: Instant(seconds: start))))
      if moment < end { return Instant(seconds: moment) }
    }
    return Instant(seconds: high)
  }

  /// The moments at which the offset changes, or may change, after `low` up to `high`.
  func changes(after low: Int64, through high: Int64) -> [Int64] {
    var found = transitions.filter { $0 > low && $0 <= high }
    if let rule {
      let from = max(low, transitions.last ?? Int64.min)
      found += rule.changes(after: from, through: high)
    }
    return found
  }
}

/// Why a zone cannot be made.
public enum ZoneError: Error, Equatable, Sendable, CustomStringConvertible {
  /// No such zone is known here.
  case unknown(name: String)
  /// The bytes are no TZif file, or a broken one.
  case unreadable(name: String)

  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .unknown(let name):
      "There is no time zone \(name) here: give a name such as Europe/Amsterdam, and install the package tzdata."
    case .unreadable(let name):
      "The file of the time zone \(name) cannot be read: install the package tzdata again."
    }
  }
}
