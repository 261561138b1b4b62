internal import Time

/// One number that a file says of a metric on a day, and what tells it from others.
struct Reading: Hashable, Sendable {
  /// What the number is said of.
  enum Kind: UInt8, Sendable {
    /// The whole day.
    case day
    /// One of several things of that day, whose hour is not written.
    case event
    /// A moment, or a span of time.
    case time
    /// A span of a sleep, whose value is 1 where it counts and 0 where it only joins others to one
    /// night. It stands on the day on which it ends itself, and counts to the day on which its night does.
    case sleep
  }

  var kind: Kind
  /// What the file identifies it by, hashed; 0 where by nothing.
  var identity: UInt64 = 0
  /// Seconds since 1970, by UTC or by the clock on the wall as the format writes it.
  var start: Int64 = 0
  /// Seconds.
  var duration: Int32 = 0
  /// Which device of the source says it, hashed; 0 where the file does not tell devices apart.
  var device: UInt32 = 0
  /// In the metric's unit.
  var value: Double

  var end: Int64 { start + Int64(duration) }

  /// A hash of text that is the same in every process.
  static func hash(_ text: some StringProtocol) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash == 0 ? 1 : hash
  }

  /// A total order that does not depend on the order of the file.
  static func precedes(_ a: Reading, _ b: Reading) -> Bool {
    if a.start != b.start { return a.start < b.start }
    if a.duration != b.duration { return a.duration > b.duration }
    if a.value != b.value { return a.value > b.value }
    if a.identity != b.identity { return a.identity < b.identity }
    return a.device < b.device
  }
}

/// When a reading is of, as its file writes it.
enum When: Sendable {
  /// A day's label, of which it is the total or the rating: neither zone nor day start moves it.
  case day(CalendarDay)
  /// A day's label, of which it is one thing among others, told apart by an identity.
  case event(CalendarDay, identity: String)
  /// A moment.
  case moment(LocalTime)
  /// A moment that carries no offset of its own, in a zone.
  case instant(Instant, Zone)
}
