package import DayLog

/// Something that the person wants predicted. It outlives every model that is made of it.
package struct WantedTarget: Sendable, Hashable {
  /// The name of its models (``StoredModel/target``).
  package let name: String
  /// The metric that it asks about.
  package let metric: Metric
  /// Whether the person named it, rather than a training having found it in the log.
  package let isAsked: Bool

  /// A wish for models of this name.
  package init(name: String, metric: Metric, isAsked: Bool) {
    self.name = name
    self.metric = metric
    self.isAsked = isAsked
  }
}

/// What a removal, or a training that was cut off, has left to be done. It waits in the store until it is.
package struct PendingWork: Sendable, Equatable {
  /// Whether removed values may still stand in the write-ahead log (``LogStore/eraseTraces()``).
  package var traces: Bool
  /// The wanted targets without the model that is due to them.
  package var targets: [WantedTarget]

  /// Work of these kinds.
  package init(traces: Bool, targets: [WantedTarget]) {
    self.traces = traces
    self.targets = targets
  }

  /// Whether there is nothing to be done.
  package var isEmpty: Bool { !traces && targets.isEmpty }
}

extension LogStore {
  /// Notes wishes; those that the store has already stay, and one that is now asked for by the person counts as
  /// asked for. What the person asks for is pending until it has a model.
  package func want(_ targets: [WantedTarget]) throws(StorageError) {
    let known = Set(try wantedTargets())
    let fresh = targets.filter { !known.contains($0) }
    guard !fresh.isEmpty else { return }
    try write { connection throws(StorageError) in
      for target in fresh {
        let asked = target.isAsked ? 1 : 0
        try connection.execute(
          """
          INSERT INTO wanted_target (name, metric, asked, retraining) VALUES (?1, ?2, ?3,
            ?3 AND NOT EXISTS (SELECT 1 FROM model WHERE target = ?1))
          ON CONFLICT (name) DO UPDATE SET asked = max(asked, excluded.asked),
            retraining = max(retraining, excluded.retraining)
          """, .text(target.name), .text(target.metric.name), .integer(asked))
        try seal(target.name, connection)
      }
    }
  }

  /// All that is wanted, by name.
  package func wantedTargets() throws(StorageError) -> [WantedTarget] {
    try read { connection throws(StorageError) in try wantedTargets(leastPending: 0, connection) }
  }

  /// What is left to be done.
  package func pendingWork() throws(StorageError) -> PendingWork {
    try read { connection throws(StorageError) in
      PendingWork(
        traces: try connection.unfinishedErasure() != nil,
        targets: try wantedTargets(leastPending: 1, connection))
    }
  }

  /// Notes that a training found that there can be no model of a wanted target: it stays wanted and is not
  /// pending any more.
  ///
  /// - Throws: ``StorageError/outdatedTraining(target:)`` where something was forgotten since the training began,
  ///   so that what it found may not hold.
  package func settle(_ name: String, of training: TrainingStart) throws(StorageError) {
    try write { connection throws(StorageError) in
      try require(training, name, connection)
      try settle(name, connection)
    }
  }

  func settle(_ name: String, _ connection: Connection) throws(StorageError) {
    try connection.execute("UPDATE wanted_target SET retraining = 0 WHERE name = ?", .text(name))
    try seal(name, connection)
  }

  private func seal(_ name: String, _ connection: Connection) throws(StorageError) {
    try connection.execute(
      "UPDATE wanted_target SET seal = seal(name, metric, asked, retraining) WHERE name = ?",
      .text(name))
  }

  private func wantedTargets(
    leastPending: Int, _ connection: Connection
  ) throws(StorageError) -> [WantedTarget] {
    var found: [WantedTarget] = []
    try connection.rows(
      "SELECT name, metric, asked, retraining, seal FROM wanted_target WHERE retraining >= ? ORDER BY name",
      .integer(leastPending)
    ) { row throws(StorageError) in
      try row.requireSeal(over: 4)
      guard let metric = Metric(row.text(1)) else { throw .damaged(path: path) }
      found.append(WantedTarget(name: row.text(0), metric: metric, isAsked: row.integer(2) == 1))
    }
    return found
  }
}
