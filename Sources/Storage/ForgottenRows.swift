internal import DayLog
internal import Time

/// The forget marks of a store, looked up where they stand: a log of any number of them takes no memory.
struct ForgottenRows {
  private let statement: Statement
  private let path: String
  /// Whether there is none at all.
  let isEmpty: Bool

  init(_ connection: Connection) throws(StorageError) {
    path = connection.path
    isEmpty = try connection.integer("SELECT 1 FROM forgotten LIMIT 1") == nil
    statement = try connection.statement(
      "SELECT day, metric, as_of, seal FROM forgotten WHERE day = ? AND metric IN ('', ?)")
  }

  /// The moment up to which typed entries of a day and metric are forgotten; nil where nothing is.
  func latest(day: Int64, _ metric: String) throws(StorageError) -> Instant? {
    guard !isEmpty else { return nil }
    defer { statement.reset() }
    try statement.bind(1, .integer(day))
    try statement.bind(2, .text(metric))
    var latest: Instant?
    while try statement.step() {
      let mark = try ForgetMark(statement, path: path)
      latest = max(latest ?? mark.asOf, mark.asOf)
    }
    return latest
  }

  /// Whether an entry is forgotten and has no place in the log.
  func cover(_ entry: Entry) throws(StorageError) -> Bool {
    let key = entry.key
    guard let moment = try latest(day: Int64(key.day.number), key.metric.name) else { return false }
    return key.source.origin == .imported || entry.asOf <= moment
  }
}

extension ForgetMark {
  /// The mark of the row on which a statement for day, metric, moment and seal stands.
  init(_ row: Statement, path: String) throws(StorageError) {
    try row.requireSeal(over: 3)
    let (day, name, asOf) = (row.integer(0), row.text(1), row.integer(2))
    let metric = Metric(name)
    guard name.isEmpty || metric != nil, abs(day) <= CalendarDay.distantFuture.number,
      asOf.magnitude <= Instant.lastWritten.milliseconds.magnitude
    else { throw .damaged(path: path) }
    self.init(
      day: CalendarDay(number: Int(day)), metric: metric, asOf: Instant(milliseconds: asOf))
  }
}
