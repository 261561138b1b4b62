/// A zip whose one member is a health export of blanks, packed as tightly as the format can: each byte of
/// it unpacks to 1,032.
struct ZipBomb {
  let zip: StoredZip

  /// - Parameter byteCount: to how many bytes it unpacks, about.
  init(byteCount: Int) {
    var packed = BitWriter()
    packed.addStored(Array("<HealthData>\n".utf8))
    packed.addBlanks(groups: byteCount / (258 * 4))
    zip = StoredZip(packed: packed.bytes, name: "export.xml", byteCount: byteCount)
  }

  /// Writes DEFLATE (RFC 1951), bits from the low end of each byte on.
  private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var free = 0

    mutating func add(_ value: Int, _ bitCount: Int) {
      for bit in 0..<bitCount {
        if free == 0 {
          bytes.append(0)
          free = 8
        }
        bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << (8 - free)
        free -= 1
      }
    }

    mutating func addStored(_ content: [UInt8]) {
      add(0, 3)
      free = 0
      let length = content.count
      bytes += [UInt8(length), 0, ~UInt8(length), 0xFF] + content
    }

    /// One block with codes of its own: 0 is a repeat of 258 bytes, at distance 1, which is 0 again; 10 is
    /// a blank and 11 the end.
    mutating func addBlanks(groups: Int) {
      add(0b101, 3)
      // 286 codes of lengths and literals, 1 of distances, 18 lengths of the codes that lengths are in.
      add(29, 5)
      add(0, 5)
      add(14, 4)
      // In the order of the standard: 18 is one bit long, 2 and 1 are two, the others are not used.
      for place in 0..<18 { add(place == 2 ? 1 : place == 15 || place == 17 ? 2 : 0, 3) }
      addZeros(32)
      add(0b11, 2)
      addZeros(223)
      add(0b11, 2)
      addZeros(28)
      add(0b01, 2)
      add(0b01, 2)
      // A blank, its code from the high bit on, then four repeats a byte.
      add(0b01, 2)
      let isOdd = free % 2 == 1
      free = 0
      bytes += [UInt8](repeating: 0, count: groups)
      if isOdd { add(0, 1) }
      add(0b11, 2)
    }

    /// So many codes that are not used: code 18 and 11 to 138 in seven bits.
    private mutating func addZeros(_ count: Int) {
      var left = count
      while left > 0 {
        let run = left > 138 ? min(138, left - 11) : left
        add(0, 1)
        add(run - 11, 7)
        left -= run
      }
    }
  }
}
