public import DayLog
public import Time

/// What became of a sync file.
public struct SyncSummary: Sendable, Equatable {
  /// What became of its entries; ``MergeSummary/changedDays`` counts forgotten days too.
  public var merged = MergeSummary()
  /// Forget marks that were new here.
  public var newMarks = 0
  /// Payloads that were put into the queue.
  public var newPayloads = 0
  /// Lines of a kind that only a newer version knows: passed over.
  public var unknownLines = 0
  /// Entries and forget marks dated more than a day after now: passed over. Once their moment has come the same
  /// file brings them.
  public var fromTheFuture = 0
}

/// How much of a log another device may have forgotten without anybody being asked.
public enum ForgetAllowance: Sendable {
  /// Three days, or a tenth of the days of a longer log.
  case few
  /// All of it: somebody was asked.
  case any
}

/// The forget marks of a sync file would remove more days than is done unasked; nothing was merged.
public struct ForgetsTooMuch: Error, Equatable, Sendable, CustomStringConvertible {
  /// The days that would lose a value.
  public let days: Int
  /// The days that the log has.
  public let of: Int

  /// Marks that would take a value from so many days of so many.
  public init(days: Int, of: Int) {
    self.days = days
    self.of = of
  }

  /// What would happen.
  public var description: String {
    "it asks to forget values of \(days) of the log's \(of) days; nothing was merged"
  }
}

/// The lines of a sync file in batches: each call begins to read it from its start, and what it returns gives the
/// next batch, nil at the end.
public typealias SyncBatches = @Sendable () throws -> (() throws -> [SyncLine]?)

extension LogStore {
  /// What another device needs to know: typed entries (symptoms and check-ins are such), forget marks
  /// and the payloads that wait; imported entries stay here unless asked for.
  public func syncDocument(includingImported: Bool = false) throws(StorageError) -> SyncDocument {
    try read { connection throws(StorageError) in
      SyncDocument(
        entries: try entries(
          from: .distantPast, to: .distantFuture, typedOnly: !includingImported, connection),
        marks: try forgetMarks(connection),
        payloads: try waitingPayloads(connection).map(\.bytes))
    }
  }

  /// Merges what another device knows, in one transaction: in any order and any number of times it comes
  /// to the same. What its forget marks remove goes as with ``forget(_:_:now:)``: models and traces may be left
  /// as pending work.
  ///
  /// - Parameters:
  ///   - now: what is dated more than a day after it is passed over; nil takes every moment as it is.
  ///   - allowance: how much may be forgotten.
  /// - Throws: ``StorageError`` or ``ForgetsTooMuch``; nothing is merged then.
  @discardableResult
  public func merge(
    _ document: SyncDocument, now: Instant?, forgetting allowance: ForgetAllowance = .few
  ) throws -> SyncSummary {
    var summary = try merge(now: now, forgetting: allowance) {
      var lines: [SyncLine]? =
        document.entries.map { .entry($0) } + document.marks.map { .mark($0) }
        + document.payloads.map { .payload($0) }
      return {
        defer { lines = nil }
        return lines
      }
    }
    summary.unknownLines = document.unknownLineCount
    return summary
  }

  /// Merges what the lines of a sync file say, as ``merge(_:now:forgetting:)`` does, in the memory of one batch.
  ///
  /// The lines are read twice: once to the end, for the marks and for what is wrong, before any value is merged.
  ///
  /// - Throws: also what `batches` throws; nothing is merged then.
  @discardableResult
  public func merge(
    now: Instant?, forgetting allowance: ForgetAllowance = .few, _ batches: SyncBatches
  ) throws -> SyncSummary {
    func isMerged(_ result: Result<SyncSummary, any Error>) -> Bool {
      if case .success = result { true } else { false }
    }
    let done = try write(keepsIf: isMerged) {
      connection throws(StorageError) -> Result<SyncSummary, any Error> in
      do {
        return .success(try merge(now: now, forgetting: allowance, batches, connection))
      } catch let error as StorageError {
        throw error
      } catch {
        return .failure(error)
      }
    }
    let summary = try done.get()
    eraseTracesOrLeavePending()
    return summary
  }

  private func merge(
    now: Instant?, forgetting allowance: ForgetAllowance, _ batches: SyncBatches,
    _ connection: Connection
  ) throws -> SyncSummary {
    func isTaken(_ moment: Instant) -> Bool { now.map { !moment.isBeyond($0) } ?? true }
    var summary = SyncSummary()
    var changed: Set<CalendarDay> = []
    let dayCount = Int(
      try connection.integer("SELECT count(DISTINCT day) FROM entry WHERE value IS NOT NULL") ?? 0)
    // Marks first, so that no value is written to be removed at once.
    var next = try batches()
    while let lines = try next() {
      var marks: [ForgetMark] = []
      for line in lines {
        guard case .mark(let mark) = line else { continue }
        if isTaken(mark.asOf) { marks.append(mark) } else { summary.fromTheFuture += 1 }
      }
      let done = try insert(marks, connection)
      summary.newMarks += done.newMarks
      changed.formUnion(done.changedDays)
    }
    if case .few = allowance, changed.count > max(3, dayCount / 10) {
      throw ForgetsTooMuch(days: changed.count, of: dayCount)
    }
    next = try batches()
    while let lines = try next() {
      var entries: [Entry] = []
      var payloads: [QueuedPayload] = []
      for line in lines {
        switch line {
        case .entry(let entry):
          if isTaken(entry.asOf) { entries.append(entry) } else { summary.fromTheFuture += 1 }
        case .payload(let bytes):
          do throws(PayloadError) {
            payloads.append(try QueuedPayload(bytes))
          } catch {
            throw StorageError.unreadablePayload
          }
        case .mark: break
        case .unknown: summary.unknownLines += 1
        }
      }
      let merged = try merge(entries, connection)
      changed.formUnion(merged.changedDays)
      summary.merged.add(merged)
      summary.newPayloads += try enqueue(payloads, connection)
    }
    changed.formUnion(try settleForgottenPayloads(connection))
    if summary.newMarks > 0 { try dropUnusedNames(connection) }
    summary.merged.changedDays = changed.sorted()
    try noteChanged(summary.merged.changedDays, connection)
    return summary
  }
}
