public import DayLog

extension LogStore {
  /// Forgets one metric of a day, or all of it: the values leave the rows, the write-ahead log and the
  /// file's free pages, and neither an import nor a sync brings them back.
  ///
  /// Models are removed in the same transaction where a day changed that they may have been trained on,
  /// for their bytes hold something of it, and so does what a paused training has left; a training that is
  /// going on cannot save any more. Who wants to update models exactly reads them before. Payloads
  /// that wait for such a day leave the queue: what of them is not forgotten is applied. A value that is typed later counts
  /// again.
  ///
  /// - Returns: the days that now show something else.
  @discardableResult
  public func forget(
    _ day: CalendarDay, _ metric: Metric? = nil, now: Instant
  ) throws(StorageError) -> [CalendarDay] {
    let changed = try write { connection throws(StorageError) in
      var asOf = now
      for entry in try entries(from: day, to: day, typedOnly: true, connection)
      where metric == nil || entry.key.metric == metric { asOf = max(asOf, entry.asOf) }
      let mark = ForgetMark(day: day, metric: metric, asOf: asOf)
      let dayStart = try value(of: .dayStart, connection)
      for payload in try waitingPayloads(connection) {
        guard let content = payload.content, content.day(dayStart: dayStart) == day else {
          continue
        }
        if metric == nil || content.metrics.contains(where: { $0 == metric }) {
          try apply(
            content.entries(source: Payload.source, dayStart: dayStart), of: payload, connection)
        }
      }
      return try insert([mark], connection)
    }
    try removeTraces()
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
    for mark in fresh {
      try connection.execute(
        """
        INSERT INTO forgotten (day, metric, as_of) VALUES (?, ?, ?)
        ON CONFLICT (day, metric) DO UPDATE SET as_of = max(as_of, excluded.as_of)
        """, .integer(mark.day.number), .text(mark.metric?.name ?? ""),
        .integer(mark.asOf.milliseconds))
    }
    var changed: [CalendarDay] = []
    for day in Set(fresh.map(\.day)).sorted() {
      let before = try shown(on: day, connection)
      for entry in try entries(from: day, to: day, typedOnly: false, connection)
      where known.cover(entry) {
        try connection.execute(
          "DELETE FROM entry WHERE day = ? AND metric = ? AND source = ?", .integer(day.number),
          .integer(try names.id(of: entry.key.metric, connection)),
          .integer(try names.id(of: entry.key.source, connection)))
      }
      // What was said of a later day may rest on this one.
      try connection.execute("DELETE FROM nudge WHERE day >= ?", .integer(day.number))
      if try shown(on: day, connection) != before { changed.append(day) }
    }
    try noteChanged(changed, connection)
    if !changed.isEmpty { try forgetTrainings(connection) }
    return changed
  }

  /// Folds the write-ahead log into the file and empties it: it may hold earlier pages.
  func removeTraces() throws(StorageError) {
    let connection = try connection
    let isBusy = try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)")
    if isBusy != 0 { throw .busy(path: path) }
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
