public import DayLog
public import HealthImport
public import Personalisation
public import Storage

extension Zone: ZoneOffsets {
  /// Seconds ahead of UTC at a moment.
  public func offset(at instant: Instant) -> Int { utcOffset(at: instant) }
}

/// A person's log and the models that learn from it: what an app calls.
///
/// It holds nothing but the store, so any number of journals on one file agree. Moments and days are
/// arguments: nothing here reads a clock.
public struct Journal: Sendable {
  /// The door to the file.
  public let store: LogStore

  /// Opens the log at `path`, which is made where there is none and access is for writing.
  public init(path: String, access: LogStore.Access = .readWrite) throws(StorageError) {
    store = try LogStore(path: path, access: access)
  }

  /// The journal of a log that is open.
  public init(store: LogStore) { self.store = store }

  /// What became of one file.
  public struct FileImport: Sendable {
    public let batch: ImportBatch
    /// What became of its entries; nil where the same file, read the same way, is in the log already.
    public let merged: MergeSummary?
  }

  /// Imports one file: reads it whole, then merges it in one transaction, so that a file that cannot be
  /// read changes nothing.
  ///
  /// - Throws: `ImportError` or `StorageError`; the log is as before then.
  public func importFile(_ path: String, options: ImportOptions) async throws -> FileImport {
    var options = options
    options.dayStart = try await store.value(of: .dayStart)
    guard case .read(let batch) = try Importer.read(path: path, options: options) else {
      preconditionFailure("no hash was given to recognise")
    }
    let hash = Self.bytes(batch.hash)
    let reading = Self.reading(batch, options)
    if try await store.importedFile(hash: hash, reading: reading) != nil {
      return FileImport(batch: batch, merged: nil)
    }
    let file = ImportedFile(
      hash: hash, name: path.split(separator: "/").last.map(String.init) ?? path,
      importedAt: options.now, dayStart: options.dayStart, reading: reading)
    return FileImport(batch: batch, merged: try await store.merge(batch.entries, from: file))
  }

  /// Types values for a day, or clears what was typed (nil), in the order given, each in a transaction of
  /// its own: after an error those before it stand.
  public func log(
    _ values: [(metric: Metric, value: Double?)], on day: CalendarDay, now: Instant
  ) async throws -> [MergeSummary] {
    var summaries: [MergeSummary] = []
    for (metric, value) in values {
      summaries.append(try await store.type(value, metric, on: day, source: Self.typist, now: now))
    }
    return summaries
  }

  /// The name under which this program types.
  public static let typist = "diurnal"

  /// What models learn from: the days up to and including `last`.
  public func personalLog(through last: CalendarDay) async throws -> PersonalLog {
    let table = try await store.dayTable(to: last)
    // Only symptoms ask on which days the person was there, and reading every day's origin costs time.
    guard table.metrics.contains(where: \.isSymptom) else { return PersonalLog(table) }
    let days = try await store.days(to: last)
    let active = days.filter { day in day.items.contains { $0.resolved.source.origin == .typed } }
    return PersonalLog(table, activeDays: Set(active.map(\.day)))
  }

  private static func bytes(_ hash: ContentHash) -> [UInt8] {
    [hash.high, hash.low].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64(7 - $0))) }
    }
  }

  /// What decides, beside the content, which days and values come of a file.
  private static func reading(_ batch: ImportBatch, _ options: ImportOptions) -> String {
    let map = options.metrics.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return [
      batch.format, batch.isComplete ? "whole" : "partial",
      (options.zone as? Zone)?.name ?? "", options.dateColumn ?? "", options.dateFormat ?? "",
      options.person ?? "", map.joined(separator: ","),
    ].joined(separator: "|")
  }
}
