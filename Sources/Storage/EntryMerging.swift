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

  private let connection: Connection
  private let marks: ForgetMarks
  private let standings: [Int64: SourceStanding]
  private let select: Statement
  private let upsert: Statement
  /// The file that the entries come from, and those whose entries were put on days by another day start
  /// than the one in force: whatever they say is replaced.
  private let file: Int64?
  private let staleFiles: Set<Int64>
  /// Whether the entries are what all parts of their days come to, so that they replace whatever is held.
  private let areFolded: Bool
  private var rows: [Row] = []
  private var summary = MergeSummary()

  init(
    _ entries: [Entry], names: inout NameTable, marks: ForgetMarks, ranking: SourceRanking,
    file: Int64? = nil, staleFiles: Set<Int64> = [], areFolded: Bool = false,
    _ connection: Connection
  ) throws(StorageError) {
    self.areFolded = areFolded
    self.connection = connection
    self.marks = marks
    self.file = file
    self.staleFiles = staleFiles
    rows.reserveCapacity(entries.count)
    for entry in entries {
      if marks.cover(entry) {
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
      "SELECT source, as_of, value, file FROM entry WHERE day = ? AND metric = ?")
    upsert = try connection.statement(
      """
      INSERT INTO entry (day, metric, source, as_of, value, file) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (day, metric, source)
      DO UPDATE SET as_of = excluded.as_of, value = excluded.value, file = excluded.file
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
      held[select.integer(0)] = Held(
        asOf: Instant(milliseconds: select.integer(1)),
        value: select.isNull(2) ? nil : select.real(2),
        file: select.isNull(3) ? nil : select.integer(3))
    }
    select.reset()

    let before = resolve(held)
    var fresh = 0
    var refreshed = 0
    var written: Set<Int64> = []
    for row in rows[group] {
      if let known = held[row.source] {
        let isStale = known.file.map(staleFiles.contains) ?? false
        guard
          isStale || areFolded
            || Merge.supersedes(
              asOf: row.asOf, value: row.value, heldAsOf: known.asOf, heldValue: known.value)
        else {
          let isSame = row.value?.bitPattern == known.value?.bitPattern
          if isSame { summary.unchanged += 1 } else { summary.outdated += 1 }
          continue
        }
        if row.value?.bitPattern == known.value?.bitPattern {
          summary.unchanged += 1
        } else if row.value == nil {
          summary.removed += 1
        } else {
          refreshed += 1
        }
      } else if row.value == nil {
        summary.removed += 1
      } else {
        fresh += 1
      }
      held[row.source] = Held(asOf: row.asOf, value: row.value, file: file)
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
    let isImported = rows[group].contains { standings[$0.source]?.rank != nil }
    if after.isTyped && isImported {
      summary.keptTyped += fresh + refreshed
    } else {
      summary.added += fresh
      summary.refreshed += refreshed
    }
    return before.shown?.value.bitPattern != after.shown?.value.bitPattern
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
