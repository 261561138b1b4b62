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
      var asOf = now
      for entry in try entries(from: day, to: day, typedOnly: true, connection)
      where metric == nil || entry.key.metric == metric { asOf = max(asOf, entry.asOf) }
      for (_, entries) in try waitingEntries(connection) {
        for entry in entries
        where entry.key.day == day && (metric == nil || entry.key.metric == metric) {
          asOf = max(asOf, entry.asOf)
        }
      }
      let forgotten = try insert([ForgetMark(day: day, metric: metric, asOf: asOf)], connection)
      return Set(forgotten + (try settleForgottenPayloads(connection))).sorted()
    }
    eraseTracesOrLeavePending()
    return changed
  }

  /// The marks of what was forgotten.
  public func forgetMarks() throws(StorageError) -> [ForgetMark] {
    try read { connection throws(StorageError) in try forgetMarks(connection).all }
  }

  func forgetMarks(_ connection: Connection) throws(StorageError) -> ForgetMarks {
    var marks = ForgetMarks()
    try connection.rows("SELECT day, metric, as_of FROM forgotten") { row throws(StorageError) in
      let name = row.text(1)
      let metric = Metric(name)
      guard name.isEmpty || metric != nil else { throw .damaged(path: path) }
      marks.insert(
        ForgetMark(
          day: CalendarDay(number: Int(row.integer(0))), metric: metric,
          asOf: Instant(milliseconds: row.integer(2))))
    }
    return marks
  }

  /// Stores marks and removes what they cover, within the transaction that runs.
  ///
  /// - Returns: the days that show something else.
  func insert(_ marks: [ForgetMark], _ connection: Connection) throws(StorageError) -> [CalendarDay]
  {
    var known = try forgetMarks(connection)
    let fresh = marks.filter { known.insert($0) }
    guard !fresh.isEmpty else { return [] }
    try beginErasure(connection)
    for mark in fresh {
      try connection.execute(
        """
        INSERT INTO forgotten (day, metric, as_of) VALUES (?, ?, ?)
        ON CONFLICT (day, metric) DO UPDATE SET as_of = max(as_of, excluded.as_of)
        """, .integer(mark.day.number), .text(mark.metric?.name ?? ""),
        .integer(mark.asOf.milliseconds))
    }
    var changed: [CalendarDay] = []
    var removesEntries = false
    for day in Set(fresh.map(\.day)).sorted() {
      let before = try shown(on: day, connection)
      for entry in try entries(from: day, to: day, typedOnly: false, connection)
      where known.cover(entry) {
        removesEntries = true
        try connection.execute(
          "DELETE FROM entry WHERE day = ? AND metric = ? AND source = ?", .integer(day.number),
          .integer(try names.id(of: entry.key.metric, connection)),
          .integer(try names.id(of: entry.key.source, connection)))
      }
      for mark in fresh where mark.day == day {
        guard let metric = mark.metric else {
          try connection.execute("DELETE FROM part WHERE day = ?", .integer(day.number))
          continue
        }
        try connection.execute(
          "DELETE FROM part WHERE day = ? AND metric = ?", .integer(day.number),
          .integer(try names.id(of: metric, connection)))
      }
      // What was said of a later day may rest on this one.
      try connection.execute("DELETE FROM nudge WHERE day >= ?", .integer(day.number))
      if try shown(on: day, connection) != before { changed.append(day) }
    }
    try noteChanged(changed, connection)
    // Also where the day shows what it showed: a model may know the value that a removed tombstone had cleared.
    if removesEntries { try forgetTrainings(connection) }
    return changed
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
    let marks = try forgetMarks(connection)
    guard !marks.isEmpty else { return [] }
    var changed: [CalendarDay] = []
    for (payload, entries) in try waitingEntries(connection)
    where entries.contains(where: marks.cover) {
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
