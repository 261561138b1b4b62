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

  /// Reads a whole document, or none of it. ``SyncReader`` reads one that is too large to be held.
  ///
  /// - Throws: ``SyncError`` with the number of the first line that is wrong, counted from 1.
  public init(_ bytes: [UInt8]) throws(SyncError) {
    self.init()
    var reader = SyncReader()
    for line in try reader.read(bytes) + reader.finish() {
      switch line {
      case .entry(let entry): entries.append(entry)
      case .mark(let mark): marks.append(mark)
      case .payload(let bytes): payloads.append(bytes)
      case .unknown: unknownLineCount += 1
      }
    }
  }

  static func checkHeader(_ object: JSON) throws(SyncError.Problem) {
    guard object["kind"]?.string == form, let found = object["version"]?.number else {
      throw .noHeader
    }
    guard found <= version else { throw .newerVersion }
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
    /// The line is longer than any that is written.
    case tooLong
    /// A later version of the form, which this one cannot read.
    case newerVersion
    /// A key is missing, or what stands under it cannot be.
    case unreadable(key: String)
  }

  /// Counted from 1.
  public let line: Int
  /// What is wrong there.
  public let problem: Problem

  /// A problem in a line.
  public init(line: Int, problem: Problem) {
    self.line = line
    self.problem = problem
  }

  /// What is wrong, in which line, and what to do.
  public var description: String { "line \(line): \(problem)" }
}

extension SyncError.Problem: CustomStringConvertible {
  /// What is wrong and what to do, without the line.
  public var description: String {
    switch self {
    case .notJSON(let reason): "no JSON (\(reason)): export the file again"
    case .noHeader: "not the beginning of a sync file: give one that sync export wrote"
    case .tooLong: "a line longer than 16 megabytes: give a file that sync export wrote"
    case .newerVersion: "a newer form of sync file: update Diurnal"
    case .unreadable(let key): "no \"\(key)\" that can be read: export the file again"
    }
  }
}
