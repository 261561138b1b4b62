internal import DayLog
internal import HealthImport
internal import Storage
import Time

/// What decides, beside its content, which days and values come of a file: read otherwise, the same file
/// is another import.
struct FileReading: Equatable {
  private let format: String
  private let isWhole: Bool
  /// The zone asked for; else the machine's where the file needed one; else none.
  private let zone: String
  private let choices: [String]

  /// How a file was read.
  init(_ batch: ImportBatch, _ options: ImportOptions) {
    format = batch.format
    isWhole = batch.isComplete
    zone = Self.name(options.zone ?? (batch.summary.usesLocalZone ? options.localZone : nil))
    choices = Self.choices(options)
  }

  /// How an imported file was read; nil where an earlier version wrote that down in another way.
  init?(_ file: ImportedFile) {
    let parts = file.reading.split(separator: "|", omittingEmptySubsequences: false).map(
      String.init)
    // Before there were parts of days there were fewer: such a file is read anew.
    guard parts.count == 8 else { return nil }
    format = parts[0]
    isWhole = parts[1] == "whole"
    zone = parts[2]
    choices = Array(parts[3...])
  }

  /// As it stands in the log.
  var text: String {
    ([format, isWhole ? "whole" : "partial", zone] + choices).joined(separator: "|")
  }

  /// Whether these options would read the file in the same way.
  func isRead(by options: ImportOptions) -> Bool {
    guard choices == Self.choices(options), isWhole || options.partial,
      options.format == nil || options.format == format
    else { return false }
    if let asked = options.zone { return zone == Self.name(asked) }
    return zone.isEmpty || zone == Self.name(options.localZone)
  }

  private static func name(_ zone: Zone?) -> String { zone?.name ?? "" }

  private static func choices(_ options: ImportOptions) -> [String] {
    func list(_ pairs: [String: String]) -> String {
      pairs.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
    }
    let folding =
      [
        list(options.folds.mapValues(\.rawValue)), options.decimal.map { "decimal \($0)" } ?? "",
        list(options.blanks.mapValues { String($0) }),
      ].joined(separator: ";")
    return [
      options.dateColumn ?? "", options.dateFormat ?? "", options.person ?? "",
      list(options.metrics), folding,
    ].map { $0.replacing("|", with: "¦") }
  }
}

extension ContentHash {
  /// The hash of an imported file; nil where its length was not kept.
  init?(_ file: ImportedFile) {
    guard let byteCount = file.byteCount else { return nil }
    func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
      bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
    self.init(byteCount: byteCount, high: word(file.hash[..<8]), low: word(file.hash[8...]))
  }

  /// The hash in 16 bytes, without the length.
  var bytes: [UInt8] {
    [high, low].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64(7 - $0))) }
    }
  }
}
