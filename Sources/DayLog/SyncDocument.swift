import Time

/// What one device hands to another: JSON lines, to be merged in any order and any number of times.
///
/// The first line names the form; each further line is an entry, a forget mark or a waiting payload. Marks carry no value.
public struct SyncDocument: Hashable, Sendable {
  /// What was said, at most one entry of a key.
  public var entries: [Entry]
  /// What was to be forgotten.
  public var marks: [ForgetMark]
  /// Payloads that wait in a queue, each a JSON object, byte for byte.
  public var payloads: [[UInt8]]
  /// How many lines are of a kind that this version does not know. They are passed over: merging the
  /// same file again after an update takes them in.
  public private(set) var unknownLineCount = 0

  /// A document of these.
  public init(entries: [Entry] = [], marks: [ForgetMark] = [], payloads: [[UInt8]] = []) {
    self.entries = entries
    self.marks = marks
    self.payloads = payloads
  }

  private static let form = "diurnal-log"
  /// How every document begins, whatever its version.
  public static let beginning = #"{"kind":"\#(form)""#
  private static let version = 1.0

  /// The lines: the same document gives the same bytes.
  public var bytes: [UInt8] {
    var text = Self.beginning + #","version":1}"# + "\n"
    for entry in entries.sorted(by: { $0.key < $1.key }) {
      let key = entry.key
      text += #"{"kind":"entry","day":"\#(key.day)","metric":"\#(key.metric)""#
      text += #","origin":"\#(key.source.origin.rawValue)","source":"#
      text += JSON.quoted(key.source.name)
      text += #","as_of":\#(entry.asOf.milliseconds),"value":"#
      text += (entry.value.map(JSON.text) ?? "null") + "}\n"
    }
    for mark in ForgetMarks(marks).all {
      text += #"{"kind":"forget","day":"\#(mark.day)","#
      if let metric = mark.metric { text += #""metric":"\#(metric)","# }
      text += #""as_of":\#(mark.asOf.milliseconds)}"# + "\n"
    }
    var bytes = Array(text.utf8)
    for payload in payloads {
      bytes += Array(#"{"kind":"payload","payload":"#.utf8)
      // A line end between the members of an object is only white space.
      bytes += payload.map { $0 == 10 || $0 == 13 ? 32 : $0 }
      bytes += Array("}\n".utf8)
    }
    return bytes
  }

  /// Reads a whole document, or none of it.
  ///
  /// - Throws: ``SyncError`` with the number of the first line that is wrong, counted from 1.
  public init(_ bytes: [UInt8]) throws(SyncError) {
    self.init()
    var hasHeader = false
    var number = 0
    for slice in bytes.split(separator: 10, omittingEmptySubsequences: false) {
      number += 1
      let line = slice.last == 13 ? slice.dropLast() : slice
      if line.allSatisfy({ $0 == 32 || $0 == 9 }) { continue }
      let object: JSON
      do throws(JSON.Failure) {
        object = try JSON(line)
      } catch {
        throw SyncError(line: number, problem: .notJSON(reason: error.reason))
      }
      do throws(SyncError.Problem) {
        if hasHeader {
          try read(object, line)
        } else {
          try Self.checkHeader(object)
          hasHeader = true
        }
      } catch {
        throw SyncError(line: number, problem: error)
      }
    }
    guard hasHeader else { throw SyncError(line: 1, problem: .noHeader) }
  }

  private static func checkHeader(_ object: JSON) throws(SyncError.Problem) {
    guard object["kind"]?.string == form, let found = object["version"]?.number else {
      throw .noHeader
    }
    guard found <= version else { throw .newerVersion }
  }

  private mutating func read(
    _ object: JSON, _ line: ArraySlice<UInt8>
  ) throws(SyncError.Problem) {
    guard let kind = object["kind"]?.string else { throw .unreadable(key: "kind") }
    switch kind {
    case "entry": entries.append(try Self.entry(object))
    case "forget":
      var metric: Metric?
      if let name = object["metric"] {
        guard let known = name.string.flatMap({ Metric($0) }) else {
          throw .unreadable(key: "metric")
        }
        metric = known
      }
      marks.append(
        ForgetMark(
          day: try Self.day(object), metric: metric, asOf: try Self.asOf(object)))
    case "payload":
      guard let content = object["payload"], content["id"]?.string?.isEmpty == false,
        content["kind"]?.string?.isEmpty == false,
        let start = line.firstRange(of: Array(#""payload":"#.utf8))?.upperBound
      else { throw .unreadable(key: "payload") }
      payloads.append(try Self.firstObject(line[start...]))
    default: unknownLineCount += 1
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

/// Where and why a sync file cannot be read. It names keys, never what stands under them.
public struct SyncError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong with a line.
  public enum Problem: Error, Equatable, Sendable {
    /// The line is no JSON object; in which way.
    case notJSON(reason: String)
    /// The first line is not that of a sync file.
    case noHeader
    /// A later version of the form, which this one cannot read.
    case newerVersion
    /// A key is missing, or what stands under it cannot be.
    case unreadable(key: String)
  }

  /// Counted from 1.
  public let line: Int
  /// What is wrong there.
  public let problem: Problem

  /// What is wrong, in which line, and what to do.
  public var description: String { "line \(line): \(problem)" }
}

extension SyncError.Problem: CustomStringConvertible {
  /// What is wrong and what to do, without the line.
  public var description: String {
    switch self {
    case .notJSON(let reason): "no JSON (\(reason)): export the file again"
    case .noHeader: "not the beginning of a sync file: give one that sync export wrote"
    case .newerVersion: "a newer form of sync file: update Diurnal"
    case .unreadable(let key): "no \"\(key)\" that can be read: export the file again"
    }
  }
}
