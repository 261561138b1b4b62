internal import Time

/// What one file says of one metric and source on one day.
///
/// Parts are kept, so that a later file can complete the day: the value is always that of all parts
/// together, whatever way they came.
struct DayPart: Equatable, Sendable {
  var fold: Fold
  /// Whether the person asked for that fold.
  var isFoldAsked = false
  /// Whether its file has several rows of one day somewhere, so that each is one thing among others.
  var isOfEvents: Bool
  /// Whether the day is the last of which the file speaks, so that a total may be one so far.
  var isOpen: Bool
  /// The last day of which an export speaks; 0 where that says nothing of its age.
  var lastDay: Int
  /// When its file says so, in milliseconds since 1970.
  var asOf: Int64
  var readings: [Reading]

  /// Whether it is of an earlier export than another.
  func precedes(_ other: DayPart) -> Bool {
    if isOpen != other.isOpen { return isOpen }
    return lastDay != other.lastDay ? lastDay < other.lastDay : asOf < other.asOf
  }
}

extension DayPart {
  /// The first byte of a part as it is kept: the way in which it is written.
  private static let version: UInt8 = 1

  /// Appends the part as bytes: about four a reading of a dense series.
  func write(to bytes: inout [UInt8]) {
    bytes.append(Self.version)
    bytes.append((isFoldAsked ? 128 : 0) | fold.code << 2 | (isOfEvents ? 2 : 0) | (isOpen ? 1 : 0))
    Self.write(Int64(lastDay), to: &bytes)
    Self.write(asOf, to: &bytes)
    Self.write(Int64(readings.count), to: &bytes)
    var clock: Int64 = 0
    for reading in readings {
      let whole = Int64(exactly: reading.value).flatMap { abs($0) < 1 << 53 ? $0 : nil }
      let isWhole = whole != nil && !(reading.value == 0 && reading.value.sign == .minus)
      var flags = reading.kind.rawValue
      if reading.identity != 0 { flags |= 4 }
      if reading.kind != .day { flags |= 8 }
      if reading.duration != 0 { flags |= 16 }
      if reading.device != 0 { flags |= 32 }
      if isWhole { flags |= 64 }
      bytes.append(flags)
      if reading.identity != 0 { Self.write(word: reading.identity, to: &bytes) }
      if reading.kind != .day {
        Self.write(reading.start &- clock, to: &bytes)
        clock = reading.start
      }
      if reading.duration != 0 { Self.write(Int64(reading.duration), to: &bytes) }
      if reading.device != 0 { Self.write(Int64(reading.device), to: &bytes) }
      if isWhole, let whole {
        Self.write(whole, to: &bytes)
      } else {
        Self.write(word: reading.value.bitPattern, to: &bytes)
      }
    }
  }

  /// The parts that stand one after the other; nil where the bytes are none.
  static func read(_ bytes: [UInt8]) -> [DayPart]? {
    var parts: [DayPart] = []
    var at = 0
    while at < bytes.count {
      guard at + 2 <= bytes.count, bytes[at] == version,
        let fold = Fold(code: bytes[at + 1] >> 2 & 31)
      else { return nil }
      let flags = bytes[at + 1]
      at += 2
      guard let lastDay = number(bytes, &at), let asOf = number(bytes, &at),
        let count = number(bytes, &at), count >= 0, count <= bytes.count
      else { return nil }
      var readings: [Reading] = []
      readings.reserveCapacity(Int(count))
      var clock: Int64 = 0
      for _ in 0..<count {
        guard let reading = reading(bytes, &at, &clock) else { return nil }
        readings.append(reading)
      }
      parts.append(
        DayPart(
          fold: fold, isFoldAsked: flags & 128 != 0, isOfEvents: flags & 2 != 0,
          isOpen: flags & 1 != 0, lastDay: Int(lastDay),
          asOf: asOf, readings: readings))
    }
    return parts
  }

  private static func reading(
    _ bytes: [UInt8], _ at: inout Int, _ clock: inout Int64
  ) -> Reading? {
    guard at < bytes.count, let kind = Reading.Kind(rawValue: bytes[at] & 3) else { return nil }
    let flags = bytes[at]
    at += 1
    var reading = Reading(kind: kind, value: 0)
    if flags & 4 != 0 {
      guard let word = word(bytes, &at) else { return nil }
      reading.identity = word
    }
    if flags & 8 != 0 {
      guard let step = number(bytes, &at) else { return nil }
      clock &+= step
      reading.start = clock
    }
    if flags & 16 != 0 {
      guard let length = number(bytes, &at) else { return nil }
      reading.duration = Int32(clamping: length)
    }
    if flags & 32 != 0 {
      guard let device = number(bytes, &at) else { return nil }
      reading.device = UInt32(clamping: device)
    }
    if flags & 64 != 0 {
      guard let whole = number(bytes, &at) else { return nil }
      reading.value = Double(whole)
    } else {
      guard let bits = word(bytes, &at) else { return nil }
      reading.value = Double(bitPattern: bits)
    }
    return reading.value.isFinite ? reading : nil
  }

  /// Seven bits a byte, the sign in the lowest.
  private static func write(_ number: Int64, to bytes: inout [UInt8]) {
    var rest = UInt64(bitPattern: number << 1 ^ number >> 63)
    while rest >= 128 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private static func number(_ bytes: [UInt8], _ at: inout Int) -> Int64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while at < bytes.count, shift < 64 {
      let byte = bytes[at]
      at += 1
      value |= UInt64(byte & 127) << shift
      if byte < 128 { return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1) }
      shift += 7
    }
    return nil
  }

  private static func write(word: UInt64, to bytes: inout [UInt8]) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: word >> shift))
    }
  }

  private static func word(_ bytes: [UInt8], _ at: inout Int) -> UInt64? {
    guard at + 8 <= bytes.count else { return nil }
    defer { at += 8 }
    return (0..<8).reduce(0) { $0 | UInt64(bytes[at + $1]) << (8 * UInt64($1)) }
  }
}
