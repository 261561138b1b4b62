/// Packs bytes as RFC 1951 has it: one block with the fixed codes.
///
/// The packers of machines differ from version to version; this one gives the same bytes everywhere.
struct Deflate {
  private(set) var bytes: [UInt8] = []
  private var bits: UInt64 = 0
  private var bitCount = 0

  /// How far back a repeat may lie, how long it may be, and how many places are tried for it.
  private static let window = 32_768
  private static let longest = 258
  private static let tries = 24
  private static let shortest = 4

  init(_ content: [UInt8]) {
    append(1, 1)
    append(1, 2)
    pack(content)
    appendSymbol(256)
    append(0, (8 - bitCount % 8) % 8)
  }

  private mutating func pack(_ content: [UInt8]) {
    // The last place of each hash of four bytes, and for each place the one before it with the same hash.
    var last = [Int32](repeating: -1, count: 1 << 16)
    var before = [Int32](repeating: -1, count: content.count)
    var at = 0
    while at < content.count {
      let (length, distance) = Self.repeated(content, at, last, before)
      if length >= Self.shortest {
        appendMatch(length: length, distance: distance)
      } else {
        appendSymbol(Int(content[at]))
      }
      for place in at..<at + max(1, length) where place + Self.shortest <= content.count {
        let hash = Self.hash(content, place)
        before[place] = last[hash]
        last[hash] = Int32(place)
      }
      at += max(1, length)
    }
  }

  /// The longest repeat of what stands at a place, the nearest of equally long ones; 0 if there is none.
  private static func repeated(
    _ content: [UInt8], _ at: Int, _ last: [Int32], _ before: [Int32]
  ) -> (length: Int, distance: Int) {
    let limit = min(longest, content.count - at)
    guard limit >= shortest else { return (0, 0) }
    var best = (length: 0, distance: 0)
    var place = Int(last[hash(content, at)])
    var left = tries
    while place >= 0, at - place <= window, left > 0 {
      if best.length == 0 || content[place + best.length] == content[at + best.length] {
        var length = 0
        while length < limit, content[place + length] == content[at + length] { length += 1 }
        if length > best.length { best = (length, at - place) }
        if length == limit { break }
      }
      place = Int(before[place])
      left -= 1
    }
    return best.length < shortest ? (0, 0) : best
  }

  private static func hash(_ content: [UInt8], _ at: Int) -> Int {
    let word =
      UInt32(content[at]) | UInt32(content[at + 1]) << 8 | UInt32(content[at + 2]) << 16
      | UInt32(content[at + 3]) << 24
    return Int((word &* 2_654_435_761) >> 16)
  }

  /// A literal, the end of the block, or a length's symbol in the fixed code.
  private mutating func appendSymbol(_ symbol: Int) {
    switch symbol {
    case ...143: appendCode(0x30 + symbol, 8)
    case ...255: appendCode(0x190 + symbol - 144, 9)
    case ...279: appendCode(symbol - 256, 7)
    default: appendCode(0xC0 + symbol - 280, 8)
    }
  }

  private mutating func appendMatch(length: Int, distance: Int) {
    if length == Self.longest {
      appendSymbol(285)
    } else {
      let (symbol, extra, count) = Self.range(length - 3, firstExtra: 8)
      appendSymbol(257 + symbol)
      append(extra, count)
    }
    let (symbol, extra, count) = Self.range(distance - 1, firstExtra: 4)
    appendCode(symbol, 5)
    append(extra, count)
  }

  /// The symbol of a number, and its extra bits: the first `firstExtra` numbers stand for themselves, after
  /// that each doubling of the number has `firstExtra / 2` symbols.
  private static func range(
    _ number: Int, firstExtra: Int
  ) -> (symbol: Int, extra: Int, count: Int) {
    let steps = firstExtra / 2
    guard number >= firstExtra else { return (number, 0, 0) }
    let count = (Int.bitWidth - 1 - (number / steps).leadingZeroBitCount)
    return (count * steps + number >> count, number & (1 << count - 1), count)
  }

  /// A code, whose first bit is its highest.
  private mutating func appendCode(_ code: Int, _ count: Int) {
    var reversed = 0
    for bit in 0..<count where code >> bit & 1 == 1 { reversed |= 1 << (count - 1 - bit) }
    append(reversed, count)
  }

  /// A number, whose first bit is its lowest.
  private mutating func append(_ value: Int, _ count: Int) {
    bits |= UInt64(value) << bitCount
    bitCount += count
    while bitCount >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      bitCount -= 8
    }
  }
}
