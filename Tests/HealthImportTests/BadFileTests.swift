import DayLog
import FoundationEssentials
import HealthImport
import TestSupport
import Testing

@Suite struct `A file that is not what it says` {
  private let steps = record(
    "HKQuantityTypeIdentifierStepCount", "12", "2024-05-01 10:00:00", "2024-05-01 10:05:00")

  /// A seed of the fuzzer, written by `Tests/Fuzz/make-seeds.py`.
  private func seed(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fuzz/Corpus/\(name)").path
  }

  @Test func `IMP_5: as a small zip with zip64 fields is read`() throws {
    let batch = try importFile(seed("zip/zip64.zip"))
    #expect(batch.value("steps", "2024-05-01") == 8000)
    #expect(batch.isComplete)
  }

  @Test func `as a deflated zip is found by content whatever its folders are called`() throws {
    #expect(try importFile(seed("zip/deflated.zip")).format == "apple-health")
    #expect(try importFile(seed("zip/tables.zip")).value("steps", "2024-05-01") == 8000)
  }

  @Test func `as an encrypted zip is refused by that name`() {
    guard
      case .unsupported("encrypted", _)? = fault({ try importFile(seed("zip/encrypted.zip")) })?
        .reason
    else { return #expect(Bool(false), "it is not refused as encrypted") }
  }

  @Test func `as a zip that is cut off is refused as damaged`() {
    #expect(
      fault { try importFile(seed("zip/cut.zip")) }?.reason
        == .damagedArchive("it ends without a directory"))
  }

  @Test func `as a zip within a zip is refused with what to do`() {
    let wrong = fault { try importFile(seed("zip/nested.zip")) }
    #expect(wrong?.reason == .nothingInArchive(members: 1))
    #expect(wrong?.description.contains("unpack it") == true)
  }

  @Test func `as a zip bomb is refused before it is unpacked`() throws {
    // 170 KB that unpack to 170 MB of blanks within one element.
    let bomb = ZipBomb(byteCount: 170_000_000)
    #expect(bomb.zip.bytes.count < 170_000)
    let wrong = fault { try bomb.zip.withFile { try importFile($0) } }
    #expect(wrong?.reason == .damagedArchive("it unpacks to more than 250 times its size"))
    // One of a size that no one minds is unpacked, and refused for what is in it.
    let small = fault { try ZipBomb(byteCount: 200_000).zip.withFile { try importFile($0) } }
    #expect(small != nil && small?.reason != wrong?.reason)
  }

  @Test(.enabled(if: `A file that is not what it says`.isLong, "DIURNAL_LONG_TESTS=1 asks for it"))
  func `as a zip of more files than anyone has is refused`() throws {
    let zip = StoredZip((0...200_000).map { (name: "\($0)", text: "") })
    #expect(
      fault { try zip.withFile { try importFile($0) } }?.reason
        == .damagedArchive("it holds more than 200000 files"))
  }

  @Test func `in a zip has no name that would steer a terminal`() throws {
    let zip = StoredZip([
      (name: "a\u{1B}[2J\n.txt", text: "x"), (name: "export.xml", text: export(steps)),
    ])
    let batch = try zip.withFile { try importFile($0) }
    #expect(batch.summary.skipped.map(\.name) == ["a?[2J?.txt"])
  }

  @Test func `of nothing, or of bytes that are no text, is refused`() {
    #expect(fault { try importText("") }?.reason == .empty)
    let unknown = ImportError.Reason.unknownFormat(known: Importer.formats)
    #expect(fault { try importText("   \n") }?.reason == unknown)
    #expect(fault { try importText("no table\nand no export") }?.reason == unknown)
    var random = SplitMix64(seed: 1)
    var noise = ContiguousArray<UInt8>([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0])
    for _ in 0..<100_000 { noise.append(UInt8.random(in: 0...255, using: &random)) }
    #expect(fault { try importBytes(noise) }?.reason == unknown)
  }

  @Test(arguments: [true, false])
  func `as an export in UTF-16 is refused at its first line`(isLittle: Bool) {
    var bytes: ContiguousArray<UInt8> = isLittle ? [0xFF, 0xFE] : [0xFE, 0xFF]
    for unit in export(steps).utf16 {
      let pair = [UInt8(truncatingIfNeeded: unit), UInt8(truncatingIfNeeded: unit >> 8)]
      bytes += isLittle ? pair : pair.reversed()
    }
    let wrong = fault { try importBytes(bytes) }
    #expect(wrong?.reason == .notUTF8)
    #expect(wrong?.place == .line(1))
  }

  @Test func `with an attribute of any length is refused at its line, without being held`() {
    let line = "<HealthData>\n<Record type=\"" + String(repeating: "x", count: 2_500_000)
    let wrong = fault { try importText(line + "\"/></HealthData>") }
    #expect(wrong?.reason == .tooLarge("a tag", limit: 1 << 20))
    #expect(wrong?.place == .line(2))
  }

  @Test(arguments: [
    ("value", "1e999", "value is no number"), ("value", "twelve", "value is no number"),
    ("value", "-1", "value out of range"), ("value", "1000001", "value out of range"),
    ("value", "NaN", "value is no number"), ("value", "", "no value"),
    ("start", "2024-13-01 10:00:00 +0200", "no readable date"),
    ("start", "2024-02-30 10:00:00 +0200", "no readable date"),
    ("start", "0000-01-01 10:00:00 +0200", "no readable date"),
    ("start", "2024-05-01 24:00:00 +0200", "no readable date"),
    ("start", "2024-05-01 10:00:00 +9900", "no readable date"),
    ("start", "2024-05-01", "no readable date"),
    ("start", "1900-05-01 10:00:00 +0200", "span too long"),
  ])
  func `has a record that cannot be, which is counted, named and costs no other`(
    attribute: String, text: String, reason: String
  ) throws {
    let value = attribute == "value" ? text : "5"
    let start = attribute == "start" ? text : "2024-05-01 10:00:00 +0200"
    let wrong =
      "<Record type=\"HKQuantityTypeIdentifierStepCount\" unit=\"count\" startDate=\"\(start)\" endDate=\"2024-05-01 10:05:00 +0200\" value=\"\(value)\"/>\n"
    let batch = try importText(export(steps + wrong))
    #expect(batch.summary.rejections.map(\.reason) == [reason])
    #expect(batch.summary.rejections.first?.first == [.record(2)])
    #expect(batch.values("steps") == ["2024-05-01": 12])
  }

  @Test func `sleeps no week, and no record of decades makes a day each`() throws {
    let sleep = record(
      "HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysisAsleep",
      "2000-05-01 10:00:00", "2024-05-01 10:05:00")
    let batch = try importText(export(sleep + steps))
    #expect(batch.summary.rejections.map(\.reason) == ["span too long"])
    #expect(batch.entries.count == 1)
  }

  fileprivate static var isLong: Bool {
    ProcessInfo.processInfo.environment["DIURNAL_LONG_TESTS"] == "1"
  }
}
