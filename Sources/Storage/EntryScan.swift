internal import DayLog
internal import Time

/// A row of the log, checked.
struct EntryRow {
  let day: Int64
  let metric: Int64
  let source: Int64
  let asOf: Instant
  let value: Double?

  /// The columns that it is read from, sealed.
  static let columns = "day, metric, source, as_of, value, file, seal"

  /// The row on which a statement for ``columns`` stands.
  ///
  /// - Throws: ``StorageError/damaged(path:)`` where it is not what was written, or nothing that is written.
  init(_ statement: Statement, path: String) throws(StorageError) {
    day = statement.integer(0)
    metric = statement.integer(1)
    source = statement.integer(2)
    asOf = Instant(milliseconds: statement.integer(3))
    value = statement.isNull(4) ? nil : statement.real(4)
    var seal = Seal()
    seal.add(day)
    seal.add(metric)
    seal.add(source)
    seal.add(asOf.milliseconds)
    if let value { seal.add(value) } else { seal.addNull() }
    if statement.isNull(5) { seal.addNull() } else { seal.add(statement.integer(5)) }
    guard !statement.isNull(6), statement.integer(6) == seal.value, value?.isFinite ?? true,
      abs(asOf.milliseconds) <= Instant.lastWritten.milliseconds,
      day >= CalendarDay.distantPast.number, day <= CalendarDay.distantFuture.number
    else { throw .damaged(path: path) }
  }
}

/// Reads the rows of some days in the order of their key, and checks each.
struct EntryScan {
  private let statement: Statement
  private let path: String
  private let isMetric: [Bool]
  private let isSource: [Bool]

  init(
    names: NameTable, first: CalendarDay, last: CalendarDay, _ connection: Connection
  ) throws(StorageError) {
    path = connection.path
    isMetric = Self.flags(names.metrics.keys)
    isSource = Self.flags(names.sources.keys)
    statement = try connection.statement(
      """
      SELECT \(EntryRow.columns) FROM entry WHERE day BETWEEN ? AND ?
      ORDER BY day, metric, source
      """)
    // Without an end every row is read, so that one on no day at all is found.
    try statement.bind(1, .integer(first == .distantPast ? .min : Int64(first.number)))
    try statement.bind(2, .integer(last == .distantFuture ? .max : Int64(last.number)))
  }

  private static func flags(_ ids: some Collection<Int64>) -> [Bool] {
    var flags = [Bool](repeating: false, count: Int(ids.max() ?? 0) + 1)
    for id in ids { flags[Int(id)] = true }
    return flags
  }

  /// Calls `each` with every row.
  ///
  /// - Throws: ``StorageError/damaged(path:)`` at a row that is not what was written, stands out of order, or is
  ///   of a metric or a source that has no name.
  func run(_ each: (EntryRow) throws(StorageError) -> Void) throws(StorageError) {
    defer { statement.reset() }
    var last: (Int64, Int64, Int64)?
    while try statement.step() {
      let row = try EntryRow(statement, path: path)
      let key = (row.day, row.metric, row.source)
      if let last, last >= key { throw .damaged(path: path) }
      last = key
      guard row.metric >= 0, row.metric < isMetric.count, isMetric[Int(row.metric)],
        row.source >= 0, row.source < isSource.count, isSource[Int(row.source)]
      else { throw .damaged(path: path) }
      try each(row)
    }
  }
}
