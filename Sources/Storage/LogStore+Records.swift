import DayLog
public import Time

/// A nudge that was shown.
public struct NudgeRecord: Sendable, Equatable {
  /// Tells it from all others, for example the day on which it was sent: no nudge is shown twice.
  public let id: String
  /// The day that it speaks of.
  public let day: CalendarDay
  /// When it was shown.
  public let sentAt: Instant
  /// What it said.
  public let text: String

  /// A nudge about `day`.
  public init(id: String, day: CalendarDay, sentAt: Instant, text: String) {
    self.id = id
    self.day = day
    self.sentAt = sentAt
    self.text = text
  }
}

extension LogStore {
  // MARK: - Records

  /// The records of a space, such as the state of all tasks, by identifier: bytes whose form is known
  /// to those who put them there.
  public func records(in space: String) throws(StorageError) -> [String: [UInt8]] {
    try read { connection throws(StorageError) in try records(in: space, connection) }
  }

  /// Reads the records of a space, lets `body` change them, and stores what it left: in one
  /// transaction, so that no write of another process comes between.
  public func updateRecords<Result: Sendable>(
    in space: String, _ body: @Sendable (inout [String: [UInt8]]) -> Result
  ) throws(StorageError) -> Result {
    try write { connection throws(StorageError) in
      let before = try records(in: space, connection)
      var after = before
      let result = body(&after)
      for id in before.keys where after[id] == nil {
        try connection.execute(
          "DELETE FROM record WHERE space = ? AND id = ?", .text(space), .text(id))
      }
      for (id, bytes) in after where before[id] != bytes {
        try connection.execute(
          """
          INSERT INTO record (space, id, bytes) VALUES (?, ?, ?)
          ON CONFLICT (space, id) DO UPDATE SET bytes = excluded.bytes
          """, .text(space), .text(id), .blob(bytes))
      }
      return result
    }
  }

  private func records(
    in space: String, _ connection: Connection
  ) throws(StorageError) -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    try connection.rows("SELECT id, bytes FROM record WHERE space = ?", .text(space)) { row in
      found[row.text(0)] = row.bytes(1)
    }
    return found
  }

  // MARK: - Nudges

  /// Notes that a nudge is shown; false where one of its id has been noted before.
  public func note(_ nudge: NudgeRecord) throws(StorageError) -> Bool {
    try write { connection throws(StorageError) in
      try connection.execute(
        """
        INSERT INTO nudge (id, day, sent_at, text, seal)
        VALUES (?1, ?2, ?3, ?4, seal(?1, ?2, ?3, ?4)) ON CONFLICT (id) DO NOTHING
        """, .text(nudge.id), .integer(nudge.day.number), .integer(nudge.sentAt.milliseconds),
        .text(nudge.text))
      return connection.changedRowCount == 1
    }
  }

  /// The nudges that were shown, the last first.
  public func nudges(limit: Int = 100) throws(StorageError) -> [NudgeRecord] {
    try read { connection throws(StorageError) in
      var found: [NudgeRecord] = []
      try connection.rows(
        "SELECT id, day, sent_at, text, seal FROM nudge ORDER BY sent_at DESC, id LIMIT ?",
        .integer(limit)
      ) { row throws(StorageError) in
        try row.requireSeal(over: 4)
        found.append(
          NudgeRecord(
            id: row.text(0), day: CalendarDay(number: Int(row.integer(1))),
            sentAt: Instant(milliseconds: row.integer(2)), text: row.text(3)))
      }
      return found
    }
  }
}
