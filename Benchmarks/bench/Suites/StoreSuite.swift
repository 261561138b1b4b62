internal import DayLog
internal import Personalisation
internal import Storage
import Time

/// Ten years in and out of the store.
enum StoreSuite {
  static let workloads: [(name: String, summary: String)] = [
    ("load", "3,650 days x 12 metrics out of the store into columns, beside a bare C loop"),
    ("type", "one typed entry: a transaction that is on the disk when it returns"),
  ]

  /// The rows that a bare loop has to see, already numbered as rows and columns.
  private static let query = """
    SELECT day - (SELECT min(day) FROM entry), metric - 1, value FROM entry ORDER BY day, metric, source
    """

  static func run(_ run: inout Run) async throws {
    let days = run.options.isQuick ? 365 : 3650
    let shape = "\(days) days x 12"
    guard run.wants("load \(shape)") || run.wants("type \(shape)") else { return }
    run.show("store")
    let path = "\(run.folder)/log.sqlite"
    let log = SyntheticLog(days: days, metrics: 12).whole.table
    let store = try LogStore(path: path)
    try await store.merge(entries(of: log))
    let columns = Buffer(count: days * 12)
    var ours = Samples()
    var raw = Samples()
    for round in 0..<22 {
      let sample = try await Stopwatch.time { _ = try await store.dayTable() }
      let other = Stopwatch.time(operations: 1) {
        _ = Raw.select(path, query, rows: days, columns: columns)
      }
      if round >= 2 {
        ours.add(sample)
        raw.add(other)
      }
    }
    var load = Outcome(suite: .store, workload: "load", shape: shape)
    load.take(ours, limit: raw)
    let loaded = try await store.dayTable()
    load.error = loaded == log ? 0 : .infinity
    var typing = Outcome(suite: .store, workload: "type", shape: shape)
    var typed = Samples()
    for round in 0..<22 {
      let sample = try await Stopwatch.time {
        try await store.type(
          Double(round), log.metrics[0], on: log.firstDay, source: "bench",
          now: Instant(seconds: Int64(1_800_000_000 + round)))
      }
      if round >= 2 { typed.add(sample) }
    }
    typing.take(typed)
    await store.close()
    run.add(load)
    run.add(typing)
    var table = Table(["store", "shape", "wall", "CPU", "bare C loop", "ratio"], left: [0, 1])
    for outcome in [load, typing] {
      table.add([
        outcome.workload, outcome.shape, Format.time(seconds: (outcome.wallUs ?? .nan) * 1e-6),
        Format.time(seconds: (outcome.medianUs ?? .nan) * 1e-6),
        outcome.limitUs.map { Format.time(seconds: $0 * 1e-6) } ?? "-",
        outcome.ratioToLimit.map { Format.fixed($0, 2) } ?? "-",
      ])
    }
    run.report("store", table.text)
  }

  /// A log as one source told it.
  static func entries(of table: DayTable) -> [Entry] {
    let source = Source(.imported, "bench")
    var entries: [Entry] = []
    for (column, metric) in table.metrics.enumerated() {
      for row in 0..<table.dayCount {
        let value = table.values[column * table.dayCount + row]
        guard value.isFinite else { continue }
        let day = table.firstDay.advanced(by: row)
        entries.append(
          Entry(
            key: EntryKey(day: day, metric: metric, source: source),
            asOf: Instant(seconds: 1_700_000_000), value: value))
      }
    }
    return entries
  }
}
