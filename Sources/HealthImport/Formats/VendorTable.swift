internal import DayLog
internal import Time

/// One of the tables that a vendor's export holds: how it is known, when its rows are of, and what its columns mean.
struct VendorTable: Sendable {
  /// Titles, as ``ColumnName/key`` writes them, that it has all of.
  let titles: Set<String>
  /// What its file is called, in lower case, where the titles leave it open: one of these stands in it.
  var fileNames: [String] = []
  let when: Times
  /// What is read; every other column is named as left out.
  let columns: [String: Field]
  /// Rows count where a column has one of these words, in lower case.
  var filter: (column: String, words: Set<String>)?
  /// The column that tells a row from all others.
  var identity: String?
  /// The column that tells apart the devices of the vendor.
  var device: String?
  /// How long a row without an end lasts, in seconds: rows a minute apart are minutes.
  var length: Int64 = 0
  /// A column whose words are names: its number goes to a metric made of the word.
  var names: (column: String, metric: @Sendable (String) -> Metric?)?
  /// A number that is the sum of several columns.
  var totals: (metric: Metric, unit: Unit, columns: [String])?
  /// A metric of the share of a column's readings, in percent, that lie in a range of its metric's unit.
  var share: (metric: Metric, column: String, range: ClosedRange<Double>)?
  /// A phrase on what its numbers are.
  var remark: String?

  /// Which columns say when.
  enum Times: Sendable {
    /// A day's label.
    case day(String)
    /// A time; where all are midnight they are labels. `offset` is the column that says how far ahead of UTC.
    case moment(String, offset: String? = nil, isUTC: Bool = false)
    /// A start and an end: a count, or a session, that belongs to the day of its start.
    case span(String, String, offset: String? = nil, isUTC: Bool = false)
    /// A start and an end of sleep, which belongs to the day it ends on, whatever the day start.
    case night(String, String, offset: String? = nil, isUTC: Bool = false)
  }

  /// What one column means.
  struct Field: Sendable {
    let metric: Metric
    /// The column's unit; nil where it is the metric's.
    var unit: Unit?
    var fold: Fold?
    /// Whether 0 stands for *not measured*.
    var isPositive = false

    init(_ metric: Metric, in unit: Unit? = nil, fold: Fold? = nil, isPositive: Bool = false) {
      (self.metric, self.unit, self.fold, self.isPositive) = (metric, unit, fold, isPositive)
    }
  }

  func fits(_ keys: Set<String>, path: String) -> Bool {
    titles.isSubset(of: keys)
      && (fileNames.isEmpty || fileNames.contains { path.lowercased().contains($0) })
  }
}

/// Reads the tables of one vendor.
struct VendorTableReader: Reader {
  let format: String
  let tables: [VendorTable]

  func recognises(_ head: FileHead) -> Bool {
    guard !head.isJSON, !head.bytes.prefix(4096).contains(0) else { return false }
    return head.firstLines(6).contains { line in
      let keys = Set(
        line.split(whereSeparator: { ",;\t".contains($0) }).compactMap {
          ColumnName(String($0)).key
        })
      return tables.contains { $0.fits(keys, path: head.name) }
    }
  }

  func read(
    _ stream: inout ByteStream, options: ImportOptions, into days: inout DayCollector
  ) throws(ImportError) {
    let table = try CSVTable(try stream.readAll(limit: CSVTable.byteLimit), name: stream.name)
    for row in 0..<min(6, table.rowCount) {
      let keys = table.row(row).map { ColumnName($0).key ?? "" }
      guard let vendorTable = tables.first(where: { $0.fits(Set(keys), path: stream.path) }) else {
        continue
      }
      try VendorTableReading(
        table, keys: keys, headerRow: row, vendorTable, source: Source(.imported, format),
        options: options, file: stream.name
      ).add(to: &days)
      return
    }
    throw ImportError(file: stream.name, .malformed("holds no table of \(format) that is known"))
  }
}

private struct VendorTableReading {
  let table: CSVTable
  let keys: [String]
  let headerRow: Int
  let vendorTable: VendorTable
  let source: Source
  let options: ImportOptions
  let file: String

  init(
    _ table: CSVTable, keys: [String], headerRow: Int, _ vendorTable: VendorTable, source: Source,
    options: ImportOptions, file: String
  ) {
    (self.table, self.keys, self.headerRow, self.vendorTable) = (
      table, keys, headerRow, vendorTable
    )
    (self.source, self.options, self.file) = (source, options, file)
  }

  private var rows: Range<Int> { headerRow + 1..<max(headerRow + 1, table.rowCount) }

  private func text(_ row: Int, _ key: String?) -> String {
    guard let key, let column = keys.firstIndex(of: key) else { return "" }
    return table.text(row, column)
  }

  func add(to days: inout DayCollector) throws(ImportError) {
    if let remark = vendorTable.remark { days.summary.remark(remark) }
    for key in keys where !key.isEmpty && vendorTable.columns[key] == nil && !says(key) {
      days.summary.skip("column", key)
    }
    let (starts, ends, offset, isUTC) = try times()
    var zone: Zone?
    if starts.holdsBareMoments, offset == nil {
      zone = try options.zoneOfBareMoments(&days.summary, file: file)
    }
    let style = NumberStyle(decimal: options.decimal == "," ? NumberStyle.comma : NumberStyle.point)
    let comma = NumberStyle(decimal: NumberStyle.comma)
    for row in rows {
      let place = ImportError.Place.line(table.line(row))
      if let filter = vendorTable.filter,
        !filter.words.contains(text(row, filter.column).lowercased())
      {
        days.summary.skip("row", "of another kind")
        continue
      }
      days.summary.read += 1
      func local(_ time: LocalTime) -> LocalTime {
        guard time.second != nil, let written = offset.flatMap({ Self.offset(text(row, $0)) })
        else {
          return isUTC && time.second != nil && time.offset == nil
            ? LocalTime(day: time.day, second: time.second, offset: 0, isUTC: true) : time
        }
        // A time in UTC, or the clock on the wall, beside its distance from UTC.
        let wall = isUTC || starts.holdsBareMoments ? time.seconds + Int64(written) : time.seconds
        return LocalTime(wallSeconds: wall, offset: written)
      }
      guard let start = starts.times[row].map(local) else {
        days.summary.reject("no readable date", at: place)
        continue
      }
      let end = ends?.times[row].map(local)
      if let end, end.seconds < start.seconds {
        days.summary.reject("end before start", at: place)
        continue
      }
      let day: CalendarDay
      if let zone, start.second != nil {
        let moment = Instant(seconds: isNight ? (end ?? start).seconds : start.seconds)
        day =
          isNight
          ? moment.day(utcOffset: zone.utcOffset(at: moment))
          : days.day(of: moment, in: zone, options)
      } else {
        day =
          isNight ? days.day(ofNightUntil: end ?? start, options) : days.day(of: start, options)
      }
      guard days.has(day, at: place) else { continue }
      let named = text(row, vendorTable.identity)
      let identity = named.isEmpty ? nil : "\(source.name) \(named)"
      if let identity, !days.isNew(identity) { continue }
      let span: Range<Int64>? =
        start.second == nil
        ? nil
        : start.seconds..<max(start.seconds + vendorTable.length, end?.seconds ?? start.seconds)
      var reading = Reading(
        identity: identity, span: span, device: text(row, vendorTable.device))
      if span == nil, identity == nil { reading.identity = table.stableHash(row) }
      var isUsed = false
      for (key, field) in vendorTable.columns {
        let cell = text(row, key)
        guard !cell.isEmpty else { continue }
        guard let value = Self.number(cell, field, style, comma) else {
          if CellForm(cell) != .missing {
            days.summary.reject("no number in \"\(key)\"", at: place)
          }
          continue
        }
        if value == 0, field.isPositive || MetricRule.isNeverZero(field.metric) { continue }
        let rule = MetricRule.rule(for: field.metric)
        if let range = rule?.range, !range.contains(value) {
          days.summary.reject("\"\(key)\" beyond what is possible", at: place)
          continue
        }
        var metric = field.metric
        if let names = vendorTable.names {
          guard let made = names.metric(text(row, names.column)) else { continue }
          metric = made
        }
        reading.value = value
        days.add(reading, metric, on: day, source: source, fold: field.fold ?? rule?.fold ?? .mean)
        isUsed = true
        if let share = vendorTable.share, share.column == key {
          reading.value = share.range.contains(value) ? 100 : 0
          days.add(reading, share.metric, on: day, source: source, fold: .mean)
        }
      }
      if let totals = vendorTable.totals {
        let field = VendorTable.Field(totals.metric, in: totals.unit)
        let parts = totals.columns.compactMap { Self.number(text(row, $0), field, style, comma) }
        if !parts.isEmpty {
          reading.value = parts.reduce(0, +)
          days.add(reading, totals.metric, on: day, source: source, fold: .sum)
          isUsed = true
        }
      }
      if isUsed { days.summary.used += 1 }
    }
  }

  private var isNight: Bool { if case .night = vendorTable.when { true } else { false } }

  private func says(_ key: String) -> Bool {
    var keys = [vendorTable.filter?.column, vendorTable.device, vendorTable.names?.column]
    switch vendorTable.when {
    case .day(let column): keys.append(column)
    case .moment(let column, let offset, _): keys += [column, offset]
    case .span(let start, let end, let offset, _), .night(let start, let end, let offset, _):
      keys += [start, end, offset]
    }
    return keys.contains(key)
  }

  private func times() throws(ImportError) -> (
    DateColumn, DateColumn?, offset: String?, isUTC: Bool
  ) {
    func column(_ key: String) throws(ImportError) -> DateColumn {
      let cells = (0..<table.rowCount).map { rows.contains($0) ? text($0, key) : "" }
      if let format = options.dateFormat {
        guard let pattern = DatePattern(format) else {
          throw ImportError(file: file, .invalidDateFormat(format))
        }
        return DateColumn(cells: cells, patterns: [pattern])
      }
      do throws(DateColumn.Doubt) {
        return try DateColumn(cells: cells, isNamed: true)
      } catch {
        throw ImportError(file: file, .openDates(isMixed: error == .both))
      }
    }
    switch vendorTable.when {
    case .day(let key): return (try column(key), nil, nil, false)
    case .moment(let key, let offset, let isUTC): return (try column(key), nil, offset, isUTC)
    case .span(let start, let end, let offset, let isUTC),
      .night(let start, let end, let offset, let isUTC):
      return (try column(start), try column(end), offset, isUTC)
    }
  }

  private static func number(
    _ cell: String, _ field: VendorTable.Field, _ style: NumberStyle, _ comma: NumberStyle
  ) -> Double? {
    let own = MetricRule.rule(for: field.metric)?.unit
    func converted(_ value: Double, from unit: Unit?) -> Double? {
      guard let unit, let own else { return value }
      return unit.convert(value, to: own)
    }
    switch CellForm(cell) {
    case .number(let text, let unit):
      guard let value = style.number(String(text)) ?? comma.number(String(text)) else { return nil }
      return converted(value, from: unit ?? field.unit)
    case .clock(let seconds): return converted(Double(seconds), from: .second)
    case .duration(let seconds): return converted(seconds, from: .second)
    case .boolean(let yes): return yes ? 1 : 0
    case .pair(let left, _): return style.number(String(left))
    default: return nil
    }
  }

  /// Seconds ahead of UTC: `UTC+0100`, `UTC+01:00`, `+01:00`, `Z`, `GMT`.
  private static func offset(_ text: String) -> Int? {
    var rest = CellForm.trimmed(text[...])
    for name in ["UTC", "GMT"] where rest.hasPrefix(name) { rest = rest.dropFirst(3) }
    if rest.isEmpty || rest == "Z" { return text.isEmpty ? nil : 0 }
    guard let sign = rest.first, sign == "+" || sign == "-" else { return nil }
    let digits = rest.dropFirst().filter { $0 != ":" }
    guard let number = Int(digits), (1...4).contains(digits.count) else { return nil }
    let minutes = digits.count <= 2 ? number * 60 : number / 100 * 60 + number % 100
    return minutes <= 18 * 60 ? (sign == "-" ? -60 : 60) * minutes : nil
  }
}

extension LocalTime {
  /// The time that a clock on the wall shows, this far ahead of UTC.
  fileprivate init(wallSeconds: Int64, offset: Int) {
    let number = wallSeconds >= 0 ? wallSeconds / 86_400 : (wallSeconds - 86_399) / 86_400
    self.init(
      day: CalendarDay(number: Int(number)), second: Int(wallSeconds - number * 86_400),
      offset: offset)
  }
}

extension FileHead {
  /// The first lines without quotes and a byte order mark.
  func firstLines(_ count: Int) -> [String] {
    let start = begins(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    return bytes[start...].split(maxSplits: count + 1, omittingEmptySubsequences: true) {
      $0 == 10 || $0 == 13
    }.prefix(count).map { line in
      String(decoding: line.prefix(8192).filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    }
  }
}
