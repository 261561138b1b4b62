import FoundationEssentials
import Testing

/// A zip of texts, not compressed: local headers, central directory, end record.
struct StoredZip {
  let bytes: [UInt8]

  init(_ members: [(name: String, text: String)]) {
    self.init(
      members.map {
        let content = Array($0.text.utf8)
        return Member(
          name: $0.name, content: content, method: 0, byteCount: content.count,
          checksum: Self.checksum(content))
      })
  }

  /// One member that was deflated, with a wrong checksum.
  init(packed: [UInt8], name: String, byteCount: Int) {
    self.init([
      Member(name: name, content: packed, method: 8, byteCount: byteCount, checksum: 0)
    ])
  }

  private struct Member {
    let name: String
    let content: [UInt8]
    let method: UInt8
    let byteCount: Int
    let checksum: Int
  }

  private init(_ members: [Member]) {
    var files: [UInt8] = []
    var directory: [UInt8] = []
    for member in members {
      let (name, content) = (member.name, member.content)
      // Flags, method, time, date, checksum, sizes, length of the name, no extra field.
      let fields =
        [0, 0, member.method, 0, 0, 0, 0x21, 0x58] + Self.little(member.checksum, 4)
        + Self.little(content.count, 4) + Self.little(member.byteCount, 4)
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
