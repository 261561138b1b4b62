public import DayLog
public import Time

extension LogStore {
  /// Forgets one metric of a day, or all of it: the values leave the rows, the write-ahead log and the
  /// file's free pages, and neither an import nor a sync brings them back.
  ///
  /// One transaction removes the values and every model where anything was ever said of what is forgotten, for
  /// a model's bytes may hold something of it, and so may what a paused training has left. The same transaction
  /// notes that traces are to be erased and models to be trained anew (``pendingWork()``); a training that is
  /// going on cannot save any more.
  /// Payloads that wait for such a day leave the queue: what of them is not forgotten is applied. One of a kind
  /// that this version does not know waits on. A value that is typed later counts again.
  ///
  /// Traces are erased before the call returns, unless somebody else is reading the store all the while or the
  /// disk refuses. Then they stay pending: the next opening for writing erases them.
  ///
  /// - Throws: ``StorageError``; nothing is forgotten then.
  /// - Returns: the days that now show something else.
  @discardableResult
  public func forget(
    _ day: CalendarDay, _ metric: Metric? = nil, now: Instant
  ) throws(StorageError) -> [CalendarDay] {
    let changed = try write { connection throws(StorageError) in
      // Later than all that was typed of it, also by a clock that is ahead, and also where that still waits.
      var asOf = min(now, .lastWritten)
      for entry in try entries(from: day, to: day, typedOnly: true, connection)
      where metric == nil || entry.key.metric == metric { asOf = max(asOf, entry.asOf) }
      for (_, entries) in try waitingEntries(connection) {
        for entry in entries
        where entry.key.day == day && (metric == nil || entry.key.metric == metric) {
          asOf = max(asOf, entry.asOf)
        }
      }
      let mark = ForgetMark(day: day, metric: metric, asOf: asOf)
      let forgotten = try insert([mark], connection).changedDays
      let settled = try settleForgottenPayloads(connection)
      try dropUnusedNames(connection)
      let changed = Set(forgotten + settled).sorted()
      try noteChanged(changed, connection)
      return changed
    }
    eraseTracesOrLeavePending()
    return changed
  }

  /// The marks of what was forgotten.
  public func forgetMarks() throws(StorageError) -> [ForgetMark] {
    try read { connection throws(StorageError) in try forgetMarks(connection) }
  }

  func forgetMarks(_ connection: Connection) throws(StorageError) -> [ForgetMark] {
    var marks: [ForgetMark] = []
    try connection.rows("SELECT day, metric, as_of, seal FROM forgotten ORDER BY day, metric") {
      row throws(StorageError) in
      marks.append(try ForgetMark(row, path: path))
    }
    return marks
  }

  /// What new marks did.
  struct Marking {
    /// How many were new, or later than what was held.
    var newMarks = 0
    /// The days that show something else.
    var changedDays: [CalendarDay] = []
  }

  /// Stores marks and removes what they cover, within the transaction that runs.
  func insert(_ marks: [ForgetMark], _ connection: Connection) throws(StorageError) -> Marking {
    var done = Marking()
    var days: Set<CalendarDay> = []
    for mark in marks {
      try connection.execute(
        """
        INSERT INTO forgotten (day, metric, as_of, seal) VALUES (?1, ?2, ?3, seal(?1, ?2, ?3))
        ON CONFLICT (day, metric) DO UPDATE SET as_of = excluded.as_of, seal = excluded.seal
        WHERE as_of < excluded.as_of
        """, .integer(mark.day.number), .text(mark.metric?.name ?? ""),
        .integer(mark.asOf.milliseconds))
      guard connection.changedRowCount > 0 else { continue }
      done.newMarks += 1
      days.insert(mark.day)
    }
    guard !days.isEmpty else { return done }
    try beginErasure(connection)
    // What files said of such a day goes too; a mark covers all that is imported.
    try connection.execute(
      """
      DELETE FROM part WHERE day IN (SELECT day FROM forgotten WHERE metric = '')
        OR (day, metric) IN (
          SELECT forgotten.day, metric.id FROM forgotten JOIN metric ON metric.name = forgotten.metric)
      """)
    let known = try ForgottenRows(connection)
    var removesEntries = false
    for day in days.sorted() {
      let before = try shown(on: day, connection)
      for entry in try entries(from: day, to: day, typedOnly: false, connection)
      where try known.cover(entry) {
        removesEntries = true
        try connection.execute(
          "DELETE FROM entry WHERE day = ? AND metric = ? AND source = ?", .integer(day.number),
          .integer(try names.id(of: entry.key.metric, connection)),
          .integer(try names.id(of: entry.key.source, connection)))
      }
      if try shown(on: day, connection) != before { done.changedDays.append(day) }
    }
    // What was said of a later day may rest on one of these.
    if let first = days.min() {
      try connection.execute("DELETE FROM nudge WHERE day >= ?", .integer(first.number))
    }
    // Also where the day shows what it showed: a model may know the value that a removed tombstone had cleared.
    if removesEntries { try forgetTrainings(connection) }
    return done
  }

  /// Removes the names of metrics and sources that nothing in the log is of any more, and what was wanted of such
  /// a metric, within the transaction that runs.
  func dropUnusedNames(_ connection: Connection) throws(StorageError) {
    var count = 0
    for table in ["metric", "source"] {
      try connection.execute(
        """
        DELETE FROM \(table) WHERE id NOT IN (SELECT \(table) FROM entry)
          AND id NOT IN (SELECT \(table) FROM part)
        """)
      count += connection.changedRowCount
    }
    guard count > 0 else { return }
    try connection.execute(
      "DELETE FROM wanted_target WHERE metric NOT IN (SELECT name FROM metric)")
    names = try NameTable(connection)
  }

  /// What the payloads that wait will say; one that cannot be read says nothing.
  private func waitingEntries(
    _ connection: Connection
  ) throws(StorageError) -> [(payload: QueuedPayload, entries: [Entry])] {
    let dayStart = try value(of: .dayStart, connection)
    return try waitingPayloads(connection).map { payload in
      (payload, payload.content?.entries(dayStart: dayStart) ?? [])
    }
  }

  /// Takes the payloads of which something is forgotten out of the queue, within the transaction that runs,
  /// and applies the rest of them.
  ///
  /// - Returns: the days that show something else.
  func settleForgottenPayloads(_ connection: Connection) throws(StorageError) -> [CalendarDay] {
    let marks = try ForgottenRows(connection)
    guard !marks.isEmpty else { return [] }
    var changed: [CalendarDay] = []
    for (payload, entries) in try waitingEntries(connection) {
      var isForgotten = false
      for entry in entries where try marks.cover(entry) { isForgotten = true }
      guard isForgotten else { continue }
      try beginErasure(connection)
      changed += try merge(entries, connection).changedDays
      try remove(payload, connection)
    }
    return changed
  }

  private func shown(
    on day: CalendarDay, _ connection: Connection
  ) throws(StorageError) -> [Int: UInt64] {
    let scan = try ResolvedScan(
      names: names, ranking: try sourceRanking(connection), first: day, last: day, connection)
    var values: [Int: UInt64] = [:]
    try scan.run { _, column, value, _ in values[column] = value.bitPattern }
    return values
  }
}
