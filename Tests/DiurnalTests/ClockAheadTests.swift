import Diurnal
import FoundationEssentials
import Testing
import Time

@Suite struct `After an import by a clock that was ahead` {
  @Test func `what a table says by the right clock counts`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ahead-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
    let journal = try Journal(path: folder.appending(path: "log.sqlite").path)
    let day = try #require(CalendarDay("2025-01-01"))
    for (name, value, now) in [
      ("a.csv", 3.0, "2040-01-01T00:00:00Z"), ("b.csv", 8.0, "2026-01-01T00:00:00Z"),
    ] {
      let file = folder.appending(path: name)
      try Data("date,mood\n2025-01-01,\(value)\n".utf8).write(to: file)
      let options = ImportOptions(now: try #require(Timestamp(now)).instant)
      let done = try await journal.importFile(file.path, options: options)
      #expect(done.merged?.changedDays == [day])
      #expect(try await journal.days(from: day, to: day).first?[.mood]?.value == value)
    }
    await journal.store.close()
  }
}
