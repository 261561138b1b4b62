internal import DayLog
import Time

/// A file that is one JSON value, held whole.
enum JSONFile {
  /// As values a genuine file takes some six times its length: this many bytes stay below half a gigabyte.
  static let byteLimit = 1 << 26

  /// The same where its list is not held: the bytes and what is kept of the items are all there is.
  static let listByteLimit = 1 << 28

  /// The value that makes up what is left of the stream.
  ///
  /// - Throws: `.notUTF8` and `.malformed`, with the line of the fault.
  static func read(_ stream: inout ByteStream) throws(ImportError) -> JSON {
    try read(&stream, limit: byteLimit) { bytes throws(JSON.Failure) in try JSON(bytes) }
  }

  /// The object that makes up what is left of the stream, but for the arrays under the keys `lists`, whose
  /// items `take` gets one by one.
  static func read(
    _ stream: inout ByteStream, lists: Set<String>, take: @escaping (JSON) -> Void
  ) throws(ImportError) -> JSON {
    try read(&stream, limit: listByteLimit) { bytes throws(JSON.Failure) in
      try JSON(bytes, lists: lists, take: take)
    }
  }

  private static func read(
    _ stream: inout ByteStream, limit: Int,
    _ parse: (ArraySlice<UInt8>) throws(JSON.Failure) -> JSON
  ) throws(ImportError) -> JSON {
    let bytes = Array(try stream.readAll(limit: limit))
    func place(_ offset: Int) -> ImportError.Place {
      .line(1 + bytes[..<offset].count { $0 == UInt8(ascii: "\n") })
    }
    if let fault = UTF8Check.firstFault(bytes.span) {
      throw ImportError(file: stream.name, place: place(fault), .notUTF8)
    }
    let body = bytes[(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)...]
    do throws(JSON.Failure) {
      return try parse(body)
    } catch {
      if error.isTooLarge {
        throw ImportError(
          file: stream.name,
          .tooLarge("the number of objects and lists", limit: JSON.containerLimit))
      }
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

  /// What stands under the first key in what stands under the next, and so on.
  subscript(path: [String]) -> JSON? { path.reduce(self as JSON?) { $0?[$1] } }

  /// What is written under a key as a date, with or without a time.
  func time(_ key: String) -> LocalTime? { self[key]?.string.flatMap { LocalTime($0) } }

  /// The moment that is written under a key as a count of units since 1970, of which a second has so many.
  func moment(_ key: String, perSecond: Double) -> Instant? {
    guard let count = self[key]?.quantity else { return nil }
    let seconds = (count / perSecond).rounded(.down)
    // Beyond this there is no calendar day of four digits.
    guard abs(seconds) < 1e12 else { return nil }
    return Instant(seconds: Int64(seconds))
  }
}
