public import DayLog
public import Time

/// A payload as it waits in the queue.
public struct QueuedPayload: Sendable, Equatable {
  /// Tells it from every other payload: one of an id seen before is acknowledged and not applied again.
  public let id: String
  /// Such as `symptom`; it need not be a kind that is known.
  public let kind: String
  /// The JSON object, byte for byte as it was handed over.
  public let bytes: [UInt8]

  /// A payload that is to wait: a JSON object with an `id` and a `kind`, which need not be known.
  public init(_ bytes: some Collection<UInt8>) throws(PayloadError) {
    (id, kind) = try Payload.identity(of: bytes)
    self.bytes = Array(bytes)
  }

  init(id: String, kind: String, bytes: [UInt8]) {
    self.id = id
    self.kind = kind
    self.bytes = bytes
  }

  /// The payload read as one of the kinds that this version knows; nil where it is of another, or
  /// cannot be read.
  var content: Payload? {
    do throws(PayloadError) { return try Payload(bytes) } catch { return nil }
  }
}

/// What became of the payloads of a kind.
public struct DrainSummary: Sendable, Equatable {
  /// Payloads that were applied and have left the queue.
  public var applied = 0
  /// Payloads whose handler failed, with the identity of each: they wait on, byte for byte.
  public var failed: [String] = []
  /// What became of their entries.
  public var merged = MergeSummary()
}

extension LogStore {
  /// Puts payloads at the end of the queue; one whose id waits already, or was applied before, is
  /// acknowledged and not stored again.
  ///
  /// - Returns: how many were new.
  @discardableResult
  public func enqueue(_ payloads: [QueuedPayload]) throws(StorageError) -> Int {
    try write { connection throws(StorageError) in try enqueue(payloads, connection) }
  }

  func enqueue(
    _ payloads: [QueuedPayload], _ connection: Connection
  ) throws(StorageError) -> Int {
    var count = 0
    for payload in payloads {
      try connection.execute(
        """
        INSERT INTO payload (id, kind, bytes, seal)
        SELECT ?1, ?2, ?3, seal(?1, ?2, ?3) WHERE NOT EXISTS (SELECT 1 FROM applied_payload WHERE id = ?1)
        ON CONFLICT (id) DO NOTHING
        """, .text(payload.id), .text(payload.kind), .blob(payload.bytes))
      count += connection.changedRowCount
    }
    return count
  }

  /// What waits, in the order of arrival.
  public func payloads() throws(StorageError) -> [QueuedPayload] {
    try read { connection throws(StorageError) in try waitingPayloads(connection) }
  }

  /// Applies the payloads of one kind, in the order of arrival: the entries that `handler` makes of one
  /// are merged in the transaction in which it leaves the queue. Everything else stays as it is.
  ///
  /// - Parameter handler: makes the entries of a payload; where it throws, that payload waits on.
  @discardableResult
  public func drain(
    kind: String, _ handler: @Sendable (QueuedPayload) throws -> [Entry]
  ) throws(StorageError) -> DrainSummary {
    try drain(kind: kind, now: nil) { payload, _ in try handler(payload) }
  }

  /// Applies the payloads of one of the kinds that this version knows, on the days that follow from
  /// their own offset and the setting `day.start`.
  ///
  /// - Parameter now: a payload dated more than a day after it, by a clock that is ahead, counts as of `now`; nil
  ///   takes every moment as it is.
  @discardableResult
  public func drain(_ kind: Payload.Kind, now: Instant?) throws(StorageError) -> DrainSummary {
    try drain(kind: kind.rawValue, now: now) { payload, dayStart in
      try Payload(payload.bytes).entries(source: Payload.source, dayStart: dayStart)
    }
  }

  private func drain(
    kind: String, now: Instant?, _ handler: (QueuedPayload, _ dayStart: Int) throws -> [Entry]
  ) throws(StorageError) -> DrainSummary {
    try write { connection throws(StorageError) in
      var summary = DrainSummary()
      var entries: [Entry] = []
      let dayStart = try value(of: .dayStart, connection)
      for payload in try waitingPayloads(connection) where payload.kind == kind {
        do {
          entries += try handler(payload, dayStart)
        } catch {
          summary.failed.append(payload.id)
          continue
        }
        try remove(payload, connection)
        summary.applied += 1
      }
      if let now { entries = entries.map { $0.broughtBack(to: now) } }
      summary.merged = try merge(entries, connection)
      try noteChanged(summary.merged.changedDays, connection)
      return summary
    }
  }

  func waitingPayloads(_ connection: Connection) throws(StorageError) -> [QueuedPayload] {
    var waiting: [QueuedPayload] = []
    try connection.rows("SELECT id, kind, bytes, seal FROM payload ORDER BY arrival") {
      row throws(StorageError) in
      try row.requireSeal(over: 3)
      waiting.append(QueuedPayload(id: row.text(0), kind: row.text(1), bytes: row.bytes(2)))
    }
    return waiting
  }

  func remove(_ payload: QueuedPayload, _ connection: Connection) throws(StorageError) {
    try connection.execute("INSERT INTO applied_payload (id) VALUES (?)", .text(payload.id))
    try connection.execute("DELETE FROM payload WHERE id = ?", .text(payload.id))
  }
}
