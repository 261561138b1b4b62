public import DayLog
public import Time

/// What one file said of one metric and source on one day: bytes that only their reader knows.
public struct DayPart: Sendable, Equatable {
  /// Of what.
  public let key: EntryKey
  /// What was said.
  public let bytes: [UInt8]

  /// A part of this place.
  public init(key: EntryKey, bytes: [UInt8]) {
    self.key = key
    self.bytes = bytes
  }
}

/// How the parts of days become their values: a function of the set of parts, whatever way they came.
public protocol DayFolding: Sendable {
  /// How many days to either side can decide the value of a day that has such a part.
  func reach(of part: [UInt8]) -> Int
  /// The value of each day that has one, out of the parts of one metric and source by day.
  func values(of parts: [CalendarDay: [[UInt8]]]) -> [CalendarDay: Double]
  /// Whether a later part says all that one says, so that only the later is kept.
  func isCovered(_ part: [UInt8], by later: [UInt8]) -> Bool
}

/// The parts of days in a store, within the transaction that runs: a file's parts are kept beside those of
/// other files, and the days that they touch are folded anew.
struct PartKeeping {
  private let connection: Connection
  private let folding: any DayFolding
  private let marks: ForgottenRows
  /// Files whose parts stand on the days of another day start.
  private let staleFiles: Set<Int64>
  /// Files that a clock which was ahead has dated later than this import: what is said now stands in their place.
  private let filesAhead: Set<Int64>
  /// The days of each series that may have another value now.
  private var touched: [Series: Set<Int64>] = [:]

  private struct Series: Hashable {
    let metric: Int64
    let source: Int64
  }

  init(
    _ connection: Connection, folding: any DayFolding, marks: ForgottenRows, staleFiles: Set<Int64>,
    filesAhead: Set<Int64>
  ) {
    self.connection = connection
    self.folding = folding
    self.marks = marks
    self.staleFiles = staleFiles
    self.filesAhead = filesAhead
  }

  /// The columns of a part, sealed.
  private static let columns = "metric, source, day, file, bytes, seal"

  /// What the row on which a statement for ``columns`` stands says.
  private func checked(_ row: Statement) throws(StorageError) -> (file: Int64, bytes: [UInt8]) {
    try row.requireSeal(over: 5)
    return (row.integer(3), row.bytes(4))
  }

  /// Removes what a file said; the days it spoke of are folded anew.
  mutating func remove(file: Int64) throws(StorageError) {
    var found: [(Series, Int64, [UInt8])] = []
    try connection.rows(
      "SELECT \(Self.columns) FROM part WHERE file = ?", .integer(file)
    ) { row throws(StorageError) in
      try row.requireSeal(over: 5)
      found.append(
        (Series(metric: row.integer(0), source: row.integer(1)), row.integer(2), row.bytes(4)))
    }
    for (series, day, bytes) in found { touch(series, day, bytes) }
    try connection.execute("DELETE FROM part WHERE file = ?", .integer(file))
  }

  /// Keeps the parts of a file; how many speak of what was forgotten and are not kept.
  mutating func keep(
    _ parts: [DayPart], file: Int64, names: inout NameTable
  ) throws(StorageError) -> Int {
    var forgotten = 0
    let select = try connection.statement(
      "SELECT \(Self.columns) FROM part WHERE metric = ? AND source = ? AND day = ?")
    let insert = try connection.statement(
      """
      INSERT INTO part (metric, source, day, file, bytes, seal)
      VALUES (?1, ?2, ?3, ?4, ?5, seal(?1, ?2, ?3, ?4, ?5))
      ON CONFLICT (metric, source, day, file) DO UPDATE SET bytes = excluded.bytes, seal = excluded.seal
      """)
    for part in parts {
      if try marks.cover(Entry(key: part.key, asOf: Instant(seconds: 0), value: nil)) {
        forgotten += 1
        continue
      }
      let series = Series(
        metric: try names.id(of: part.key.metric, connection),
        source: try names.id(of: part.key.source, connection))
      let day = Int64(part.key.day.number)
      touch(series, day, part.bytes)
      var held: [(file: Int64, bytes: [UInt8])] = []
      try select.bind(1, .integer(series.metric))
      try select.bind(2, .integer(series.source))
      try select.bind(3, .integer(day))
      while try select.step() { held.append(try checked(select)) }
      select.reset()
      for other in held
      where other.file != file
        && (filesAhead.contains(other.file) || folding.isCovered(other.bytes, by: part.bytes))
      {
        try connection.execute(
          "DELETE FROM part WHERE metric = ? AND source = ? AND day = ? AND file = ?",
          .integer(series.metric), .integer(series.source), .integer(day), .integer(other.file))
      }
      try insert.run([
        .integer(series.metric), .integer(series.source), .integer(day), .integer(file),
        .blob(part.bytes),
      ])
    }
    return forgotten
  }

  private mutating func touch(_ series: Series, _ day: Int64, _ bytes: [UInt8]) {
    let reach = Int64(folding.reach(of: bytes))
    touched[series, default: []].formUnion((day - reach)...(day + reach))
  }

  /// The entries of the days that were touched, at a moment: nil where a day has no value any more. A day around
  /// them of which nothing was held and nothing is said has none.
  func entries(_ names: NameTable, asOf: Instant) throws(StorageError) -> [Entry] {
    let select = try connection.statement(
      """
      SELECT \(Self.columns) FROM part WHERE metric = ? AND source = ? AND day = ? ORDER BY file
      """)
    let held = try connection.statement(
      "SELECT value FROM entry WHERE day = ? AND metric = ? AND source = ?")
    var entries: [Entry] = []
    for (series, days) in touched {
      guard let metric = names.metrics[series.metric], let source = names.sources[series.source]
      else { throw .damaged(path: connection.path) }
      var parts: [CalendarDay: [[UInt8]]] = [:]
      func load(_ day: Int64) throws(StorageError) {
        let key = CalendarDay(number: Int(day))
        guard parts[key] == nil else { return }
        var found: [[UInt8]] = []
        try select.bind(1, .integer(series.metric))
        try select.bind(2, .integer(series.source))
        try select.bind(3, .integer(day))
        while try select.step() {
          let part = try checked(select)
          if !staleFiles.contains(part.file) { found.append(part.bytes) }
        }
        select.reset()
        parts[key] = found
      }
      for day in days { try load(day) }
      let reach = parts.values.joined().map { Int64(folding.reach(of: $0)) }.max() ?? 0
      if reach > 0 {
        for day in days { for around in (day - reach)...(day + reach) { try load(around) } }
      }
      let values = folding.values(of: parts)
      for day in days {
        let key = EntryKey(day: CalendarDay(number: Int(day)), metric: metric, source: source)
        if let value = values[key.day] {
          entries.append(Entry(key: key, asOf: asOf, value: value))
        } else {
          try held.bind(1, .integer(day))
          try held.bind(2, .integer(series.metric))
          try held.bind(3, .integer(series.source))
          let isHeld = try held.step() && !held.isNull(0)
          held.reset()
          if isHeld { entries.append(Entry(key: key, asOf: asOf, value: nil)) }
        }
      }
    }
    return entries.sorted { $0.key < $1.key }
  }
}
