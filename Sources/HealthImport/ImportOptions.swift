import DayLog
public import Time

/// How files are to be read, and the moment at which.
public struct ImportOptions: Sendable {
  /// The moment of import: the as-of of values from files that carry no date of their own.
  public var now: Instant
  /// Read as this format whatever the content looks like: a reader's name, such as `fitbit`.
  public var format: String?
  /// The zone of samples that do not name their own; nil to take each at its written offset.
  public var zone: Zone?
  /// The zone of a name that a sample carries, such as `Europe/Amsterdam`; nil if unknown.
  public var zoneNamed: @Sendable (String) -> Zone?
  /// The zone of moments that carry neither an offset nor a zone, where none is asked for: that of the
  /// machine. nil to refuse files that hold such moments.
  public var localZone: Zone?
  /// Seconds after midnight at which the person's day begins: 0, or 14,400 for 04:00.
  public var dayStart: Int
  /// Take what is readable of a file that is cut off.
  public var partial: Bool
  /// The column of a table that holds the date.
  public var dateColumn: String?
  /// The pattern of a table's dates, such as `dd.MM.yyyy` or `M/d/yyyy HH:mm`.
  public var dateFormat: String?
  /// The metric for each column named: `-` to leave the column out. Of a diary whose moods are words,
  /// the number for each word.
  public var metrics: [String: String]
  /// Which person of a table that holds several.
  public var person: String?
  /// How several readings of a day become one, by the title of a column or the name of a metric.
  public var folds: [String: Fold]
  /// The decimal mark of a table, `.` or `,`; nil to decide it from the table.
  public var decimal: Character?
  /// What an empty cell says, by the title of its column; it says nothing of any other.
  public var blanks: [String: Double]
  /// Told bytes done and bytes in all (nil if unknown) now and then; false cancels the import.
  public var progress: @Sendable (_ done: Int, _ total: Int?) -> Bool

  /// Options that recognise the format, use written offsets and begin days at midnight.
  public init(
    now: Instant, format: String? = nil, zone: Zone? = nil,
    zoneNamed: @escaping @Sendable (String) -> Zone? = { _ in nil },
    localZone: Zone? = nil, dayStart: Int = 0, partial: Bool = false,
    dateColumn: String? = nil,
    dateFormat: String? = nil, metrics: [String: String] = [:], person: String? = nil,
    folds: [String: Fold] = [:], decimal: Character? = nil, blanks: [String: Double] = [:],
    progress: @escaping @Sendable (_ done: Int, _ total: Int?) -> Bool = { _, _ in true }
  ) {
    self.now = now
    self.format = format
    self.zone = zone
    self.zoneNamed = zoneNamed
    self.localZone = localZone
    self.dayStart = dayStart
    self.partial = partial
    self.dateColumn = dateColumn
    self.dateFormat = dateFormat
    self.metrics = metrics
    self.person = person
    self.folds = folds
    self.decimal = decimal
    self.blanks = blanks
    self.progress = progress
  }
}

extension ImportOptions {
  /// The zone of moments that carry neither an offset nor a zone of their own: the one asked for, else
  /// the machine's, of which the person is told.
  func zoneOfBareMoments(
    _ summary: inout ImportSummary, file: String
  ) throws(ImportError) -> Zone {
    if let zone { return zone }
    guard let localZone else { throw ImportError(file: file, .noZone) }
    summary.usesLocalZone = true
    summary.remark(
      "its moments carry no offset and stand on the days of this machine's zone; name the zone you "
        + "lived in with --zone")
    return localZone
  }
}
