import DayLog
package import Time

/// A trained model as the store keeps it: bytes, and what has to be known to use them.
package struct StoredModel: Sendable, Equatable {
  /// What it predicts, or another name under which it is found again.
  package let target: String
  /// The version of the form that the bytes have.
  package let schemaVersion: Int
  /// The model, in a form that whoever trained it reads.
  package let bytes: [UInt8]
  /// What it was trained with: a text that differs when it has to be trained anew.
  package let fingerprint: String
  /// The change up to which it has seen the log (``LogStore/lastChange()``, read before its days).
  package let change: ChangeNumber
  /// When it was trained.
  package let madeAt: Instant

  /// A model of `target`.
  package init(
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

/// The beginning of a training, and its place among all that ever began on a store.
package struct TrainingStart: Sendable, Equatable {
  /// Greater than that of every training that began before.
  package let number: Int64
  /// The change up to which the log that is read after this has been seen.
  package let change: ChangeNumber
}

extension LogStore {
  /// Enters that a training begins: to be called before it reads the log.
  package func beginTraining() throws(StorageError) -> TrainingStart {
    try write { connection throws(StorageError) in
      try connection.execute("UPDATE training_counter SET last = last + 1")
      let number = try connection.integer("SELECT last FROM training_counter") ?? 0
      return TrainingStart(number: number, change: try lastChange(connection))
    }
  }

  /// Saves models, all of them or none; each replaces the one of the same target, and what a paused
  /// training of it has left.
  ///
  /// So the model in force is never older than the one before it, and never knows what was forgotten,
  /// however late a training saves that ought to have stopped.
  ///
  /// - Throws: ``StorageError/outdatedTraining(target:)`` where a model in force comes from a training
  ///   that began later, or something that models knew was forgotten since this one began.
  package func save(
    _ models: [StoredModel], of training: TrainingStart
  ) throws(StorageError) {
    try write { connection throws(StorageError) in
      for model in models {
        try require(training, model.target, connection)
        try connection.execute(
          """
          INSERT INTO model (target, schema, fingerprint, change, made_at, bytes, training, seal)
          VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, seal(?1, ?2, ?3, ?4, ?5, ?6, ?7))
          ON CONFLICT (target) DO UPDATE SET schema = excluded.schema,
            fingerprint = excluded.fingerprint, change = excluded.change,
            made_at = excluded.made_at, bytes = excluded.bytes, training = excluded.training,
            seal = excluded.seal
          """, .text(model.target), .integer(model.schemaVersion), .text(model.fingerprint),
          .integer(model.change), .integer(model.madeAt.milliseconds), .blob(model.bytes),
          .integer(training.number))
        try connection.execute(
          "DELETE FROM training_progress WHERE target = ?", .text(model.target))
        try settle(model.target, connection)
      }
    }
  }

  /// Keeps what a training has done of a target, for the next one to go on from.
  ///
  /// - Throws: ``StorageError/outdatedTraining(target:)`` as for a model.
  package func keep(
    _ progress: [UInt8], for target: String, of training: TrainingStart
  ) throws(StorageError) {
    try write { connection throws(StorageError) in
      try require(training, target, connection)
      try connection.execute(
        """
        INSERT INTO training_progress (target, training, bytes, seal)
        VALUES (?1, ?2, ?3, seal(?1, ?2, ?3))
        ON CONFLICT (target) DO UPDATE SET training = excluded.training, bytes = excluded.bytes,
          seal = excluded.seal
        """, .text(target), .integer(training.number), .blob(progress))
    }
  }

  /// What a paused training has left of a target; nil where none has.
  public func progress(for target: String) throws(StorageError) -> [UInt8]? {
    try read { connection throws(StorageError) in
      var found: [UInt8]?
      try connection.rows(
        "SELECT target, training, bytes, seal FROM training_progress WHERE target = ?",
        .text(target)
      ) { row throws(StorageError) in
        try row.requireSeal(over: 3)
        found = row.bytes(2)
      }
      return found
    }
  }

  func require(
    _ training: TrainingStart, _ target: String, _ connection: Connection
  ) throws(StorageError) {
    let least = try connection.integer("SELECT least FROM training_counter") ?? 0
    let saved =
      try connection.integer("SELECT training FROM model WHERE target = ?", .text(target)) ?? 0
    guard training.number >= max(least, saved) else { throw .outdatedTraining(target: target) }
  }

  /// Removes all that was ever learned, within the transaction that runs, and notes that it is due again. What
  /// trains now may not save.
  func forgetTrainings(_ connection: Connection) throws(StorageError) {
    try connection.execute(
      """
      UPDATE wanted_target SET retraining = 1, seal = seal(name, metric, asked, 1)
      WHERE name IN (SELECT target FROM model)
      """)
    try connection.execute("DELETE FROM model")
    try connection.execute("DELETE FROM training_progress")
    try connection.execute("UPDATE training_counter SET least = last + 1")
  }

  /// The model of a target; nil where there is none.
  package func model(for target: String) throws(StorageError) -> StoredModel? {
    try read { connection throws(StorageError) in
      var found: StoredModel?
      try connection.rows("SELECT \(Self.modelColumns) FROM model WHERE target = ?", .text(target))
      { row throws(StorageError) in found = try Self.model(row) }
      return found
    }
  }

  /// All models, by target.
  package func models() throws(StorageError) -> [StoredModel] {
    try read { connection throws(StorageError) in
      var found: [StoredModel] = []
      try connection.rows("SELECT \(Self.modelColumns) FROM model ORDER BY target") {
        row throws(StorageError) in
        found.append(try Self.model(row))
      }
      return found
    }
  }

  private static let modelColumns =
    "target, schema, fingerprint, change, made_at, bytes, training, seal"

  private static func model(_ row: Statement) throws(StorageError) -> StoredModel {
    try row.requireSeal(over: 7)
    return StoredModel(
      target: row.text(0), schemaVersion: Int(row.integer(1)), bytes: row.bytes(5),
      fingerprint: row.text(2), change: row.integer(3),
      madeAt: Instant(milliseconds: row.integer(4)))
  }
}
