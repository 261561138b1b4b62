/// A zip of one file, deflated.
struct ZipFile {
  let bytes: [UInt8]

  /// - Parameter time: the file's local time, as zips have it.
  init(path: String, content: [UInt8], time: (year: Int, month: Int, day: Int, hour: Int)) {
    let packed = Deflate(content).bytes
    let date = (time.year - 1980) << 9 | time.month << 5 | time.day
    // The path is UTF-8; deflated; time, date, checksum, sizes, length of the path, no extra field.
    let fields =
      Self.little(1 << 11, 2) + Self.little(8, 2) + Self.little(time.hour << 11, 2)
      + Self.little(date, 2) + Self.little(Self.checksum(content), 4)
      + Self.little(packed.count, 4) + Self.little(content.count, 4)
      + Self.little(path.utf8.count, 2) + [0, 0]
    let file = Array("PK\u{3}\u{4}".utf8) + [20, 0] + fields + Array(path.utf8) + packed
    let directory =
      Array("PK\u{1}\u{2}".utf8) + [20, 0, 20, 0] + fields + [UInt8](repeating: 0, count: 14)
      + Array(path.utf8)
    let end =
      Array("PK\u{5}\u{6}".utf8) + [0, 0, 0, 0, 1, 0, 1, 0] + Self.little(directory.count, 4)
      + Self.little(file.count, 4) + [0, 0]
    bytes = file + directory + end
  }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// CRC-32 as zip has it.
  private static func checksum(_ bytes: [UInt8]) -> Int {
    var table: [UInt32] = []
    for byte in 0..<256 as Range<UInt32> {
      var value = byte
      for _ in 0..<8 { value = value & 1 == 1 ? (value >> 1) ^ 0xEDB8_8320 : value >> 1 }
      table.append(value)
    }
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in bytes { sum = (sum >> 8) ^ table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] }
    return Int(~sum)
  }
}
