internal import DayLog
internal import Time

/// One kind of record in an export that is a database.
struct DatabaseTable: Sendable {
  /// Tables that have to be there.
  let tables: [String]
  /// Start, end or the same, seconds ahead of UTC or NULL, device or '', value; times in units of `perSecond`.
  let query: String
  let metric: Metric
  var unit: Unit?
  var perSecond = 1000.0
  /// Whether a span belongs to the day it ends on.
  var isNight = false
  /// Whether its times are midnight UTC and stand for days.
  var isLabel = false
}

/// Reads the databases of one app.
struct DatabaseReader: Reader {
  let format: String
  /// What stands in the beginning of such a database.
  let marks: [StaticString]
  /// What it may hold, by what is there.
  let records: @Sendable (SQLiteFile, Set<String>) throws(ImportError) -> [DatabaseTable]

  func recognises(_ head: FileHead) -> Bool {
    head.begins(with: Array("SQLite format 3".utf8)) && marks.contains { head.contains($0) }
  }

  func read(
    _ stream: inout ByteStream, options: ImportOptions, into days: inout DayCollector
  ) throws(ImportError) {
    let name = stream.name
    let file = try SQLiteFile(try stream.readAll(limit: SQLiteFile.byteLimit), name: name)
    let tables = try file.tables()
    let known = try records(file, tables).filter { tables.isSuperset(of: $0.tables) }
    guard !known.isEmpty else {
      throw ImportError(file: name, .malformed("holds no table of \(format) that is known"))
    }
    let source = Source(.imported, format)
    for record in known {
      var zone: Zone?
      var found: [[SQLiteFile.Value]] = []
      try file.rows(record.query, columns: 5) { found.append($0) }
      let rule = MetricRule.rule(for: record.metric)
      for row in found {
        days.summary.read += 1
        guard let start = Self.seconds(row[0], record), let end = Self.seconds(row[1], record)
        else {
          days.summary.reject("no readable date", at: nil)
          continue
        }
        guard end >= start else {
          days.summary.reject("end before start", at: nil)
          continue
        }
        guard var value = row[4].number else {
          days.summary.reject("no value", at: nil)
          continue
        }
        if let unit = record.unit, let own = rule?.unit {
          value = unit.convert(value, to: own) ?? value
        }
        if value == 0, MetricRule.isNeverZero(record.metric) { continue }
        guard value.isFinite, rule?.range?.contains(value) ?? true else {
          days.summary.reject("\(record.metric.name) beyond what is possible", at: nil)
          continue
        }
        let moment = Instant(seconds: record.isNight ? end : start)
        let offset: Int
        if record.isLabel {
          offset = 0
        } else if options.zone == nil, let written = row[2].number, abs(written) <= 18 * 3600 {
          offset = Int(written)
        } else {
          if zone == nil { zone = try options.zoneOfBareMoments(&days.summary, file: name) }
          offset = zone?.utcOffset(at: moment) ?? 0
        }
        if !record.isNight, !record.isLabel { days.summary.usesDayStart = true }
        let day = moment.day(
          utcOffset: offset, dayStart: record.isNight || record.isLabel ? 0 : options.dayStart)
        guard days.has(day, at: nil) else { continue }
        let device: String =
          switch row[3] {
          case .text(let text): text
          case .number(let number): String(number)
          case .null: ""
          }
        days.add(
          Reading(
            identity: nil, span: record.isLabel ? nil : start..<end, device: device, value: value),
          record.metric,
          on: day, source: source, fold: record.isLabel ? .max : rule?.fold ?? .mean)
        days.summary.used += 1
      }
    }
    for table in tables.subtracting(known.flatMap(\.tables)).sorted()
    where !table.hasPrefix("sqlite_") && !table.hasPrefix("android_") {
      days.summary.skip("table", table)
    }
  }

  private static func seconds(_ value: SQLiteFile.Value, _ record: DatabaseTable) -> Int64? {
    guard let number = value.number else { return nil }
    let seconds = (number / record.perSecond).rounded(.down)
    return abs(seconds) < 1e12 ? Int64(seconds) : nil
  }
}
