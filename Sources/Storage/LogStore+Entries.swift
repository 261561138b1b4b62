public import DayLog
public import Time

extension LogStore {
  /// Merges entries, in whatever order they come, and says what became of them.
  ///
  /// - Note: for a person's own edit use ``type(_:_:on:source:now:)``, for a file
  ///   ``merge(_:from:)``.
  @discardableResult
  public func merge(_ entries: [Entry]) throws(StorageError) -> MergeSummary {
    try write { connection throws(StorageError) in try merge(entries, connection) }
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
      try type(value, metric, on: day, source: source, now: now, connection)
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
      return summaries
    }
  }

  private func type(
    _ value: Double?, _ metric: Metric, on day: CalendarDay, source: String, now: Instant,
    _ connection: Connection
  ) throws(StorageError) -> MergeSummary {
    var asOf = now
    if let last = try latestTyped(day: day, metric: metric, connection), last >= asOf {
      asOf = Instant(milliseconds: last.milliseconds + 1)
    }
    let key = EntryKey(day: day, metric: metric, source: Source(.typed, source))
    return try merge([Entry(key: key, asOf: asOf, value: value)], connection)
  }

  /// The entries of these days as they are held: of every source, tombstones too, in order of key.
  public func entries(
    from first: CalendarDay = .distantPast, to last: CalendarDay = .distantFuture
  ) throws(StorageError) -> [Entry] {
    try read { connection throws(StorageError) in
      try entries(from: first, to: last, typedOnly: false, connection)
    }
  }

  /// The merge rule as this store applies it, within the transaction that runs.
  func merge(
    _ entries: [Entry], file: Int64? = nil, staleFiles: Set<Int64> = [], areFolded: Bool = false,
    _ connection: Connection
  ) throws(StorageError) -> MergeSummary {
    var merging = try EntryMerging(
      entries, names: &names, marks: try forgetMarks(connection),
      ranking: try sourceRanking(connection), file: file, staleFiles: staleFiles,
      areFolded: areFolded, connection)
    let summary = try merging.run()
    try noteChanged(summary.changedDays, connection)
    return summary
  }

  func entries(
    from first: CalendarDay, to last: CalendarDay, typedOnly: Bool, _ connection: Connection
  ) throws(StorageError) -> [Entry] {
    var found: [Entry] = []
    try connection.rows(
      """
      SELECT day, metric, source, as_of, value FROM entry JOIN source ON source.id = entry.source
      WHERE day BETWEEN ? AND ? AND origin <= ?
      """, .integer(first.number), .integer(last.number), .integer(typedOnly ? 0 : 1)
    ) { row throws(StorageError) in
      guard let metric = names.metrics[row.integer(1)], let source = names.sources[row.integer(2)]
      else { throw .damaged(path: path) }
      let key = EntryKey(
        day: CalendarDay(number: Int(row.integer(0))), metric: metric, source: source)
      found.append(
        Entry(
          key: key, asOf: Instant(milliseconds: row.integer(3)),
          value: row.isNull(4) ? nil : row.real(4)))
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
    let forgotten = try forgetMarks(connection).forgotten(day: day, metric: metric)
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
