internal import DayLog

/// A file that is one JSON value, held whole.
enum JSONFile {
  /// More is no export of one person.
  static let byteLimit = 1 << 28

  /// The value that makes up what is left of the stream.
  ///
  /// - Throws: `.notUTF8` and `.malformed`, with the line of the fault.
  static func read(_ stream: inout ByteStream) throws(ImportError) -> JSON {
    let bytes = Array(try stream.readAll(limit: byteLimit))
    func place(_ offset: Int) -> ImportError.Place {
      .line(1 + bytes[..<offset].count { $0 == UInt8(ascii: "\n") })
    }
    if let fault = UTF8Check.firstFault(bytes.span) {
      throw ImportError(file: stream.name, place: place(fault), .notUTF8)
    }
    let body = bytes[(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)...]
    do throws(JSON.Failure) {
      return try JSON(body)
    } catch {
      throw ImportError(
        file: stream.name, place: place(body.startIndex + error.offset),
        .malformed("is no valid JSON, \(error.reason)"))
    }
  }
}

extension JSON {
  /// The items of an array, or nil.
  var items: [JSON]? { if case .array(let items) = self { items } else { nil } }

  /// The members of an object, or nil.
  var members: [String: JSON]? { if case .object(let members) = self { members } else { nil } }

  /// A number, or the number that all of a string writes: older interfaces send both.
  var quantity: Double? {
    switch self {
    case .number(let value): return value
    case .string(let text):
      let bytes = ContiguousArray(text.utf8)
      return DecimalText.number(bytes.span)
    default: return nil
    }
  }

  /// What is written under a key as a date, with or without a time.
  func time(_ key: String) -> LocalTime? { self[key]?.string.flatMap { LocalTime($0) } }
}

/// One number of a record: its key, what it is, and how values of one day become one.
struct JSONField: Sendable {
  let key: String
  let metric: Metric
  var scale = 1.0
  let fold: Fold
  /// Whether 0 stands for *not computed*.
  var isZeroMissing = false

  init(
    _ key: String, _ metric: Metric, scale: Double = 1, fold: Fold, isZeroMissing: Bool = false
  ) {
    self.key = key
    self.metric = metric
    self.scale = scale
    self.fold = fold
    self.isZeroMissing = isZeroMissing || KnownColumns.isNeverZero(metric)
  }

  init(
    _ key: String, _ name: StaticString, scale: Double = 1, fold: Fold, isZeroMissing: Bool = false
  ) {
    guard let metric = Metric(name.description) else { preconditionFailure("a metric's name") }
    self.init(key, metric, scale: scale, fold: fold, isZeroMissing: isZeroMissing)
  }

  /// Adds the record's number, where it has one; whether it had.
  func add(
    from record: JSON, on day: CalendarDay, source: Source, into days: inout DayCollector
  ) -> Bool {
    guard let value = record[key]?.quantity, !(value == 0 && isZeroMissing) else { return false }
    let scaled = value * scale
    guard scaled.isFinite else { return false }
    days.add(scaled, metric, on: day, source: source, fold: fold)
    return true
  }
}
