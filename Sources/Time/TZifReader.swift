/// Reads the content of a TZif file (RFC 8536).
struct TZifReader {
  struct Content {
    var transitions: [Int64] = []
    var offsets: [Int] = []
    var firstOffset = 0
    var rule: ZoneRule?
  }

  private struct Header {
    let version: UInt8
    let utcFlagCount: Int
    let standardFlagCount: Int
    let leapCount: Int
    let transitionCount: Int
    let typeCount: Int
    let letterCount: Int

    func size(timeSize: Int) -> Int {
      transitionCount * (timeSize + 1) + typeCount * 6 + letterCount + leapCount * (timeSize + 4)
        + standardFlagCount + utcFlagCount
    }
  }

  private let bytes: [UInt8]
  private let name: String
  private var position = 0

  init(_ bytes: [UInt8], name: String) {
    self.bytes = bytes
    self.name = name
  }

  mutating func read() throws(ZoneError) -> Content {
    let first = try header()
    // The block of version 1 has 32-bit times and is there for old readers.
    if first.version == 0 { return try block(first, timeSize: 4) }
    try skip(first.size(timeSize: 4))
    var content = try block(try header(), timeSize: 8)
    content.rule = try footer()
    return content
  }

  private func broken() -> ZoneError { .unreadable(name: name) }

  private mutating func skip(_ count: Int) throws(ZoneError) {
    guard count <= bytes.count - position else { throw broken() }
    position += count
  }

  /// A big-endian signed number of `size` bytes.
  private mutating func number(_ size: Int) throws(ZoneError) -> Int64 {
    let start = position
    try skip(size)
    var value = bytes[start] >= 128 ? Int64(-1) : 0
    for byte in bytes[start..<position] { value = value << 8 | Int64(byte) }
    return value
  }

  private mutating func header() throws(ZoneError) -> Header {
    guard bytes[position...].starts(with: Array("TZif".utf8)) else { throw broken() }
    try skip(4)
    let version = UInt8(truncatingIfNeeded: try number(1))
    try skip(15)
    var counts: [Int] = []
    for _ in 0..<6 {
      let count = Int(try number(4))
      guard (0...bytes.count).contains(count) else { throw broken() }
      counts.append(count)
    }
    guard counts[4] > 0 else { throw broken() }
    return Header(
      version: version, utcFlagCount: counts[0], standardFlagCount: counts[1],
      leapCount: counts[2], transitionCount: counts[3], typeCount: counts[4],
      letterCount: counts[5])
  }

  private mutating func block(_ header: Header, timeSize: Int) throws(ZoneError) -> Content {
    // Zones that count leap seconds ("right/...") put every time beside that of everybody else.
    guard header.leapCount == 0 else { throw broken() }
    var content = Content()
    for _ in 0..<header.transitionCount { content.transitions.append(try number(timeSize)) }
    guard zip(content.transitions, content.transitions.dropFirst()).allSatisfy(<) else {
      throw broken()
    }
    var kinds: [Int] = []
    for _ in 0..<header.transitionCount { kinds.append(Int(try number(1)) & 0xFF) }
    var offsets: [Int] = []
    for _ in 0..<header.typeCount {
      offsets.append(Int(try number(4)))
      try skip(2)
    }
    guard kinds.allSatisfy(offsets.indices.contains), offsets.allSatisfy({ abs($0) <= 93_600 })
    else { throw broken() }
    content.offsets = kinds.map { offsets[$0] }
    content.firstOffset = offsets[0]
    try skip(header.letterCount + header.standardFlagCount + header.utcFlagCount)
    return content
  }

  private mutating func footer() throws(ZoneError) -> ZoneRule? {
    guard position < bytes.count, bytes[position] == 10,
      let end = bytes[(position + 1)...].firstIndex(of: 10)
    else { throw broken() }
    let text = bytes[(position + 1)..<end]
    if text.isEmpty { return nil }
    guard let rule = ZoneRule(posix: text) else { throw broken() }
    return rule
  }
}
