/// A file's content in 128 bits and its length: by it a file is known again, never by its name.
///
/// A hash for recognising, not for secrets: whoever wants two files with one hash can make them.
package struct ContentHash: Hashable, Sendable {
  /// The length of the content in bytes.
  package let byteCount: Int
  /// The first 64 bits of the hash.
  package let high: UInt64
  /// The last 64 bits of the hash.
  package let low: UInt64

  /// A hash from what ``description`` was made of.
  package init(byteCount: Int, high: UInt64, low: UInt64) {
    self.byteCount = byteCount
    self.high = high
    self.low = low
  }
}

extension ContentHash {
  /// The hash of bytes in memory.
  package init(of bytes: ContiguousArray<UInt8>) {
    var hasher = ContentHasher()
    hasher.add(bytes.span)
    self = hasher.finish()
  }
}

extension ContentHash: CustomStringConvertible {
  /// 32 hexadecimal digits, `-`, and the length in bytes.
  package var description: String {
    func padded(_ word: UInt64) -> String {
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    return "\(padded(high))\(padded(low))-\(byteCount)"
  }

  /// The hash with this ``description``; nil for any other text.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 32,
      let high = UInt64(parts[0].prefix(16), radix: 16),
      let low = UInt64(parts[0].suffix(16), radix: 16),
      let byteCount = Int(parts[1]), byteCount >= 0
    else { return nil }
    self.init(byteCount: byteCount, high: high, low: low)
    guard description == text else { return nil }
  }
}

/// Hashes bytes as they come, in any division.
///
/// MurmurHash3_x64_128 with seed 0, Austin Appleby, 2011: 16 bytes a step and two multiplications
/// a word, some 4 GB/s, against 1.4 GB/s of SHA-256 on processors with instructions for it.
struct ContentHasher {
  private var first: UInt64 = 0
  private var second: UInt64 = 0
  private var byteCount = 0
  /// The bytes since the last whole block: fewer than 16.
  private var rest = ContiguousArray<UInt8>()

  private static let factor1: UInt64 = 0x87C3_7B91_1142_53D5
  private static let factor2: UInt64 = 0x4CF5_AD43_2745_937F

  init() { rest.reserveCapacity(16) }

  mutating func add(_ bytes: Span<UInt8>) {
    byteCount += bytes.count
    var at = 0
    if !rest.isEmpty {
      while rest.count < 16, at < bytes.count {
        rest.append(bytes[at])
        at += 1
      }
      guard rest.count == 16 else { return }
      let block = rest
      mix(block.span.word(at: 0), block.span.word(at: 8))
      rest.removeAll(keepingCapacity: true)
    }
    while at + 16 <= bytes.count {
      mix(bytes.word(at: at), bytes.word(at: at + 8))
      at += 16
    }
    while at < bytes.count {
      rest.append(bytes[at])
      at += 1
    }
  }

  /// The hash of all that was added.
  func finish() -> ContentHash {
    var tail: (UInt64, UInt64) = (0, 0)
    for (index, byte) in rest.enumerated() {
      if index < 8 {
        tail.0 |= UInt64(byte) << (8 * UInt64(index))
      } else {
        tail.1 |= UInt64(byte) << (8 * UInt64(index - 8))
      }
    }
    var h1 = first ^ Self.scramble1(tail.0)
    var h2 = second ^ Self.scramble2(tail.1)
    h1 ^= UInt64(byteCount)
    h2 ^= UInt64(byteCount)
    h1 &+= h2
    h2 &+= h1
    h1 = Self.avalanche(h1)
    h2 = Self.avalanche(h2)
    h1 &+= h2
    h2 &+= h1
    return ContentHash(byteCount: byteCount, high: h1, low: h2)
  }

  private mutating func mix(_ k1: UInt64, _ k2: UInt64) {
    first ^= Self.scramble1(k1)
    first = (first << 27 | first >> 37) &+ second
    first = first &* 5 &+ 0x52DC_E729
    second ^= Self.scramble2(k2)
    second = (second << 31 | second >> 33) &+ first
    second = second &* 5 &+ 0x3849_5AB5
  }

  private static func scramble1(_ word: UInt64) -> UInt64 {
    let k = word &* factor1
    return (k << 31 | k >> 33) &* factor2
  }

  private static func scramble2(_ word: UInt64) -> UInt64 {
    let k = word &* factor2
    return (k << 33 | k >> 31) &* factor1
  }

  private static func avalanche(_ word: UInt64) -> UInt64 {
    var k = word
    k ^= k >> 33
    k &*= 0xFF51_AFD7_ED55_8CCD
    k ^= k >> 33
    k &*= 0xC4CE_B9FE_1A85_EC53
    k ^= k >> 33
    return k
  }
}
