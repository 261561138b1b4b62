/// What was taken out of a damaged store.
public struct RescueSummary: Sendable, Equatable {
  /// How many rows of each kind are in the new file; kinds without any are left out.
  public var kept: [String: Int] = [:]
  /// How many rows of each kind could be read and were not what had been written.
  public var spoilt: [String: Int] = [:]
  /// The kinds of which rows could not be read at all; how many is not known.
  public var unreadable: [String] = []

  /// Whether all that was written is there.
  public var isComplete: Bool { spoilt.isEmpty && unreadable.isEmpty }
}

/// Takes what is whole out of a damaged store into a new one.
struct Rescue {
  private let damaged: Connection
  private let fresh: Connection
  /// Whether the damaged store is of a version that seals its rows.
  private let isSealed: Bool
  private var summary = RescueSummary()

  /// The tables of a log in an order in which rows follow what they name, and what a person calls their rows.
  /// Models are made anew of what is wanted.
  private static let kinds: [(table: String, words: String, key: String)] = [
    ("metric", "names of metrics", "id"), ("source", "names of sources", "id"),
    ("imported_file", "imported files", "id"), ("entry", "values", "day, metric, source"),
    ("part", "parts of imported days", "metric, source, day, file"),
    ("forgotten", "forget marks", "day, metric"), ("payload", "waiting payloads", "arrival"),
    ("setting", "settings", "name"), ("wanted_target", "wanted targets", "name"),
    ("record", "records of the background tasks", "space, id"), ("nudge", "nudges", "id"),
  ]

  init(from path: String, version: Int, to target: String) throws(StorageError) {
    isSealed = version >= Schema.firstSealedVersion
    damaged = try Connection(path: path, mode: .read, patience: 5000)
    try Connection.makeFile(at: target)
    fresh = try StoreOpening(path: target, patience: 5000).forWriting()
  }

  mutating func run() throws(StorageError) -> RescueSummary {
    try fresh.execute("BEGIN IMMEDIATE")
    for kind in Self.kinds { try rescue(kind.table, kind.words, kind.key) }
    // Whatever was learned is learned again, and every day counts as changed.
    try fresh.script(
      """
      UPDATE wanted_target SET retraining = 1, seal = seal(name, metric, asked, 1);
      UPDATE change_counter SET value = 1;
      INSERT INTO day_change (day, change) SELECT DISTINCT day, 1 FROM entry;
      COMMIT;
      """)
    fresh.finish()
    return summary
  }

  private mutating func rescue(
    _ table: String, _ words: String, _ key: String
  ) throws(StorageError) {
    let isThere =
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?"
    guard try damaged.integer(isThere, .text(table)) == 1 else { return }
    let sealed = Schema.sealed.first { $0.table == table }?.columns
    let columns = sealed ?? "space, id, bytes"
    let names = columns.split(separator: ",").map { $0.drop { $0 == " " } }
    let places = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    let insert = try fresh.statement(
      sealed == nil
        ? "INSERT OR IGNORE INTO \(table) (\(columns)) VALUES (\(places))"
        : "INSERT OR IGNORE INTO \(table) (\(columns), seal) VALUES (\(places), seal(\(places)))")
    let checks = isSealed && sealed != nil
    // From both ends, as far as rows can be read: what is behind a broken page is reached from the other side.
    var isWhole = false
    for order in ["ASC", "DESC"] where !isWhole {
      let orders = key.split(separator: ",").map { "\($0) \(order)" }.joined(separator: ", ")
      do throws(StorageError) {
        let spoilt = try copy(
          "SELECT \(columns)\(checks ? ", seal" : "") FROM \(table) ORDER BY \(orders)",
          Int32(names.count), insert, checks)
        isWhole = true
        if spoilt > 0 { summary.spoilt[words] = spoilt }
      } catch {
        guard Self.isDamage(error) else { throw error }
      }
    }
    if !isWhole { summary.unreadable.append(words) }
    let count = Int(try fresh.integer("SELECT count(*) FROM \(table)") ?? 0)
    if count > 0 { summary.kept[words] = count }
  }

  /// Copies the rows that are what was written and name rows that were rescued; returns how many are not.
  private func copy(
    _ select: String, _ count: Int32, _ insert: Statement, _ checks: Bool
  ) throws(StorageError) -> Int {
    var spoilt = 0
    try damaged.rows(select) { row throws(StorageError) in
      do throws(StorageError) {
        if checks { try row.requireSeal(over: count) }
        try insert.run((0..<count).map(row.value))
      } catch {
        insert.reset()
        // A row that names another that was lost breaks a constraint of the new file.
        guard Self.isDamage(error) || Self.isConstraint(error) else { throw error }
        spoilt += 1
      }
    }
    return spoilt
  }

  /// Whether an error comes of what is in the damaged file.
  private static func isDamage(_ error: StorageError) -> Bool {
    switch error {
    case .damaged, .notAStore: true
    // A schema that cannot be parsed is SQLITE_ERROR, 1.
    case .failed(_, let code): code & 0xFF == 1
    default: false
    }
  }

  private static func isConstraint(_ error: StorageError) -> Bool {
    if case .failed(_, let code) = error { code & 0xFF == 19 } else { false }
  }
}

extension LogStore {
  /// Takes what is whole out of a damaged store into a new file, which the damaged one's owner alone may open. The
  /// damaged file stays as it is.
  ///
  /// A row counts as whole where it is what was written, by its seal; of an earlier version, whose rows have none,
  /// where it can be read. Models are not taken: the next training
  /// makes them anew of what is wanted.
  ///
  /// - Throws: ``StorageError/readOnly(path:)`` or `cannotOpen` where there is something at `target` or it cannot
  ///   be made; `notAStore` or `damaged` where nothing can be read of the damaged file.
  public static func rescue(
    from path: String, to target: String
  ) throws(StorageError) -> RescueSummary {
    let version = try StoreOpening(path: path, patience: 5000).schemaVersion()
    guard version > 0 else { throw .notAStore(path: path) }
    do throws(StorageError) {
      var rescue = try Rescue(from: path, version: version, to: target)
      return try rescue.run()
    } catch {
      if case .readOnly = error { throw error }
      Connection.remove(target)
      throw error
    }
  }
}
