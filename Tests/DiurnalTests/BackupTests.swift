import Diurnal
import FoundationEssentials
import TestSupport
import Testing
import Time

@Suite struct `A backup` {
  private let folder: URL
  private let now = Instant(seconds: 1_700_000_000)

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "backup-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func remove() {
    #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) }
  }

  private func path(_ name: String) -> String { folder.appending(path: name).path }

  private func files(beginning: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasPrefix(beginning) }
  }

  private func type(_ value: Double, on day: Int, in journal: Journal) async throws {
    _ = try await journal.log([(.mood, value)], on: CalendarDay(number: day), now: now)
  }

  @Test func `is a copy of an open log, for its owner alone, which the next backup replaces`()
    async throws
  {
    defer { remove() }
    let journal = try Journal(path: path("log.sqlite"))
    try await type(3, on: 20_000, in: journal)
    for count in 1...2 {
      // As well by one who may only read the log.
      let reader = try Journal(path: path("log.sqlite"), access: .read)
      try await (count == 1 ? journal : reader).backUp(to: path("copy.sqlite"))
      await reader.store.close()
      let copy = try Journal(path: path("copy.sqlite"), access: .read)
      #expect(
        try await copy.days(from: .distantPast, to: .distantFuture)
          == (try await journal.days(from: .distantPast, to: .distantFuture)))
      #expect(try await copy.store.integrityProblems() == [])
      await copy.store.close()
      let attributes = try FileManager.default.attributesOfItem(atPath: path("copy.sqlite"))
      let mode = attributes[.posixPermissions]
      #expect((mode as? Int ?? Int(mode as? Int16 ?? 0)) == 0o600)
      #expect(try files(beginning: "copy") == ["copy.sqlite"])
      try await type(4, on: 20_000 + count, in: journal)
    }
  }

  @Test func `takes the place of nothing else`() async throws {
    defer { remove() }
    let journal = try Journal(path: path("log.sqlite"))
    try await type(3, on: 20_000, in: journal)
    try Data("Dear reader".utf8).write(to: folder.appending(path: "letter.txt"))
    try await journal.backUp(to: path("copy.sqlite"))
    // Written to, a backup is a log.
    let writer = try Journal(path: path("copy.sqlite"))
    try await type(5, on: 20_001, in: writer)
    for name in ["letter.txt", "log.sqlite", "copy.sqlite", "", "no/copy.sqlite"] {
      await #expect(throws: StorageError.cannotWriteBackup(path: path(name))) {
        try await journal.backUp(to: path(name))
      }
    }
    #expect(
      try Data(contentsOf: folder.appending(path: "letter.txt")) == Data("Dear reader".utf8))
    #expect(try await writer.days(from: .distantPast, to: .distantFuture).count == 2)
    #expect(try await journal.days(from: .distantPast, to: .distantFuture).count == 1)
  }

  @Test func `is not made of a log that is not sound, and the earlier one stays`() async throws {
    defer { remove() }
    let journal = try Journal(path: path("log.sqlite"))
    try await type(1_234_567, on: 20_000, in: journal)
    try await journal.backUp(to: path("copy.sqlite"))
    let earlier = try Data(contentsOf: folder.appending(path: "copy.sqlite"))
    await journal.store.close()
    var bytes = try Data(contentsOf: folder.appending(path: "log.sqlite"))
    // The value as SQLite writes a whole number in three bytes.
    let place = try #require(bytes.firstRange(of: Data([0x12, 0xD6, 0x87])))
    bytes[place.lowerBound] ^= 1
    try bytes.write(to: folder.appending(path: "log.sqlite"))
    let damaged = try Journal(path: path("log.sqlite"), access: .read)
    await #expect(throws: StorageError.damaged(path: path("log.sqlite"))) {
      try await damaged.backUp(to: path("copy.sqlite"))
    }
    #expect(try Data(contentsOf: folder.appending(path: "copy.sqlite")) == earlier)
    #expect(try files(beginning: "copy") == ["copy.sqlite"])
  }

  @Test func `removes what a killed process left of an earlier one, once it is dead`()
    async throws
  {
    defer { remove() }
    let journal = try Journal(path: path("log.sqlite"))
    try await type(3, on: 20_000, in: journal)
    // No process has a number as high as that.
    try Data("half".utf8).write(to: folder.appending(path: "copy.sqlite.2147483646.partial"))
    try Data("half".utf8).write(
      to: folder.appending(path: "copy.sqlite.2147483645.partial-journal"))
    try Data("alive".utf8).write(to: folder.appending(path: "copy.sqlite.1.partial"))
    try await journal.backUp(to: path("copy.sqlite"))
    #expect(
      try files(beginning: "copy").sorted() == ["copy.sqlite", "copy.sqlite.1.partial"])
  }
}
