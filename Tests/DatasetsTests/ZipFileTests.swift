import FoundationEssentials
import TestSupport
import Testing

@testable import HealthImport
@testable import datasets

@Suite struct `A zip of the generator` {
  /// What an independent library unpacks, which also checks the checksum.
  private func unpacked(_ zip: ZipFile) throws -> [UInt8] {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).zip")
    try Data(zip.bytes).write(to: file)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
    var stream = try ByteStream(
      archive: file.path, name: "zip", byteCount: zip.bytes.count, isZip: true,
      progress: { _, _ in true })
    #expect(try stream.nextMember())
    #expect(stream.name == "zip/a/file")
    let content = try stream.readAll(limit: 1 << 24)
    #expect(try !stream.nextMember())
    return Array(content)
  }

  private func zip(_ content: [UInt8]) -> ZipFile {
    ZipFile(path: "a/file", content: content, time: (2025, 12, 31, 19))
  }

  @Test(arguments: 0..<24 as Range<UInt64>)
  func `unpacks to what went in, whatever repeats in it`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var content: [UInt8] = []
    while content.count < 90_000 {
      let length = Int(random.next() % 300)
      if random.next() % 2 == 0 || content.isEmpty {
        // Of few letters, so that there is much to find, or of all bytes.
        let letters = seed % 2 == 0 ? 3 : 256 as UInt64
        content += (0..<length).map { _ in UInt8(random.next() % letters) }
      } else {
        let start = content.count - 1 - Int(random.next() % UInt64(content.count))
        content += content[start..<min(content.count, start + length)]
      }
    }
    let packed = zip(content)
    #expect(try unpacked(packed) == content)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 257, 258, 259, 260, 261, 262, 70_000])
  func `packs runs of any length`(count: Int) throws {
    let run = [UInt8](repeating: 0xC8, count: count)
    #expect(try unpacked(zip(run)) == run)
  }

  @Test(arguments: [32_767, 32_768, 32_769])
  func `unpacks to what repeats from as far back as the format allows, and beyond`(gap: Int) throws
  {
    var random = SplitMix64(seed: 1)
    let words = Array("a text that is said twice".utf8)
    let between = (0..<gap - words.count).map { _ in UInt8(random.next() % 256) }
    let content = words + between + words
    #expect(try unpacked(zip(content)) == content)
  }
}
