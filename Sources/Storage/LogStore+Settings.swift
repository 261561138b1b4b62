public import DayLog
import Time

extension LogStore {
  /// The value of a setting; its standard value where it was never set.
  public func value<Value>(of setting: Setting<Value>) throws(StorageError) -> Value {
    try read { connection throws(StorageError) in try value(of: setting, connection) }
  }

  /// Sets a setting, or back to its standard value with nil.
  public func set<Value>(_ setting: Setting<Value>, to value: Value?) throws(StorageError) {
    try set(setting.name, to: value.map(setting.write))
  }

  /// The settings that were set, as they are written, by name; also those that this version does not know.
  public func settings() throws(StorageError) -> [String: String] {
    try read { connection throws(StorageError) in
      var found: [String: String] = [:]
      try connection.rows("SELECT name, value, seal FROM setting") { row throws(StorageError) in
        try row.requireSeal(over: 2)
        found[row.text(0)] = row.text(1)
      }
      return found
    }
  }

  /// Sets the text of a setting by name, or removes it with nil.
  ///
  /// - Throws: ``StorageError/unreadableSetting(name:)`` where the store itself goes by this setting
  ///   and cannot read the text.
  public func set(_ name: String, to text: String?) throws(StorageError) {
    try write { connection throws(StorageError) in
      let ranking = try sourceRanking(connection)
      if let text {
        try connection.execute(
          """
          INSERT INTO setting (name, value, seal) VALUES (?1, ?2, seal(?1, ?2))
          ON CONFLICT (name) DO UPDATE SET value = excluded.value, seal = excluded.seal
          """, .text(name), .text(text))
      } else {
        try connection.execute("DELETE FROM setting WHERE name = ?", .text(name))
      }
      _ = try value(of: .dayStart, connection)
      _ = try value(of: .notifications, connection)
      let newRanking = try sourceRanking(connection)
      if newRanking != ranking { try noteRankingChange(from: ranking, connection) }
    }
  }

  /// The order in which imported sources are believed.
  public func sourceRanking() throws(StorageError) -> SourceRanking {
    try read { connection throws(StorageError) in try sourceRanking(connection) }
  }

  func value<Value>(
    of setting: Setting<Value>, _ connection: Connection
  ) throws(StorageError) -> Value {
    var text: String?
    try connection.rows("SELECT name, value, seal FROM setting WHERE name = ?", .text(setting.name))
    {
      row throws(StorageError) in
      try row.requireSeal(over: 2)
      text = row.text(1)
    }
    guard let text else { return setting.standard }
    guard let value = setting.read(text) else { throw .unreadableSetting(name: setting.name) }
    return value
  }

  /// What the person put first, then the standard order.
  func sourceRanking(_ connection: Connection) throws(StorageError) -> SourceRanking {
    let chosen = try value(of: .sourceOrder, connection)
    guard !chosen.isEmpty else { return .standard }
    return SourceRanking(prefixes: chosen + SourceRanking.standard.prefixes)
  }

  /// Another order of sources changes what some days show, though no entry has changed.
  private func noteRankingChange(
    from old: SourceRanking, _ connection: Connection
  ) throws(StorageError) {
    func shown(_ ranking: SourceRanking) throws(StorageError) -> [(Int64, Int, UInt64)] {
      var cells: [(Int64, Int, UInt64)] = []
      let scan = try ResolvedScan(
        names: names, ranking: ranking, first: .distantPast, last: .distantFuture, connection)
      try scan.run { day, column, value, _ in cells.append((day, column, value.bitPattern)) }
      return cells
    }
    // Ranking decides which value is shown, never whether there is one: both lists have the same cells.
    let (before, after) = (try shown(old), try shown(try sourceRanking(connection)))
    let days = Set(zip(before, after).filter { $0.2 != $1.2 }.map { $0.0.0 })
    try noteChanged(days.sorted().map { CalendarDay(number: Int($0)) }, connection)
  }
}
