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
    try connection.rows("SELECT id, name FROM metric") { row throws(StorageError) in
      guard let metric = Metric(row.text(1)) else { throw .damaged(path: path) }
      insert(metric, row.integer(0))
    }
    try connection.rows("SELECT id, origin, name FROM source") { row in
      insert(Source(row.integer(1) == 0 ? .typed : .imported, row.text(2)), row.integer(0))
    }
  }

  private mutating func insert(_ metric: Metric, _ id: Int64) {
    metrics[id] = metric
    metricIDs[metric] = id
  }

  private mutating func insert(_ source: Source, _ id: Int64) {
    sources[id] = source
    sourceIDs[source] = id
  }

  func knownID(of metric: Metric) -> Int64? { metricIDs[metric] }

  /// The number of a metric; a new one gets the next.
  mutating func id(of metric: Metric, _ connection: Connection) throws(StorageError) -> Int64 {
    if let id = metricIDs[metric] { return id }
    let id = try connection.integer(
      "INSERT INTO metric (name) VALUES (?) RETURNING id", .text(metric.name))
    guard let id else { throw .damaged(path: connection.path) }
    insert(metric, id)
    return id
  }

  /// The number of a source; a new one gets the next.
  mutating func id(of source: Source, _ connection: Connection) throws(StorageError) -> Int64 {
    if let id = sourceIDs[source] { return id }
    let id = try connection.integer(
      "INSERT INTO source (origin, name) VALUES (?, ?) RETURNING id",
      .integer(source.origin == .typed ? 0 : 1), .text(source.name))
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
