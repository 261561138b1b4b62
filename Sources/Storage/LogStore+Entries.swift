public import DayLog
public import Time

extension LogStore {
  /// Merges entries, in whatever order they come, and says what became of them.
  ///
  /// - Note: for a person's own edit use ``type(_:_:on:source:now:)``, for a file
  ///   ``merge(_:from:)``.
  @discardableResult
  public func merge(_ entries: [Entry]) throws(StorageError) -> MergeSummary {
    try write { connection throws(StorageError) in
      let summary = try merge(entries, connection)
      try noteChanged(summary.changedDays, connection)
      return summary
    }
  }

  /// Types a value, or clears what was typed (`value` nil): then the imported value shows again.
  ///
  /// The edit counts as later than everything typed before it that this store knows, also where the
  /// clock of another device is ahead.
  @discardableResult
  public func type(
    _ value: Double?, _ metric: Metric, on day: CalendarDay, source: String, now: Instant
  ) throws(StorageError) -> MergeSummary {
    try write { connection throws(StorageError) in
      let summary = try type(value, metric, on: day, source: source, now: now, connection)
      try noteChanged(summary.changedDays, connection)
      return summary
    }
  }

  /// Types values or clears what was typed (nil), in the order given: all of it happens, or nothing.
  @discardableResult
  public func type(
    _ values: [(metric: Metric, value: Double?)], on day: CalendarDay, source: String, now: Instant
  ) throws(StorageError) -> [MergeSummary] {
    try write { connection throws(StorageError) in
      var summaries: [MergeSummary] = []
      for (metric, value) in values {
        summaries.append(
          try type(value, metric, on: day, source: source, now: now, connection))
      }
      try noteChanged(Set(summaries.flatMap(\.changedDays)).sorted(), connection)
      return summaries
    }
  }

  private func type(
    _ value: Double?, _ metric: Metric, on day: CalendarDay, source: String, now: Instant,
    _ connection: Connection
  ) throws(StorageError) -> MergeSummary {
    var asOf = min(now, Self.lastTyped)
    if let last = try latestTyped(day: day, metric: metric, connection), last >= asOf {
      if last < Self.lastTyped {
        asOf = Instant(milliseconds: last.milliseconds + 1)
      } else {
        // No moment is left after one that only a forged file can have brought: it is brought back.
        try bringBack(day: day, metric: metric, to: asOf, connection)
        asOf = Instant(milliseconds: asOf.milliseconds + 1)
      }
    }
    let key = EntryKey(day: day, metric: metric, source: Source(.typed, source))
    return try merge([Entry(key: key, asOf: asOf, value: value)], connection)
  }

  /// The last moment of a typed value: one more can still be counted on from it.
  private static var lastTyped: Instant {
    Instant(milliseconds: Instant.lastWritten.milliseconds - 1)
  }

  /// Dates back to `moment` what was typed or forgotten of a metric of a day later than any clock can show.
  private func bringBack(
    day: CalendarDay, metric: Metric, to moment: Instant, _ connection: Connection
  ) throws(StorageError) {
    let last = Value.integer(Self.lastTyped.milliseconds)
    try connection.execute(
      """
      UPDATE entry SET as_of = ?1, seal = seal(day, metric, source, ?1, value, file)
      WHERE day = ?2 AND metric = ?3 AND as_of >= ?4
      """, .integer(moment.milliseconds), .integer(day.number),
      .integer(try names.id(of: metric, connection)), last)
    try connection.execute(
      """
      UPDATE forgotten SET as_of = ?1, seal = seal(day, metric, ?1)
      WHERE day = ?2 AND metric IN ('', ?3) AND as_of >= ?4
      """, .integer(moment.milliseconds), .integer(day.number), .text(metric.name), last)
  }

  /// Dates back to `now` what was typed or forgotten more than a day after it, by a clock that was ahead. Other
  /// devices do not take such moments before they have come.
  ///
  /// It is for a person to say so: where it is this clock that is behind, the order of edits would be lost.
  ///
  /// - Returns: how many values and marks were dated back.
  public func bringBackMoments(to now: Instant) throws(StorageError) -> Int {
    let limit = Value.integer(now.milliseconds.addingReportingOverflow(Instant.grace).partialValue)
    return try write { connection throws(StorageError) in
      try connection.execute(
        """
        UPDATE entry SET as_of = ?1, seal = seal(day, metric, source, ?1, value, file)
        WHERE as_of > ?2 AND source IN (SELECT id FROM source WHERE origin = 0)
        """, .integer(now.milliseconds), limit)
      let entries = connection.changedRowCount
      try connection.execute(
        "UPDATE forgotten SET as_of = ?1, seal = seal(day, metric, ?1) WHERE as_of > ?2",
        .integer(now.milliseconds), limit)
      return entries + connection.changedRowCount
    }
  }

  /// The entries of these days as they are held: of every source, tombstones too, in order of key.
  public func entries(
    from first: CalendarDay = .distantPast, to last: CalendarDay = .distantFuture
  ) throws(StorageError) -> [Entry] {
    try read { connection throws(StorageError) in
      try entries(from: first, to: last, typedOnly: false, connection)
    }
  }

  /// The merge rule as this store applies it, within the transaction that runs. Whoever calls it notes the
  /// changed days.
  func merge(
    _ entries: [Entry], from file: EntryMerging.Origin? = nil, _ connection: Connection
  ) throws(StorageError) -> MergeSummary {
    var merging = try EntryMerging(
      entries, names: &names, ranking: try sourceRanking(connection), from: file, connection)
    return try merging.run()
  }

  func entries(
    from first: CalendarDay, to last: CalendarDay, typedOnly: Bool, _ connection: Connection
  ) throws(StorageError) -> [Entry] {
    var found: [Entry] = []
    let scan = try EntryScan(names: names, first: first, last: last, connection)
    try scan.run { row throws(StorageError) in
      guard let metric = names.metrics[row.metric], let source = names.sources[row.source]
      else { throw .damaged(path: path) }
      if typedOnly, source.origin == .imported { return }
      let key = EntryKey(day: CalendarDay(number: Int(row.day)), metric: metric, source: source)
      found.append(Entry(key: key, asOf: row.asOf, value: row.value))
    }
    return found.sorted { $0.key < $1.key }
  }

  /// The latest moment at which this metric of this day was typed or forgotten.
  private func latestTyped(
    day: CalendarDay, metric: Metric, _ connection: Connection
  ) throws(StorageError) -> Instant? {
    let typed = try connection.integer(
      """
      SELECT max(as_of) FROM entry
      JOIN metric ON metric.id = entry.metric JOIN source ON source.id = entry.source
      WHERE day = ? AND metric.name = ? AND origin = 0
      """, .integer(day.number), .text(metric.name))
    let forgotten = try ForgottenRows(connection).latest(day: Int64(day.number), metric.name)
    return [typed.map(Instant.init(milliseconds:)), forgotten].compactMap { $0 }.max()
  }

  // MARK: - Changes

  /// The number of the last change, to be kept beside what is derived from the log.
  public func lastChange() throws(StorageError) -> ChangeNumber {
    try read { connection throws(StorageError) in try lastChange(connection) }
  }

  /// The days that show something else than after change number `change`, also forgotten ones; 0 asks
  /// for every day that ever showed anything.
  public func changedDays(since change: ChangeNumber) throws(StorageError) -> [CalendarDay] {
    try read { connection throws(StorageError) in
      var days: [CalendarDay] = []
      try connection.rows(
        "SELECT day FROM day_change WHERE change > ? ORDER BY day", .integer(change)
      ) { row in days.append(CalendarDay(number: Int(row.integer(0)))) }
      return days
    }
  }

  func lastChange(_ connection: Connection) throws(StorageError) -> ChangeNumber {
    try connection.integer("SELECT value FROM change_counter") ?? 0
  }

  func noteChanged(_ days: [CalendarDay], _ connection: Connection) throws(StorageError) {
    guard !days.isEmpty else { return }
    try connection.execute("UPDATE change_counter SET value = value + 1")
    let change = try lastChange(connection)
    for day in days {
      try connection.execute(
        """
        INSERT INTO day_change (day, change) VALUES (?, ?)
        ON CONFLICT (day) DO UPDATE SET change = excluded.change
        """, .integer(day.number), .integer(change))
    }
  }
}
