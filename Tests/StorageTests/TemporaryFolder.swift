import DayLog
import FoundationEssentials
import Storage
import Time

/// A folder for one test, removed with it.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appending(path: "diurnal-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a store in it.
  var store: String { path + "/log.sqlite" }

  /// The bytes of every file in it.
  func allBytes() throws -> [UInt8] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted().flatMap { name in
      [UInt8](try Data(contentsOf: URL(filePath: path + "/" + name)))
    }
  }
}

extension Entry {
  /// An entry of a day number, for tests.
  init(
    _ day: Int, _ metric: Metric, _ origin: Origin, _ source: String, asOf: Int64, _ value: Double?
  ) {
    self.init(
      key: EntryKey(
        day: CalendarDay(number: day), metric: metric, source: Source(origin, source)),
      asOf: Instant(milliseconds: asOf), value: value)
  }
}
