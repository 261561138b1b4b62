public import DayLog

/// The right to do something that only one process may do at a time.
public struct Lease: Sendable, Equatable {
  /// What it is the right to do, such as the identifier of a task.
  public let name: String
  /// Who holds it: a text that no other process uses.
  public let owner: String
  /// When it ends, unless it is renewed.
  public let until: Instant
}

/// A nudge that was shown.
public struct NudgeRecord: Sendable, Equatable {
  /// Tells it from all others, for example by target and day: no nudge is shown twice.
  public let id: String
  /// The day that it speaks of.
  public let day: CalendarDay
  public let sentAt: Instant
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

  // MARK: - Leases

  /// Takes the right to do `name`, or renews it for the same owner; nil while another holds it.
  public func acquireLease(
    _ name: String, owner: String, now: Instant, seconds: Int64
  ) throws(StorageError) -> Lease? {
    try write { connection throws(StorageError) in
      let lease = Lease(name: name, owner: owner, until: now.advanced(bySeconds: seconds))
      try connection.execute(
        """
        INSERT INTO lease (name, owner, until) VALUES (?1, ?2, ?3)
        ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until
        WHERE lease.owner = ?2 OR lease.until <= ?4
        """, .text(name), .text(owner), .integer(lease.until.milliseconds),
        .integer(now.milliseconds))
      return connection.changedRowCount == 1 ? lease : nil
    }
  }

  /// Gives the right back; without effect where it has passed to another owner.
  public func release(_ lease: Lease) throws(StorageError) {
    try write { connection throws(StorageError) in
      try connection.execute(
        "DELETE FROM lease WHERE name = ? AND owner = ?", .text(lease.name), .text(lease.owner))
    }
  }

  /// Who holds the right to do `name`, also where its time is over; nil where nobody does.
  public func lease(_ name: String) throws(StorageError) -> Lease? {
    try read { connection throws(StorageError) in
      var found: Lease?
      try connection.rows("SELECT owner, until FROM lease WHERE name = ?", .text(name)) { row in
        found = Lease(
          name: name, owner: row.text(0), until: Instant(milliseconds: row.integer(1)))
      }
      return found
    }
  }

  func require(_ lease: Lease, _ connection: Connection) throws(StorageError) {
    let owner = try connection.text("SELECT owner FROM lease WHERE name = ?", .text(lease.name))
    guard owner == lease.owner else { throw .leaseLost(name: lease.name) }
  }

  // MARK: - Nudges

  /// Notes that a nudge is shown; false where one of its id has been noted before.
  public func note(_ nudge: NudgeRecord) throws(StorageError) -> Bool {
    try write { connection throws(StorageError) in
      try connection.execute(
        """
        INSERT INTO nudge (id, day, sent_at, text) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
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
        "SELECT id, day, sent_at, text FROM nudge ORDER BY sent_at DESC, id LIMIT ?",
        .integer(limit)
      ) { row in
        found.append(
          NudgeRecord(
            id: row.text(0), day: CalendarDay(number: Int(row.integer(1))),
            sentAt: Instant(milliseconds: row.integer(2)), text: row.text(3)))
      }
      return found
    }
  }
}
