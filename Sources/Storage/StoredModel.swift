public import DayLog

/// A trained model as the store keeps it: bytes, and what has to be known to use them.
public struct StoredModel: Sendable, Equatable {
  /// What it predicts, or another name under which it is found again.
  public let target: String
  /// The version of the form that the bytes have.
  public let schemaVersion: Int
  public let bytes: [UInt8]
  /// What it was trained with: a text that differs when it has to be trained anew.
  public let fingerprint: String
  /// The change up to which it has seen the log (``LogStore/lastChange()``, read before its days).
  public let change: ChangeNumber
  public let madeAt: Instant

  /// A model of `target`.
  public init(
    target: String, schemaVersion: Int, bytes: [UInt8], fingerprint: String, change: ChangeNumber,
    madeAt: Instant
  ) {
    self.target = target
    self.schemaVersion = schemaVersion
    self.bytes = bytes
    self.fingerprint = fingerprint
    self.change = change
    self.madeAt = madeAt
  }
}

extension LogStore {
  /// Saves models, all of them or none; each replaces the one of the same target.
  ///
  /// - Parameter lease: the right under which they were trained.
  /// - Throws: ``StorageError/leaseLost(name:)`` where `lease` is no longer held.
  public func save(_ models: [StoredModel], under lease: Lease? = nil) throws(StorageError) {
    try write { connection throws(StorageError) in
      if let lease { try require(lease, connection) }
      for model in models {
        try connection.execute(
          """
          INSERT INTO model (target, schema, fingerprint, change, made_at, bytes)
          VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT (target) DO UPDATE SET schema = excluded.schema,
            fingerprint = excluded.fingerprint, change = excluded.change,
            made_at = excluded.made_at, bytes = excluded.bytes
          """, .text(model.target), .integer(model.schemaVersion), .text(model.fingerprint),
          .integer(model.change), .integer(model.madeAt.milliseconds), .blob(model.bytes))
      }
    }
  }

  /// The model of a target; nil where there is none.
  public func model(for target: String) throws(StorageError) -> StoredModel? {
    try read { connection throws(StorageError) in
      var found: StoredModel?
      try connection.rows("SELECT \(Self.modelColumns) FROM model WHERE target = ?", .text(target))
      {
        row in found = Self.model(row)
      }
      return found
    }
  }

  /// All models, by target.
  public func models() throws(StorageError) -> [StoredModel] {
    try read { connection throws(StorageError) in
      var found: [StoredModel] = []
      try connection.rows("SELECT \(Self.modelColumns) FROM model ORDER BY target") { row in
        found.append(Self.model(row))
      }
      return found
    }
  }

  /// Removes the models of these targets.
  public func removeModels(for targets: [String]) throws(StorageError) {
    try write { connection throws(StorageError) in
      for target in targets {
        try connection.execute("DELETE FROM model WHERE target = ?", .text(target))
      }
    }
  }

  private static let modelColumns = "target, schema, bytes, fingerprint, change, made_at"

  private static func model(_ row: Statement) -> StoredModel {
    StoredModel(
      target: row.text(0), schemaVersion: Int(row.integer(1)), bytes: row.bytes(2),
      fingerprint: row.text(3), change: row.integer(4),
      madeAt: Instant(milliseconds: row.integer(5)))
  }
}
