internal import DayLog

/// The metrics and sources of a store, each with the small integer that stands for it in rows.
struct NameTable {
  private(set) var metrics: [Int64: Metric] = [:]
  private(set) var sources: [Int64: Source] = [:]
  private var metricIDs: [Metric: Int64] = [:]
  private var sourceIDs: [Source: Int64] = [:]

  init() {}

  /// The names as the running transaction sees them.
  init(_ connection: Connection) throws(StorageError) {
    let path = connection.path
    try connection.rows("SELECT id, name, seal FROM metric") { row throws(StorageError) in
      try row.requireSeal(over: 2)
      guard let metric = Metric(row.text(1)) else { throw .damaged(path: path) }
      insert(metric, try Self.checked(row.integer(0), path))
    }
    try connection.rows("SELECT id, origin, name, seal FROM source") { row throws(StorageError) in
      try row.requireSeal(over: 3)
      let source = Source(row.integer(1) == 0 ? .typed : .imported, row.text(2))
      insert(source, try Self.checked(row.integer(0), path))
    }
  }

  /// Numbers are given out from 1 on and index arrays, so there is none that is very large.
  private static func checked(_ id: Int64, _ path: String) throws(StorageError) -> Int64 {
    guard (1...1_000_000).contains(id) else { throw .damaged(path: path) }
    return id
  }

  private mutating func insert(_ metric: Metric, _ id: Int64) {
    metrics[id] = metric
    metricIDs[metric] = id
  }

  private mutating func insert(_ source: Source, _ id: Int64) {
    sources[id] = source
    sourceIDs[source] = id
  }

  /// The number of a metric; a new one gets the next.
  mutating func id(of metric: Metric, _ connection: Connection) throws(StorageError) -> Int64 {
    if let id = metricIDs[metric] { return id }
    let id = try connection.integer(
      """
      INSERT INTO metric (id, name, seal)
      SELECT next, ?1, seal(next, ?1) FROM (SELECT ifnull(max(id), 0) + 1 AS next FROM metric)
      RETURNING id
      """, .text(metric.name))
    guard let id else { throw .damaged(path: connection.path) }
    insert(metric, id)
    return id
  }

  /// The number of a source; a new one gets the next.
  mutating func id(of source: Source, _ connection: Connection) throws(StorageError) -> Int64 {
    if let id = sourceIDs[source] { return id }
    let id = try connection.integer(
      """
      INSERT INTO source (id, origin, name, seal)
      SELECT next, ?1, ?2, seal(next, ?1, ?2)
      FROM (SELECT ifnull(max(id), 0) + 1 AS next FROM source)
      RETURNING id
      """, .integer(source.origin == .typed ? 0 : 1), .text(source.name))
    guard let id else { throw .damaged(path: connection.path) }
    insert(source, id)
    return id
  }

  /// For each number of a source its rank (nil for typed ones) and its place among all sources, by
  /// which ties are decided.
  func standings(_ ranking: SourceRanking) -> [Int64: SourceStanding] {
    let ordered = sources.sorted { $0.value < $1.value }
    var standings: [Int64: SourceStanding] = [:]
    for (place, (id, source)) in ordered.enumerated() {
      standings[id] = SourceStanding(
        rank: source.origin == .typed ? nil : ranking.rank(of: source), place: place)
    }
    return standings
  }
}

/// What of a source decides whether its entry is shown.
struct SourceStanding {
  /// nil for a typed source.
  let rank: Int?
  /// Its place in the order of all sources.
  let place: Int
}
