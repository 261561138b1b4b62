import DayLog
import HealthImport
import Testing
import Time

/// One moment of import for every test.
let now = Instant(seconds: 1_750_000_000)

/// Reads text as a file of this name.
func importText(
  _ text: String, name: String = "file", _ change: (inout ImportOptions) -> Void = { _ in }
) throws -> ImportBatch {
  try importBytes(ContiguousArray(text.utf8), name: name, change)
}

/// Reads bytes as a file of this name.
func importBytes(
  _ bytes: ContiguousArray<UInt8>, name: String = "file",
  _ change: (inout ImportOptions) -> Void = { _ in }
) throws -> ImportBatch {
  var options = ImportOptions(now: now)
  change(&options)
  return try Importer.read(bytes: bytes, name: name, options: options)
}

/// Reads a file.
func importFile(
  _ path: String, _ change: (inout ImportOptions) -> Void = { _ in }
) throws -> ImportBatch {
  var options = ImportOptions(now: now)
  change(&options)
  guard case .read(let batch) = try Importer.read(path: path, options: options) else {
    preconditionFailure("nothing is known")
  }
  return batch
}

extension ImportBatch {
  /// The value of a metric on a day, whichever source says it; the most trusted where several do.
  func value(_ metric: String, _ day: String) -> Double? {
    let found = entries.filter {
      $0.key.metric.name == metric && $0.key.day.description == day
    }
    return Merge.resolve(found)?.value
  }

  /// Every value of a metric by its day.
  func values(_ metric: String) -> [String: Double] {
    Dictionary(grouping: entries.filter { $0.key.metric.name == metric }) {
      $0.key.day.description
    }.compactMapValues { Merge.resolve($0)?.value }
  }
}

/// The error that reading throws, or nil.
func fault(_ body: () throws -> ImportBatch) -> ImportError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? ImportError
  }
}

extension Zone {
  /// An hour or two ahead of UTC: Central European time by its rule.
  static let centralEurope = Zone(posix: "CET-1CEST,M3.5.0,M10.5.0/3") ?? .utc
}
