public import DayLog
public import HealthImport
public import Personalisation
public import Storage
public import Time

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
  public enum FileImport: Sendable {
    /// It was read, and its entries were merged.
    case merged(ImportBatch, MergeSummary)
    /// The same content, read the same way, is in the log already: the file was not read beyond that.
    case known(ImportedFile)

    /// What became of its entries; nil where it was known.
    public var merged: MergeSummary? {
      if case .merged(_, let summary) = self { summary } else { nil }
    }
  }

  /// Imports one file: reads it whole, then merges it in one transaction, so that a file that cannot be
  /// read changes nothing.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - options: How it is read, and the moment that its entries are stamped with.
  ///   - keepsOtherReading: Whether a file that was imported with other options stays as it is. Else
  ///     what these options make of it takes the place of what the others did.
  /// - Throws: `ImportError` or `StorageError`; the log is as before then.
  /// - Complexity: a file that the log knows costs one pass over its bytes, and one of a length that no
  ///   file it knows has costs no pass more than reading it.
  public func importFile(
    _ path: String, options: ImportOptions, keepsOtherReading: Bool = false
  ) async throws -> FileImport {
    var options = options
    options.dayStart = try await store.value(of: .dayStart)
    let held = try await store.importedFiles().filter { file in
      FileReading(file)?.isRead(by: options) == true
        ? (file.dayStart ?? options.dayStart) == options.dayStart : keepsOtherReading
    }
    var known: [ContentHash: ImportedFile] = [:]
    for file in held { if let hash = ContentHash(file) { known[hash] = file } }
    switch try Importer.read(path: path, options: options, known: Set(known.keys)) {
    case .known(let hash):
      guard let file = known[hash] else { preconditionFailure("it was among those given") }
      return .known(file)
    case .read(let batch):
      let file = ImportedFile(
        hash: batch.hash.bytes, byteCount: batch.hash.byteCount,
        name: path.split(separator: "/").last.map(String.init) ?? path,
        importedAt: options.now,
        dayStart: batch.summary.usesDayStart ? options.dayStart : nil,
        reading: FileReading(batch, options).text)
      // One whose length an earlier version did not keep.
      if let known = held.first(where: { $0.hash == file.hash }) {
        return .known(known)
      }
      let merged = try await store.merge(
        batch.decided, parts: batch.parts.map { DayPart(key: $0.key, bytes: $0.bytes) },
        foldedBy: ReadingFolding(), from: file)
      return .merged(batch, merged)
    }
  }

  /// Reads a file as ``importFile(_:options:keepsOtherReading:)`` would, and changes nothing.
  ///
  /// - Throws: `ImportError` or `StorageError`.
  public func preview(_ path: String, options: ImportOptions) async throws -> ImportBatch {
    var options = options
    options.dayStart = try await store.value(of: .dayStart)
    return try Importer.preview(path: path, options: options)
  }

  /// Types values for a day, or clears what was typed (nil), in the order given, in one transaction.
  ///
  /// - Throws: `StorageError`; nothing is typed then.
  public func log(
    _ values: [(metric: Metric, value: Double?)], on day: CalendarDay, now: Instant
  ) async throws(StorageError) -> [MergeSummary] {
    try await store.type(values, on: day, source: Self.typist, now: now)
  }

  /// The name under which this program types.
  public static let typist = "diurnal"

  /// What the days from `first` to `last` show, ascending; a day on which nothing is shown is left out.
  public func days(
    from first: CalendarDay, to last: CalendarDay
  ) async throws(StorageError) -> [ResolvedDay] {
    try await store.days(from: first, to: last)
  }

  /// What models learn from: the days up to and including `last`, but for what `LearnedDays` leaves out.
  public func personalLog(through last: CalendarDay) async throws -> PersonalLog {
    let learned = try await store.learnedDays(to: last)
    return PersonalLog(learned.table, activeDays: learned.typedDays, leftOut: learned.leftOut)
  }
}
