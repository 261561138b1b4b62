public import DayLog
public import Time

/// What one file says, as days: nothing is stored by reading it.
public struct ImportBatch: Sendable, Equatable {
  /// The format it was read as, such as `apple-health`.
  public let format: String
  /// One entry a day, metric and source, in ascending order of key.
  public let entries: [Entry]
  /// Those of them that no other file can complete: a health export speaks of whole days.
  package let decided: [Entry]
  /// What all others are folded from, since other files may add to it: kept, so that files
  /// which come later, or came before, complete the days. ``PartFolding`` makes their values.
  package let parts: [Part]
  /// The file's content; a file whose hash is known holds nothing new under the same options.
  package let hash: ContentHash
  /// What became of the records.
  public let summary: ImportSummary
  /// Whether the end of the file was reached as its format demands; false only where the person
  /// asked for what is readable.
  public let isComplete: Bool

  /// What one file says of one metric and source on one day.
  package struct Part: Sendable, Equatable {
    /// Of what.
    package let key: EntryKey
    /// As ``PartFolding`` reads it.
    package let bytes: [UInt8]
  }
}

extension ImportBatch {
  /// The unit of a metric, where one is known.
  public func unit(of metric: Metric) -> String? { MetricRule.rule(for: metric)?.unit?.name }

  /// How several readings of a metric on one day become one, where that is declared.
  public func fold(of metric: Metric) -> Fold? { MetricRule.rule(for: metric)?.fold }
}

/// What became of a file's records, for the person who imported it. Carries no values.
public struct ImportSummary: Sendable, Equatable {
  /// Records, rows or items seen.
  public internal(set) var read = 0
  /// Those that count towards an entry.
  public internal(set) var used = 0
  /// Exact repeats, and earlier totals that a later one of the same source replaces.
  public internal(set) var duplicates = 0
  /// Those that are wrong, by reason, in order of first appearance.
  public private(set) var rejections: [Rejection] = []
  /// What was passed over: columns, types, units, elements, archive members; by name.
  public private(set) var skipped: [Skipped] = []
  /// Bytes that are not UTF-8, and control characters that XML forbids.
  public internal(set) var damagedBytes = 0
  /// Whether days were taken from ``ImportOptions/localZone``.
  public internal(set) var usesLocalZone = false
  /// Whether days were taken from moments or times of day, which ``ImportOptions/dayStart`` can move.
  public internal(set) var usesDayStart = false
  /// Whether only the rows of ``ImportOptions/person`` were taken from a table of several people.
  public internal(set) var isOfPerson = false
  /// What each column or field became, of formats whose columns are the person's own.
  public internal(set) var columns: [Column] = []
  /// What the person should know.
  public private(set) var remarks: [String] = []

  /// Records rejected for one reason.
  public struct Rejection: Sendable, Equatable {
    /// Why, as a phrase: `end before start`.
    public let reason: String
    /// How many.
    public internal(set) var count: Int
    /// Where the first few are, as far as the file tells.
    public internal(set) var first: [ImportError.Place]
  }

  /// What one column of a table became.
  public struct Column: Sendable, Equatable {
    /// Its title.
    public let title: String
    /// The metric.
    public let metric: Metric
    /// The metric's unit, where one is known.
    public let unit: String?
    /// How several readings of a day become one.
    public let fold: Fold
    /// On how many days it has a value, and on which first and last.
    public let days: Int
    public let first: CalendarDay
    public let last: CalendarDay
    /// How a few of its cells are written: 9 for a digit, a for a letter.
    public let shapes: [String]
  }

  /// Something passed over.
  public struct Skipped: Sendable, Equatable {
    /// What it is: `column`, `type`, `unit`, `element`, `member`.
    public let kind: String
    /// Its name in the file.
    public let name: String
    /// How often.
    public internal(set) var count: Int
    /// Why, as a phrase; nil where it is of no use to this program.
    public internal(set) var reason: String?
  }

  /// All that were rejected.
  public var rejected: Int { rejections.reduce(0) { $0 + $1.count } }

  /// How many places a rejection lists, and how many names a kind: enough to look, and bounded.
  static let placeLimit = 5
  static let nameLimit = 200

  mutating func reject(_ reason: String, at place: ImportError.Place?) {
    let index = rejections.firstIndex { $0.reason == reason } ?? rejections.count
    if index == rejections.count {
      rejections.append(Rejection(reason: reason, count: 0, first: []))
    }
    rejections[index].count += 1
    if let place, rejections[index].first.count < Self.placeLimit {
      rejections[index].first.append(place)
    }
  }

  /// Corrects how many were rejected for a reason of which only the first were told.
  mutating func setCount(_ count: Int, of reason: String) {
    if let index = rejections.firstIndex(where: { $0.reason == reason }) {
      rejections[index].count = count
    }
  }

  mutating func skip(_ kind: String, _ name: String, count: Int = 1, reason: String? = nil) {
    if let index = skipped.firstIndex(where: { $0.kind == kind && $0.name == name }) {
      skipped[index].count += count
    } else if skipped.count < Self.nameLimit || name == "others" {
      skipped.append(Skipped(kind: kind, name: name, count: count, reason: reason))
    } else {
      skip(kind, "others", count: count)
    }
  }

  mutating func remark(_ text: String) {
    if !remarks.contains(text) { remarks.append(text) }
  }
}
