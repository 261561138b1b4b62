internal import DayLog
import Time

/// Merges entries into the rows of a store within the transaction that runs: the one way in which an
/// entry gets there. What is kept and what is shown is decided by `Merge`, never by SQL.
struct EntryMerging {
  private struct Row {
    var day: Int64
    var metric: Int64
    var source: Int64
    var asOf: Instant
    var value: Double?
  }

  private struct Held {
    var asOf: Instant
    var value: Double?
    var file: Int64?
  }

  /// Where imported entries come from.
  struct Origin {
    /// The file.
    let file: Int64
    /// The files whose entries were put on days by another day start than the one in force: whatever they say is
    /// replaced.
    let staleFiles: Set<Int64>
    /// The moment of the import. A word of the same source from beyond it, by a clock that was ahead, gives way
    /// to what the file says now, and what the file itself dates beyond it counts as of this moment.
    let importedAt: Instant
    /// Whether the entries are what all parts of their days come to, so that they replace whatever is held.
    var areFolded = false
  }

  private let standings: [Int64: SourceStanding]
  private let select: Statement
  private let upsert: Statement
  private let path: String
  private let origin: Origin?
  private var rows: [Row] = []
  private var summary = MergeSummary()

  init(
    _ entries: [Entry], names: inout NameTable, ranking: SourceRanking, from origin: Origin? = nil,
    _ connection: Connection
  ) throws(StorageError) {
    self.origin = origin
    path = connection.path
    let marks = try ForgottenRows(connection)
    rows.reserveCapacity(entries.count)
    for entry in entries {
      let entry = origin.map { entry.broughtBack(to: $0.importedAt) } ?? entry
      if try marks.cover(entry) {
        summary.forgotten += 1
        continue
      }
      rows.append(
        Row(
          day: Int64(entry.key.day.number), metric: try names.id(of: entry.key.metric, connection),
          source: try names.id(of: entry.key.source, connection), asOf: entry.asOf,
          value: entry.value))
    }
    standings = names.standings(ranking)
    select = try connection.statement(
      "SELECT \(EntryRow.columns) FROM entry WHERE day = ? AND metric = ?")
    upsert = try connection.statement(
      """
      INSERT INTO entry (day, metric, source, as_of, value, file, seal)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, seal(?1, ?2, ?3, ?4, ?5, ?6))
      ON CONFLICT (day, metric, source) DO UPDATE
      SET as_of = excluded.as_of, value = excluded.value, file = excluded.file, seal = excluded.seal
      """)
  }

  /// Does it, and says what became of each entry.
  mutating func run() throws(StorageError) -> MergeSummary {
    rows.sort { a, b in
      if a.day != b.day { return a.day < b.day }
      return a.metric != b.metric ? a.metric < b.metric : a.source < b.source
    }
    var changed: [CalendarDay] = []
    var start = 0
    while start < rows.count {
      var end = start
      while end < rows.count, rows[end].day == rows[start].day,
        rows[end].metric == rows[start].metric
      { end += 1 }
      if try mergeGroup(start..<end) {
        let day = CalendarDay(number: Int(rows[start].day))
        if changed.last != day { changed.append(day) }
      }
      start = end
    }
    summary.changedDays = changed
    return summary
  }

  /// Merges the rows of one day and metric; true where the day then shows something else.
  private mutating func mergeGroup(_ group: Range<Int>) throws(StorageError) -> Bool {
    let (day, metric) = (rows[group.lowerBound].day, rows[group.lowerBound].metric)
    var held: [Int64: Held] = [:]
    try select.bind(1, .integer(day))
    try select.bind(2, .integer(metric))
    while try select.step() {
      let row = try EntryRow(select, path: path)
      held[row.source] = Held(
        asOf: row.asOf, value: row.value, file: select.isNull(5) ? nil : select.integer(5))
    }
    select.reset()

    let before = resolve(held)
    var fresh = Counts()
    var refreshed = Counts()
    var written: Set<Int64> = []
    for row in rows[group] {
      var row = row
      let isImported = standings[row.source]?.rank != nil
      if let known = held[row.source] {
        let isSame = row.value?.bitPattern == known.value?.bitPattern
        if let origin, !written.contains(row.source), !isSame, known.asOf > row.asOf,
          row.asOf == origin.importedAt, !known.asOf.isBeyond(origin.importedAt)
        {
          // The clock was set back a little since the last import: this one is later all the same.
          row.asOf = Instant(milliseconds: known.asOf.milliseconds + 1)
        }
        guard
          givesWay(known)
            || Merge.supersedes(
              asOf: row.asOf, value: row.value, heldAsOf: known.asOf, heldValue: known.value)
        else {
          if isSame { summary.unchanged += 1 } else { summary.outdated += 1 }
          continue
        }
        if isSame {
          summary.unchanged += 1
        } else if row.value == nil {
          summary.removed += 1
        } else {
          refreshed.add(isImported)
        }
      } else if row.value == nil {
        summary.removed += 1
      } else {
        fresh.add(isImported)
      }
      held[row.source] = Held(asOf: row.asOf, value: row.value, file: origin?.file)
      written.insert(row.source)
    }
    for source in written.sorted() {
      guard let word = held[source] else { continue }
      try upsert.run([
        .integer(day), .integer(metric), .integer(source), .integer(word.asOf.milliseconds),
        .real(word.value), .integer(word.file),
      ])
    }
    let after = resolve(held)
    summary.added += fresh.typed
    summary.refreshed += refreshed.typed
    if after.isTyped {
      summary.keptTyped += fresh.imported + refreshed.imported
    } else {
      summary.added += fresh.imported
      summary.refreshed += refreshed.imported
    }
    return before.shown?.value.bitPattern != after.shown?.value.bitPattern
  }

  /// How many entries of a day and metric were typed, and how many imported.
  private struct Counts {
    var typed = 0
    var imported = 0

    mutating func add(_ isImported: Bool) {
      if isImported { imported += 1 } else { typed += 1 }
    }
  }

  /// Whether what is held is replaced by a file whatever its moment.
  private func givesWay(_ held: Held) -> Bool {
    guard let origin else { return false }
    if origin.areFolded { return true }
    if let file = held.file, origin.staleFiles.contains(file) { return true }
    return held.asOf.isBeyond(origin.importedAt)
  }

  private func resolve(_ held: [Int64: Held]) -> Resolution<Int> {
    var resolution = Resolution<Int>()
    for (source, word) in held {
      guard let standing = standings[source] else { continue }
      resolution.add(
        value: word.value, asOf: word.asOf, rank: standing.rank, source: standing.place)
    }
    return resolution
  }
}
