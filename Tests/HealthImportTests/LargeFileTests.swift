import Foundation
import Testing
import Time

@testable import HealthImport

@Suite struct `A file that is larger than memory should hold` {
  @Test func `is refused with its limit and what to do`() throws {
    var stream = try ByteStream(
      memory: ContiguousArray(repeating: 32, count: 4 << 20 + 1), name: "days.json",
      progress: { _, _ in true })
    let wrong = #expect(throws: ImportError.self) { try stream.readAll(limit: 4 << 20) }
    #expect(wrong?.reason == .fileTooLarge(limit: 4 << 20))
    #expect(
      wrong?.description
        == "days.json: is larger than 4 MB, the most that is read at once in its format; "
        + "export a shorter stretch of time, or divide it")
  }

  private static let isLong = ProcessInfo.processInfo.environment["DIURNAL_LONG_TESTS"] == "1"

  @Test(.enabled(if: isLong, "DIURNAL_LONG_TESTS=1 asks for it"))
  func `is one that is short but has more objects than anyone's, unless they come one by one`()
    throws
  {
    let lists = String(repeating: "{},", count: 1 << 21) + "{}"
    let wrong = fault { try importText("[{\"dateOfSleep\":1,\"x\":[\(lists)]}]") }
    #expect(wrong?.reason == .tooLarge("the number of objects and lists", limit: 1 << 21))
    let set =
      #"{"dataSourceId":"derived:x:merge_weight","maxEndTimeNs":"0","point":[\#(lists)]}"#
    let batch = try importText(set) { $0.localZone = Zone.utc }
    #expect(batch.summary.rejected == 1 << 21 + 1)
  }

  @Test(
    .enabled(if: isLong, "DIURNAL_LONG_TESTS=1 asks for it"),
    arguments: ["{\"dateOfSleep\":", "date,mood\n"])
  func `is one of 64 MB, in JSON and as a table`(beginning: String) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    let blanks = Data(repeating: 32, count: 1 << 26)
    try (Data(beginning.utf8) + blanks).write(to: file)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
    #expect(fault { try importFile(file.path) }?.reason == .fileTooLarge(limit: 1 << 26))
  }
}
