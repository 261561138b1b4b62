internal import DayLog

/// Why a file was not imported: what is wrong, where, and what to do about it.
///
/// It names files, lines, records, columns and identifiers, never a value of the log.
public struct ImportError: Error, Equatable, Sendable {
  /// The file as the person named it; inside an archive `archive.zip/member`.
  public let file: String
  /// Where in the file, if the fault has a place.
  public let place: Place?
  /// What is wrong.
  public let reason: Reason

  /// A place in a file.
  public enum Place: Equatable, Sendable {
    /// A line, counted from 1.
    case line(Int)
    /// A record, counted from 1 in the order of the file.
    case record(Int)
  }

  /// What can be wrong with a file.
  public enum Reason: Equatable, Sendable {
    /// The file could not be opened or read; the system's error number.
    case unreadable(errno: Int32)
    /// There is not one byte in it.
    case empty
    /// No reader knows this content; the formats that are known.
    case unknownFormat(known: [String])
    /// The content is known and cannot be imported: what it is, and what would be needed.
    case unsupported(String, needed: String)
    /// A byte sequence that is not UTF-8.
    case notUTF8
    /// No column holds a date; the columns there are.
    case noDateColumn(columns: [String])
    /// Two columns have this name.
    case repeatedColumn(String)
    /// A column that was asked for is not there; the columns there are.
    case missingColumn(String, columns: [String])
    /// The name given for a metric is not one.
    case invalidMetric(String)
    /// What a word of a mood diary was to be is no number.
    case invalidMoodNumber(String)
    /// This pattern names no year, month and day, or has a letter that stands for nothing.
    case invalidDateFormat(String)
    /// One table holds several people and none was chosen; who there is.
    case severalPeople([String])
    /// The person chosen is not in the table; who there is.
    case unknownPerson(known: [String])
    /// Its moments carry no offset, and no zone was named.
    case noZone
    /// Points and commas are both used as decimal marks.
    case mixedDecimalMarks
    /// Every mark in its numbers could divide or group digits.
    case openDecimalMark
    /// No date tells whether the day or the month comes first, or some tell the one and some the other.
    case openDates(isMixed: Bool)
    /// The first row holds data where the names of columns belong.
    case noHeader
    /// There are records, and not one number could be read; why, and what helps.
    case nothingRead([String])
    /// A quote opens here and the file ends in it.
    case unclosedQuote
    /// Not one row has a readable date.
    case noReadableDate(rows: Int)
    /// The text breaks the rules of its format; which rule.
    case malformed(String)
    /// A part is larger than any genuine file has it: what, and the limit in bytes or counts.
    case tooLarge(String, limit: Int)
    /// The file is longer than one is that has to be held whole; the limit in bytes.
    case fileTooLarge(limit: Int)
    /// The file ends before its closing mark.
    case cutOff
    /// The archive cannot be unpacked; the library's words.
    case damagedArchive(String)
    /// The archive holds nothing that any reader knows.
    case nothingInArchive(members: Int)
    /// The person, or a budget, ended it.
    case cancelled
  }

  /// An error of this reason at this place.
  public init(file: String, place: Place? = nil, _ reason: Reason) {
    self.file = file
    self.place = place
    self.reason = reason
  }

  /// Whether the machine failed, not the content: a tool exits with 74 and not 65.
  public var isSystemFault: Bool {
    if case .unreadable = reason { return true }
    return false
  }
}

extension ImportError: CustomStringConvertible {
  /// One sentence: where, what, and what to do.
  public var description: String {
    switch place {
    case .line(let line): "\(file):\(line): \(explanation)"
    case .record(let record): "\(file), record \(record): \(explanation)"
    case nil: "\(file): \(explanation)"
    }
  }

  private var explanation: String {
    switch reason {
    case .unreadable(errno: 2): "is not there"
    case .unreadable(errno: 13): "may not be read by you; change its permissions"
    case .unreadable(errno: 21): "is a folder"
    case .unreadable(let errno): "cannot be read (system error \(errno))"
    case .empty: "is empty; export it again"
    case .unknownFormat(let known):
      "is in no known format; known are \(known.joined(separator: ", "))"
    case .unsupported(let what, let needed): "is \(what), which cannot be imported; \(needed)"
    case .notUTF8: "is not UTF-8 text; save it as UTF-8"
    case .noDateColumn(let columns):
      "has no date column among \(list(columns)); name it with --date-column"
    case .repeatedColumn(let name): "has two columns named \"\(name)\"; rename one"
    case .missingColumn(let name, let columns):
      "has no column \"\(name)\"; there are \(list(columns))"
    case .invalidMetric(let name):
      "\"\(name)\" is no metric name; use lower-case letters, digits, _ and ., first a letter"
    case .invalidMoodNumber(let text):
      "is a diary of moods in words, and \"\(text)\" is no number for one; write --map WORD=NUMBER"
    case .invalidDateFormat(let format):
      "\"\(format)\" is no date format; write one such as dd.MM.yyyy or M/d/yyyy HH:mm"
    case .severalPeople(let ids):
      "holds \(ids.count) people, such as \(ids.prefix(3).joined(separator: ", ")); choose one with --person"
    case .unknownPerson(let known):
      "does not hold that person; it holds \(known.count), such as \(known.prefix(3).joined(separator: ", "))"
    case .noZone: "has moments without an offset; name the zone you lived in with --zone"
    case .mixedDecimalMarks:
      "writes some decimals with a comma and some with a point; write all with a point"
    case .openDecimalMark:
      "has numbers whose mark could divide or group digits; say which with --decimal . or --decimal ,"
    case .openDates(isMixed: false):
      "has dates of which none tells whether day or month comes first; give --date-format d/M/yyyy or M/d/yyyy"
    case .openDates(isMixed: true):
      "has dates with the day first and others with the month first; write all in one way"
    case .noHeader: "begins with data; put a first row with the names of its columns"
    case .nothingRead(let reasons):
      "holds no number that could be read (\(list(reasons))); name columns with --date-column and --map, "
        + "or see what each would become with --dry-run"
    case .unclosedQuote: "opens a quote that is never closed; close it"
    case .noReadableDate(let rows):
      "has no readable date in any of \(counted(rows, "row")); dates are yyyy-MM-dd, or give --date-format"
    case .malformed(let rule): "\(rule); export the file again"
    case .tooLarge(let what, let limit): "\(what) exceeds \(limit); this is no genuine export"
    case .fileTooLarge(let limit):
      "is larger than \(limit >> 20) MB, the most that is read at once in its format; export a shorter "
        + "stretch of time, or divide it"
    case .cutOff: "ends before it is complete; export it again, or use --partial for what is there"
    case .damagedArchive(let words): "is a damaged archive (\(words)); export or download it again"
    case .nothingInArchive(let members):
      "is an archive of \(counted(members, "file")), none in a known format; unpack it and name the file"
    case .cancelled: "was not imported: cancelled"
    }
  }

  private func list(_ names: [String]) -> String {
    let shown = names.prefix(40).joined(separator: ", ")
    return names.count > 40 ? shown + " and \(names.count - 40) more" : shown
  }
}
