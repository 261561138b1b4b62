internal import DayLog
internal import HealthImport
internal import Storage
import Time

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What decides, beside its content, which days and values come of a file: read otherwise, the same file
/// is another import.
struct FileReading: Codable, Equatable {
  private let format: String
  private let isWhole: Bool
  /// The name of the zone by which it was read; nil where the file needed none.
  private let zone: String?
  private let dateColumn: String?
  private let dateFormat: String?
  private let person: String?
  private let metrics: [String: String]
  private let folds: [String: String]
  private let decimal: String?
  private let blanks: [String: Double]

  /// How a file was read.
  init(_ batch: ImportBatch, _ options: ImportOptions) {
    let zone = options.zone ?? (batch.summary.usesLocalZone ? options.localZone : nil)
    self.init(
      format: batch.format, isWhole: batch.isComplete, zone: zone?.name, options)
  }

  private init(format: String, isWhole: Bool, zone: String?, _ options: ImportOptions) {
    self.format = format
    self.isWhole = isWhole
    self.zone = zone
    dateColumn = options.dateColumn
    dateFormat = options.dateFormat
    person = options.person
    metrics = options.metrics
    folds = options.folds.mapValues(\.rawValue)
    decimal = options.decimal.map { String($0) }
    blanks = options.blanks
  }

  /// How an imported file was read; nil where an earlier version, which kept no parts of days, wrote that down: such
  /// a file is read anew.
  init?(_ file: ImportedFile) {
    guard file.reading.hasPrefix("{") else { return nil }
    do {
      self = try JSONDecoder().decode(FileReading.self, from: Data(file.reading.utf8))
    } catch {
      return nil
    }
  }

  /// As it stands in the log: the same reading gives the same text.
  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    do {
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    } catch {
      preconditionFailure("texts and a switch are written as JSON")
    }
  }

  /// Whether these options would read the file in the same way.
  func isRead(by options: ImportOptions) -> Bool {
    guard isWhole || options.partial, options.format == nil || options.format == format,
      self == FileReading(format: format, isWhole: isWhole, zone: zone, options)
    else { return false }
    guard let asked = options.zone ?? (zone == nil ? nil : options.localZone) else {
      return zone == nil
    }
    return zone == asked.name
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
