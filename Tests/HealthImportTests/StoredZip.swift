import FoundationEssentials
import Testing

/// A zip of texts, not compressed: local headers, central directory, end record.
struct StoredZip {
  let bytes: [UInt8]

  init(_ members: [(name: String, text: String)]) {
    var files: [UInt8] = []
    var directory: [UInt8] = []
    for (name, text) in members {
      let content = Array(text.utf8)
      let size = Self.little(content.count, 4)
      // Flags, method, time, date, checksum, sizes, length of the name, no extra field.
      let fields =
        [0, 0, 0, 0, 0, 0, 0x21, 0x58] + Self.little(Self.checksum(content), 4) + size + size
        + Self.little(name.utf8.count, 2) + [0, 0]
      directory += [0x50, 0x4B, 1, 2, 20, 0, 20, 0] + fields
      directory += [UInt8](repeating: 0, count: 10) + Self.little(files.count, 4) + Array(name.utf8)
      files += [0x50, 0x4B, 3, 4, 20, 0] + fields + Array(name.utf8) + content
    }
    let count = Self.little(members.count, 2)
    bytes =
      files + directory + [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + count + count
      + Self.little(directory.count, 4) + Self.little(files.count, 4) + [0, 0]
  }

  /// Writes it, gives its path to `body` and removes it.
  func withFile<Result>(_ body: (String) throws -> Result) throws -> Result {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).zip")
    try Data(bytes).write(to: file)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
    return try body(file.path)
  }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// CRC-32 as zip has it, bit by bit.
  private static func checksum(_ bytes: [UInt8]) -> Int {
    var value: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
    return Int(~value)
  }
}
