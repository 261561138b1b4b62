internal import DayLog
internal import Time

/// One table of a vendor on its way into days.
struct VendorTableReading {
  private let table: CSVTable
  private let keys: [String]
  private let rows: Range<Int>
  private let vendorTable: VendorTable
  private let source: Source
  private let options: ImportOptions
  private let file: String
  /// The columns that are read, in the order of the table.
  private let fields: [(column: Int, field: VendorTable.Field)]
  private let style: NumberStyle
  private let starts: DateColumn
  private let ends: DateColumn?
  /// The column that says how far ahead of UTC the times of a row are.
  private let offset: String?
  private let isUTC: Bool

  /// Settles from all of the table how its numbers and times are written.
  ///
  /// - Throws: where that stays open.
  init(
    _ table: CSVTable, keys: [String], headerRow: Int, _ vendorTable: VendorTable, source: Source,
    options: ImportOptions, file: String
  ) throws(ImportError) {
    (self.table, self.keys, self.vendorTable) = (table, keys, vendorTable)
    (self.source, self.options, self.file) = (source, options, file)
    let rows = headerRow + 1..<max(headerRow + 1, table.rowCount)
    self.rows = rows
    let fields = keys.indices.compactMap { column in
      vendorTable.columns[keys[column]].map { (column: column, field: $0) }
    }
    self.fields = fields
    style = try Self.style(table, rows, fields, options, file)

    func column(_ key: String) throws(ImportError) -> DateColumn {
      let index = keys.firstIndex(of: key)
      let cells = (0..<table.rowCount).map { row in
        index.map { rows.contains(row) ? table.text(row, $0) : "" } ?? ""
      }
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
    case .day(let key): (starts, ends, offset, isUTC) = (try column(key), nil, nil, false)
    case .moment(let key, let offset, let isUTC):
      (starts, ends, self.offset, self.isUTC) = (try column(key), nil, offset, isUTC)
    case .span(let start, let end, let offset, let isUTC),
      .night(let start, let end, let offset, let isUTC):
      (starts, ends) = (try column(start), try column(end))
      (self.offset, self.isUTC) = (offset, isUTC)
    }
  }

  /// Adds what the rows say.
  func add(to days: inout DayCollector) throws(ImportError) {
    if let remark = vendorTable.remark { days.summary.remark(remark) }
    for key in keys where !key.isEmpty && vendorTable.columns[key] == nil && !says(key) {
      days.summary.skip("column", key)
    }
    if vendorTable.isOfEvents { days.isOfEvents = true }
    let zone =
      starts.holdsBareMoments && offset == nil
      ? try options.zoneOfBareMoments(&days.summary, file: file) : nil
    for row in rows { add(row, zone, to: &days) }
  }

  private func add(_ row: Int, _ zone: Zone?, to days: inout DayCollector) {
    let place = ImportError.Place.line(table.line(row))
    if let filter = vendorTable.filter,
      !filter.words.contains(text(row, filter.column).lowercased())
    {
      days.summary.skip("row", "of another kind")
      return
    }
    days.summary.read += 1
    guard let start = starts.times[row].map({ local($0, row) }) else {
      days.summary.reject("no readable date", at: place)
      return
    }
    let end = ends?.times[row].map { local($0, row) }
    if let end, end.seconds < start.seconds {
      days.summary.reject("end before start", at: place)
      return
    }
    let day = day(start, end, zone, &days)
    guard days.has(day, at: place) else { return }
    let named = text(row, vendorTable.identity)
    let identity = named.isEmpty ? nil : "\(source.name) \(named)"
    if let identity, !days.isNew(identity) { return }
    let span: Range<Int64>? =
      start.second == nil
      ? nil : start.seconds..<max(start.seconds + vendorTable.length, end?.seconds ?? start.seconds)
    var reading = Reading(identity: identity, span: span, device: text(row, vendorTable.device))
    if span == nil, identity == nil { reading.identity = table.stableHash(row) }
    let isUsed = addFields(of: row, reading, on: day, to: &days)
    let isTotalUsed = addTotal(of: row, reading, on: day, to: &days)
    if isUsed || isTotalUsed { days.summary.used += 1 }
  }

  // MARK: - Numbers

  /// Adds what the columns say; whether they said something.
  private func addFields(
    of row: Int, _ reading: Reading, on day: CalendarDay, to days: inout DayCollector
  ) -> Bool {
    let place = ImportError.Place.line(table.line(row))
    var isUsed = false
    for (column, field) in fields where !table.isEmpty(row, column) {
      let form = CellForm(table.text(row, column))
      if form == .missing { continue }
      guard let value = number(form, field) else {
        days.summary.reject("no number in \"\(keys[column])\"", at: place)
        continue
      }
      if value == 0, field.isPositive || MetricRule.isNeverZero(field.metric) { continue }
      let rule = MetricRule.rule(for: field.metric)
      if let range = rule?.range, !range.contains(value) {
        days.summary.reject("\"\(keys[column])\" beyond what is possible", at: place)
        continue
      }
      var metric = field.metric
      if let names = vendorTable.names {
        guard let made = names.metric(text(row, names.column)) else { continue }
        metric = made
      }
      var one = reading
      one.value = value
      days.add(one, metric, on: day, source: source, fold: field.fold ?? rule?.fold ?? .mean)
      isUsed = true
      if let share = vendorTable.share, share.column == keys[column] {
        one.value = share.range.contains(value) ? 100 : 0
        days.add(one, share.metric, on: day, source: source, fold: .mean)
      }
    }
    return isUsed
  }

  /// Adds the sum of the columns that make one number; whether there was one.
  private func addTotal(
    of row: Int, _ reading: Reading, on day: CalendarDay, to days: inout DayCollector
  ) -> Bool {
    guard let totals = vendorTable.totals else { return false }
    let field = VendorTable.Field(totals.metric, in: totals.unit)
    let parts = totals.columns.compactMap { number(CellForm(text(row, $0)), field) }
    guard !parts.isEmpty else { return false }
    var one = reading
    one.value = parts.reduce(0, +)
    days.add(one, totals.metric, on: day, source: source, fold: .sum)
    return true
  }

  private func number(_ form: CellForm, _ field: VendorTable.Field) -> Double? {
    let own = MetricRule.rule(for: field.metric)?.unit
    func converted(_ value: Double, from unit: Unit?) -> Double? {
      guard let unit, let own else { return value }
      return unit.convert(value, to: own)
    }
    switch form {
    case .number(let text, let unit):
      return style.number(String(text)).flatMap { converted($0, from: unit ?? field.unit) }
    case .clock(let seconds): return converted(Double(seconds), from: .second)
    case .duration(let seconds): return converted(seconds, from: .second)
    case .boolean(let yes): return yes ? 1 : 0
    case .pair(let left, _): return style.number(String(left))
    default: return nil
    }
  }

  private static func style(
    _ table: CSVTable, _ rows: Range<Int>, _ fields: [(column: Int, field: VendorTable.Field)],
    _ options: ImportOptions, _ file: String
  ) throws(ImportError) -> NumberStyle {
    var marks = MarkCensus()
    for row in rows {
      for (column, field) in fields where !table.isEmpty(row, column) {
        guard case .number(let text, _) = CellForm(table.text(row, column)) else { continue }
        // What is possible is known in the metric's own unit.
        let rule = field.unit == nil ? MetricRule.rule(for: field.metric) : nil
        marks.add(text, row: row, rule: rule)
      }
    }
    return try marks.style(of: table, options, file: file)
  }

  // MARK: - Times

  private func text(_ row: Int, _ key: String?) -> String {
    guard let key, let column = keys.firstIndex(of: key) else { return "" }
    return table.text(row, column)
  }

  private var isNight: Bool { if case .night = vendorTable.when { true } else { false } }

  /// A time by the distance from UTC that its row names.
  private func local(_ time: LocalTime, _ row: Int) -> LocalTime {
    guard time.second != nil, let written = offset.flatMap({ Self.offset(text(row, $0)) }) else {
      return isUTC && time.second != nil && time.offset == nil
        ? LocalTime(day: time.day, second: time.second, offset: 0, isUTC: true) : time
    }
    // A time in UTC, or the clock on the wall, beside its distance from UTC.
    let wall = isUTC || starts.holdsBareMoments ? time.seconds + Int64(written) : time.seconds
    return LocalTime(wallSeconds: wall, offset: written)
  }

  private func day(
    _ start: LocalTime, _ end: LocalTime?, _ zone: Zone?, _ days: inout DayCollector
  ) -> CalendarDay {
    guard let zone, start.second != nil else {
      return isNight
        ? days.day(ofNightUntil: end ?? start, options) : days.day(of: start, options)
    }
    let moment = Instant(seconds: isNight ? (end ?? start).seconds : start.seconds)
    return isNight
      ? moment.day(utcOffset: zone.utcOffset(at: moment)) : days.day(of: moment, in: zone, options)
  }

  /// Whether a column is no number but says what one is, or when.
  private func says(_ key: String) -> Bool {
    var keys = [vendorTable.filter?.column, vendorTable.device, vendorTable.names?.column]
    keys += vendorTable.totals?.columns ?? []
    switch vendorTable.when {
    case .day(let column): keys.append(column)
    case .moment(let column, let offset, _): keys += [column, offset]
    case .span(let start, let end, let offset, _), .night(let start, let end, let offset, _):
      keys += [start, end, offset]
    }
    return keys.contains(key)
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
