internal import DayLog
internal import Time

/// One table on its way into days.
struct TableReading {
  private let table: CSVTable
  private let name: String
  private let path: String
  private let options: ImportOptions
  private let layout: TableLayout
  private let known: KnownTable?
  private let times: TableDates
  /// Whether the table tells people apart and one of them was asked for.
  private let isOfPerson: Bool
  private let deviceColumn: Int?
  private var index: SeriesIndex
  private var style = NumberStyle()
  /// Whether the rows are nights, which belong to the day of waking with all that is said of them.
  private var isOfNights = false
  /// What the rows' spans measure themselves, where no column says it.
  private var span: SpanMeaning?

  /// Finds out how the table lies, and when and of whom its rows are.
  ///
  /// - Throws: where that stays open.
  init(
    _ table: CSVTable, name: String, path: String, options: ImportOptions,
    _ summary: inout ImportSummary
  ) throws(ImportError) {
    (self.table, self.path, self.name, self.options) = (table, path, name, options)
    func known(_ titles: [String]) -> KnownTable? {
      guard options.dateColumn == nil else { return nil }
      return KnownTable.table(for: Set(titles.map { ColumnName($0).key ?? "" }))
    }
    layout = TableLayout(table, isKnown: { known($0) != nil }, &summary)
    self.known = known(layout.titles)
    let columns = TableColumns(table, layout, self.known, options, name)
    try columns.refuseRepeats()
    try columns.checkMap()
    times = try TableDates(table, layout, self.known, options, name, &summary)
    let person = try columns.person()
    isOfPerson = person != nil && options.person != nil
    deviceColumn =
      self.known == nil
      ? layout.titles.firstIndex { KnownColumns.devices.contains(ColumnName($0).key ?? "") } : nil
    index = SeriesIndex(
      table, layout, self.known, options, person: person,
      keyColumns: times.columns.union([person?.column, deviceColumn].compactMap(\.self)),
      isOfSpans: times.ends != nil)
  }

  // MARK: - Rows

  /// Adds what the rows say.
  mutating func add(to days: inout DayCollector) throws(ImportError) {
    days.summary.isOfPerson = isOfPerson
    style = try index.settleNumbers(file: name)
    let asked = index.settleMeanings(path: path, &days.summary)
    days.folds.merge(asked) { $1 }
    span = times.ends == nil ? nil : SpanMeaning(index, path: path, &days.summary)
    if case .sleep? = span { isOfNights = true }
    if times.ends != nil, index.isWide,
      index.series.contains(where: { $0.meaning?.metric == .sleepHours })
    {
      isOfNights = true
    }
    if known?.isOfLogs == true { days.isOfEvents = true }
    days.isAgedByContent = known != nil
    var seen: [Int: [Int]] = [:]
    var unreadable = 0
    var labels: Set<Int> = []
    for row in layout.rows where index.isOfPerson(row) {
      days.summary.read += 1
      let place = ImportError.Place.line(table.line(row))
      let hash = table.hash(row)
      if let earlier = seen[hash], earlier.contains(where: { table.equal($0, row) }) {
        days.summary.duplicates += 1
        continue
      }
      seen[hash, default: []].append(row)
      if case .across = layout.shape {
        addAcross(row, to: &days)
        continue
      }
      guard let time = times.dates.times[row] else {
        unreadable += 1
        days.summary.reject("no readable date", at: place)
        continue
      }
      if hasExcess(row) {
        days.summary.reject("more cells than the header has", at: place)
        continue
      }
      // Two rows of one day are two things, where a row is not one metric's word on the day.
      let isRepeated = time.second == nil && !labels.insert(time.day.number).inserted
      if isRepeated, known == nil, index.isWide || index.isOfEvents { days.isOfEvents = true }
      add(row, at: time, to: &days)
    }
    if unreadable > 0, unreadable == days.summary.read - days.summary.duplicates {
      throw ImportError(
        file: name, place: .line(table.line(layout.rows.first ?? 0)),
        .noReadableDate(rows: unreadable))
    }
    index.report(to: &days.summary)
  }

  private func hasExcess(_ row: Int) -> Bool {
    (layout.titles.count..<max(layout.titles.count, table.cellCount(row)))
      .contains { !table.isEmpty(row, $0) }
  }

  private mutating func add(_ row: Int, at time: LocalTime, to days: inout DayCollector) {
    let place = ImportError.Place.line(table.line(row))
    let end = times.ends?.times[row]
    if let end, end.seconds < time.seconds {
      days.summary.reject("end before start", at: place)
      return
    }
    let day = day(of: time, &days)
    guard days.has(day, at: place) else { return }
    var reading = Reading(
      identity: nil, span: time.second == nil ? nil : time.seconds..<(end ?? time).seconds,
      device: deviceColumn.map { table.text(row, $0) } ?? "")
    // By it rows of one day that are things of their own are told apart.
    if time.second == nil { reading.identity = table.stableHash(row) }
    let night = end.map { self.night(until: $0, &days) } ?? day
    let rowPlace = RowPlace(
      row: row, day: isOfNights ? night : day, night: night, reading: reading)
    var isUsed = false
    var taken: Set<Metric> = []
    for (series, column) in index.cells(of: row) {
      let isAdded = add(column, series, rowPlace, &taken, to: &days)
      isUsed = isAdded || isUsed
    }
    if let span, span.addTo(&days, rowPlace, source: source) { isUsed = true }
    if isUsed { days.summary.used += 1 }
  }

  private mutating func addAcross(_ row: Int, to days: inout DayCollector) {
    var isUsed = false
    for (series, column) in index.cells(of: row) {
      guard let day = times.dates.times[column]?.day else { continue }
      var taken: Set<Metric> = []
      let place = RowPlace(row: row, day: day, night: day, reading: Reading(kind: .day, value: 0))
      let isAdded = add(column, series, place, &taken, to: &days)
      isUsed = isAdded || isUsed
    }
    if isUsed { days.summary.used += 1 }
  }

  private func day(of time: LocalTime, _ days: inout DayCollector) -> CalendarDay {
    guard let zone = times.bareZone, time.second != nil else { return days.day(of: time, options) }
    return days.day(of: Instant(seconds: time.seconds), in: zone, options)
  }

  private func night(until end: LocalTime, _ days: inout DayCollector) -> CalendarDay {
    guard let zone = times.bareZone else { return days.day(ofNightUntil: end, options) }
    let moment = Instant(seconds: end.seconds)
    return moment.day(utcOffset: zone.utcOffset(at: moment))
  }

  // MARK: - Cells

  private var source: Source { Source(.imported, known?.source ?? "csv") }

  /// Adds what one cell says; whether it said something.
  private mutating func add(
    _ column: Int, _ series: Int, _ place: RowPlace, _ taken: inout Set<Metric>,
    to days: inout DayCollector
  ) -> Bool {
    guard let meaning = index.series[series].meaning else { return false }
    let row = place.row
    let form: CellForm
    if index.isOfEvents {
      if index.isOfSpans, meaning.metric == .sleepHours {
        let word = SleepWord(index.series[series].name.base) ?? .asleep
        guard SpanMeaning.sleep(word).addTo(&days, place, source: source) else { return false }
        index.series[series].note(place.night)
        return true
      }
      form = index.isOfSpans ? .duration(Double(place.reading.duration)) : .boolean(true)
    } else {
      if table.isEmpty(row, column), meaning.blank == nil { return false }
      form = index.form(row, column)
    }
    switch meaning.value(form, style, title: index.series[series].name.title) {
    case .none: return false
    case .rejected(let reason):
      days.summary.reject(reason, at: .line(table.line(row)))
      return false
    case .numbers(let numbers):
      for (metric, value) in numbers where taken.insert(metric).inserted {
        var reading = place.reading
        reading.value = value
        days.add(
          reading, metric, on: place.day, source: source, fold: meaning.fold)
      }
      index.series[series].note(place.day)
      if !index.isOfEvents { index.series[series].noteShape(of: table.text(row, column)) }
      return true
    }
  }
}

/// Where the readings of a row go.
struct RowPlace {
  let row: Int
  let day: CalendarDay
  /// The day on which the row's span ends, to which a night belongs.
  let night: CalendarDay
  /// What all of them have in common.
  let reading: Reading
}
