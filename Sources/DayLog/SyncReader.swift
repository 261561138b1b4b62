internal import Time

/// What one line of a sync file says.
public enum SyncLine: Hashable, Sendable {
  /// What was said of a day.
  case entry(Entry)
  /// What is to be forgotten.
  case mark(ForgetMark)
  /// A payload that waits: a JSON object, byte for byte.
  case payload([UInt8])
  /// Something of a kind that only a newer version knows.
  case unknown
}

/// Reads a sync file piece by piece, so that one of any length takes the memory of one piece.
///
/// The first line names the form. A line of more than ``longestLine`` bytes is refused.
public struct SyncReader: Sendable {
  /// So many bytes a line may have.
  public static let longestLine = 1 << 24

  private var rest: [UInt8] = []
  private var lineNumber = 0
  private var hasHeader = false

  /// A reader at the beginning of a file.
  public init() {}

  /// Takes in the next bytes and returns what the lines say that end in them.
  ///
  /// - Throws: ``SyncError`` with the number of the first line that is wrong, counted from 1.
  public mutating func read(_ bytes: some Collection<UInt8>) throws(SyncError) -> [SyncLine] {
    var found: [SyncLine] = []
    rest += bytes
    var start = 0
    while let end = rest[start...].firstIndex(of: 10) {
      if let line = try line(rest[start..<end]) { found.append(line) }
      start = end + 1
    }
    rest.removeFirst(start)
    guard rest.count <= Self.longestLine else {
      throw SyncError(line: lineNumber + 1, problem: .tooLong)
    }
    return found
  }

  /// Ends the file, and returns what its last line says where it has no line end.
  ///
  /// - Throws: as ``read(_:)``; also where nothing came that begins a sync file.
  public mutating func finish() throws(SyncError) -> [SyncLine] {
    let last = try line(rest[...])
    guard hasHeader else { throw SyncError(line: 1, problem: .noHeader) }
    return last.map { [$0] } ?? []
  }

  private mutating func line(_ slice: ArraySlice<UInt8>) throws(SyncError) -> SyncLine? {
    lineNumber += 1
    let line = slice.last == 13 ? slice.dropLast() : slice
    if line.allSatisfy({ $0 == 32 || $0 == 9 }) { return nil }
    guard line.count <= Self.longestLine else {
      throw SyncError(line: lineNumber, problem: .tooLong)
    }
    let object: JSON
    do throws(JSON.Failure) {
      object = try JSON(line)
    } catch {
      throw SyncError(line: lineNumber, problem: .notJSON(reason: error.reason))
    }
    do throws(SyncError.Problem) {
      if hasHeader { return try SyncLine(object, line) }
      try SyncDocument.checkHeader(object)
      hasHeader = true
      return nil
    } catch {
      throw SyncError(line: lineNumber, problem: error)
    }
  }
}

extension SyncLine {
  fileprivate init(_ object: JSON, _ line: ArraySlice<UInt8>) throws(SyncError.Problem) {
    guard let kind = object["kind"]?.string else { throw .unreadable(key: "kind") }
    switch kind {
    case "entry": self = .entry(try Self.entry(object))
    case "forget":
      var metric: Metric?
      if let name = object["metric"] {
        guard let known = name.string.flatMap({ Metric($0) }) else {
          throw .unreadable(key: "metric")
        }
        metric = known
      }
      self = .mark(
        ForgetMark(day: try Self.day(object), metric: metric, asOf: try Self.asOf(object)))
    case "payload":
      guard let content = object["payload"], content["id"]?.string?.isEmpty == false,
        content["kind"]?.string?.isEmpty == false,
        let start = line.firstRange(of: Array(#""payload":"#.utf8))?.upperBound
      else { throw .unreadable(key: "payload") }
      self = .payload(try Self.firstObject(line[start...]))
    default: self = .unknown
    }
  }

  /// The object at the beginning of some bytes, byte for byte: a newer version may have put more behind it.
  private static func firstObject(
    _ bytes: ArraySlice<UInt8>
  ) throws(SyncError.Problem) -> [UInt8] {
    var reader = JSONReader(bytes)
    do throws(JSON.Failure) {
      if let object = try reader.nextObject() { return Array(object) }
    } catch {
      throw .notJSON(reason: error.reason)
    }
    throw .unreadable(key: "payload")
  }

  private static func entry(_ object: JSON) throws(SyncError.Problem) -> Entry {
    guard let metric = object["metric"]?.string.flatMap({ Metric($0) }) else {
      throw .unreadable(key: "metric")
    }
    guard let origin = object["origin"]?.string.flatMap(Origin.init(rawValue:)) else {
      throw .unreadable(key: "origin")
    }
    guard let source = object["source"]?.string else { throw .unreadable(key: "source") }
    let value: Double?
    switch object["value"] {
    case .null: value = nil
    case .number(let number): value = number
    default: throw .unreadable(key: "value")
    }
    let key = EntryKey(day: try day(object), metric: metric, source: Source(origin, source))
    return Entry(key: key, asOf: try asOf(object), value: value)
  }

  private static func day(_ object: JSON) throws(SyncError.Problem) -> CalendarDay {
    guard let day = object["day"]?.string.flatMap({ CalendarDay($0) }) else {
      throw .unreadable(key: "day")
    }
    return day
  }

  private static func asOf(_ object: JSON) throws(SyncError.Problem) -> Instant {
    // Milliseconds up to the year 287,396 are exact as floating-point numbers.
    guard let number = object["as_of"]?.number, abs(number) < 0x1p53,
      let exact = Int64(exactly: number)
    else { throw .unreadable(key: "as_of") }
    return Instant(milliseconds: exact)
  }
}
