public import DayLog
public import Time

/// A file that was imported: recognised by its content, whatever it is called.
public struct ImportedFile: Sendable, Equatable {
  /// 16 bytes that stand for the file's content.
  public let hash: [UInt8]
  /// Its length; nil where an earlier version imported it and did not keep that.
  public let byteCount: Int?
  /// What it was called.
  public let name: String
  /// The moment of its last import.
  public let importedAt: Instant
  /// The day start by which its instants were put on days, in seconds after midnight; nil where it
  /// names days itself, so that no day start matters.
  public let dayStart: Int?
  /// With what it was read beside that, such as a zone or a choice of columns: reading it otherwise
  /// is another import.
  public let reading: String

  /// A file with this content hash of 16 bytes.
  public init(
    hash: [UInt8], byteCount: Int? = nil, name: String, importedAt: Instant, dayStart: Int?,
    reading: String = ""
  ) {
    precondition(hash.count == 16, "a content hash has 128 bits")
    self.hash = hash
    self.byteCount = byteCount
    self.name = name
    self.importedAt = importedAt
    self.dayStart = dayStart
    self.reading = reading
  }
}

extension LogStore {
  /// All imported files, the last first.
  public func importedFiles() throws(StorageError) -> [ImportedFile] {
    try read { connection throws(StorageError) in try files(connection).map(\.file) }
  }

  /// The files that put their values on days by another day start than the one in force: they wait to be
  /// imported again.
  public func staleFiles() throws(StorageError) -> [ImportedFile] {
    try read { connection throws(StorageError) in
      let dayStart = try value(of: .dayStart, connection)
      return try files(connection).map(\.file).filter { ($0.dayStart ?? dayStart) != dayStart }
    }
  }

  /// Merges the entries of a file, keeps its parts of days, and notes that it was imported. The days that its
  /// parts touch are folded anew out of the parts of all files.
  ///
  /// Where the same content was imported before with another day start or reading, what still stands
  /// of it goes first: values that are now on another day must not stay on the old one too. An entry of
  /// any file that was put on its day by another day start gives way to these entries whatever its
  /// as-of. Once every file has been imported again the log is that of a first import of all of them.
  @discardableResult
  public func merge(
    _ entries: [Entry], parts: [DayPart] = [], foldedBy folding: (any DayFolding)? = nil,
    from file: ImportedFile
  ) throws(StorageError) -> MergeSummary {
    precondition(parts.isEmpty || folding != nil, "parts are folded")
    let summary = try write { connection throws(StorageError) in
      let dayStart = try value(of: .dayStart, connection)
      let known = try files(connection)
      let stale = Set(
        known.filter { ($0.file.dayStart ?? dayStart) != dayStart }.map(\.id))
      let previous = known.first { $0.file.hash == file.hash }
      var before: [CalendarDay: [ResolvedDay.Item]] = [:]
      var keeping = try folding.map { folding throws(StorageError) in
        PartKeeping(
          connection, folding: folding, marks: try ForgottenRows(connection),
          // This one is read anew.
          staleFiles: stale.subtracting([previous?.id].compactMap(\.self)),
          filesAhead: Set(
            known.filter { $0.file.importedAt.isBeyond(file.importedAt) }.map(\.id)))
      }
      if let previous,
        previous.file.dayStart != file.dayStart || previous.file.reading != file.reading
      {
        for day in try days(ofFile: previous.id, connection) {
          before[day] = try items(on: day, connection)
        }
        try keeping?.remove(file: previous.id)
        try connection.execute("DELETE FROM part WHERE file = ?", .integer(previous.id))
        try connection.execute("DELETE FROM entry WHERE file = ?", .integer(previous.id))
      }
      let id = try note(file, connection)
      var origin = EntryMerging.Origin(file: id, staleFiles: stale, importedAt: file.importedAt)
      var summary = try merge(entries, from: origin, connection)
      if var keeping {
        summary.forgotten += try keeping.keep(parts, file: id, names: &names)
        origin.areFolded = true
        let folded = try merge(
          try keeping.entries(names, asOf: file.importedAt), from: origin, connection)
        summary.add(folded)
        summary.changedDays = Set(summary.changedDays + folded.changedDays).sorted()
      }
      // A day whose values went with the old reading has changed too, unless it got the same again.
      if !before.isEmpty {
        var changed = Set(summary.changedDays)
        for (day, items) in before {
          let same =
            try items.map(\.shownValue) == self.items(on: day, connection).map(\.shownValue)
          if same { changed.remove(day) } else { changed.insert(day) }
        }
        summary.changedDays = changed.sorted()
      }
      try noteChanged(summary.changedDays, connection)
      return summary
    }
    if entries.count + parts.count > 10_000 { try truncateLog() }
    return summary
  }

  /// Enters a file, or what is known of it anew, and returns its number.
  private func note(_ file: ImportedFile, _ connection: Connection) throws(StorageError) -> Int64 {
    let id = try connection.integer(
      """
      INSERT INTO imported_file (id, hash, byte_count, name, imported_at, day_start, reading)
      SELECT ifnull(max(id), 0) + 1, ?1, ?2, ?3, ?4, ?5, ?6 FROM imported_file WHERE true
      ON CONFLICT (hash) DO UPDATE SET byte_count = excluded.byte_count, name = excluded.name,
        imported_at = excluded.imported_at, day_start = excluded.day_start,
        reading = excluded.reading
      RETURNING id
      """, .blob(file.hash), file.byteCount.map { Value.integer($0) } ?? .null,
      .text(file.name), .integer(file.importedAt.milliseconds),
      file.dayStart.map { Value.integer($0) } ?? .null, .text(file.reading))
    guard let id else { throw .damaged(path: path) }
    try connection.execute(
      """
      UPDATE imported_file
      SET seal = seal(id, hash, name, imported_at, day_start, reading, byte_count) WHERE id = ?
      """, .integer(id))
    return id
  }

  /// Folds the write-ahead log into the file, as far as other processes let it.
  private func truncateLog() throws(StorageError) {
    let connection = try connection
    _ = try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func files(
    _ connection: Connection
  ) throws(StorageError) -> [(id: Int64, file: ImportedFile)] {
    var found: [(id: Int64, file: ImportedFile)] = []
    try connection.rows(
      """
      SELECT id, hash, name, imported_at, day_start, reading, byte_count, seal FROM imported_file
      ORDER BY imported_at DESC, id DESC
      """
    ) { row throws(StorageError) in
      try row.requireSeal(over: 7)
      guard row.bytes(1).count == 16 else { throw .damaged(path: path) }
      found.append(
        (
          row.integer(0),
          ImportedFile(
            hash: row.bytes(1), byteCount: row.isNull(6) ? nil : Int(row.integer(6)),
            name: row.text(2),
            importedAt: Instant(milliseconds: row.integer(3)),
            dayStart: row.isNull(4) ? nil : Int(row.integer(4)), reading: row.text(5))
        ))
    }
    return found
  }

  private func days(
    ofFile id: Int64, _ connection: Connection
  ) throws(StorageError) -> [CalendarDay] {
    var days: [CalendarDay] = []
    try connection.rows("SELECT DISTINCT day FROM entry WHERE file = ?", .integer(id)) { row in
      days.append(CalendarDay(number: Int(row.integer(0))))
    }
    return days
  }

  private func items(
    on day: CalendarDay, _ connection: Connection
  ) throws(StorageError) -> [ResolvedDay.Item] {
    try days(from: day, to: day, connection).first?.items ?? []
  }
}

extension ResolvedDay.Item {
  fileprivate var shownValue: [String] { [metric.name, String(resolved.value.bitPattern)] }
}
