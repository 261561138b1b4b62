internal import DayLog
internal import Time

/// Any table with dates: a column a metric, a row a reading, or a column a day; tables known by their headers mean
/// what they are known to mean.
///
/// What a column is, how its dates and numbers are written and what its unit is are settled once, from all of the
/// table; what stays open is refused with the option that settles it. A column becomes a metric of its own name,
/// columns of well-known names become the standard metric, `--map` decides otherwise. An empty cell is missing.
/// Exact repeats of a row count once. Several rows of one day fold as their metric declares, of unknown
/// metrics by the unit: what adds up is summed, all else has a mean. Whatever is left out is named.
struct CSVReader: Reader {
  let format = "csv"

  func recognises(_ head: FileHead) -> Bool {
    guard let first = head.firstCharacter, !head.isZip else { return false }
    if [UInt8(ascii: "{"), UInt8(ascii: "<")].contains(first) { return false }
    if first == UInt8(ascii: "["), head.isJSON { return false }
    let isUTF16 = head.begins(with: [0xFF, 0xFE]) || head.begins(with: [0xFE, 0xFF])
    if isUTF16 { return true }
    guard !head.bytes.contains(0) else { return false }
    return head.bytes.prefix(4096).contains { CSVTable.separators.contains($0) }
  }

  func read(
    _ stream: inout ByteStream, options: ImportOptions, into days: inout DayCollector
  ) throws(ImportError) {
    let name = stream.name
    let table = try CSVTable(try stream.readAll(limit: CSVTable.byteLimit), name: name)
    guard table.rowCount > 0 else { throw ImportError(file: name, .empty) }
    try add(table, name: name, path: stream.path, options: options, into: &days)
  }

  /// Adds a table that is held.
  func add(
    _ table: CSVTable, name: String, path: String, options: ImportOptions,
    into days: inout DayCollector
  ) throws(ImportError) {
    var reading = try TableReading(
      table, name: name, path: path, options: options, &days.summary)
    try reading.add(to: &days)
  }
}

/// One table on its way into days.
private struct TableReading {
  private let table: CSVTable
  private let name: String
  private let path: String
  private let options: ImportOptions
  private let layout: TableLayout
  private let known: KnownTable?
  private let dates: DateColumn
  private let person: (column: Int, id: String)?
  private let isOfPerson: Bool
  private let deviceColumn: Int?
  /// The zone of moments that carry none.
  private let bareZone: Zone?
  private var series: [Series] = []
  /// The series of a row's metric, where rows name theirs.
  private var byName: [String: Int] = [:]
  private var style = NumberStyle()
  /// Folds that the person asked for by the title of a column.
  private var asked: [Metric: Fold] = [:]

  private struct Series {
    let name: ColumnName
    let unit: Unit?
    let column: Int
    var known: KnownColumn?
    var census = SeriesCensus()
    var samples: [Double] = []
    var meaning: ColumnMeaning?
    var first: CalendarDay?
    var last: CalendarDay?
    var days: Set<CalendarDay> = []
    var shapes: [String] = []
  }

  private static let sampleLimit = 5000

  init(
    _ table: CSVTable, name: String, path: String, options: ImportOptions,
    _ summary: inout ImportSummary
  ) throws(ImportError) {
    self.table = table
    self.path = path
    self.name = name
    self.options = options
    func known(_ titles: [String]) -> KnownTable? {
      guard options.dateColumn == nil else { return nil }
      return KnownTable.table(for: Set(titles.map { ColumnName($0).key ?? "" }))
    }
    layout = TableLayout(table, isKnown: { known($0) != nil }, &summary)
    self.known = known(layout.titles)
    try Self.refuseRepeats(table, layout, self.known, name)
    try Self.checkMap(layout, options, name)
    (dates, bareZone) = try Self.dates(table, layout, self.known, options, name, &summary)
    person = try Self.person(table, layout, self.known, options, name)
    isOfPerson = person != nil && options.person != nil
    deviceColumn =
      self.known == nil
      ? layout.titles.firstIndex { KnownColumns.devices.contains(ColumnName($0).key ?? "") } : nil
  }

  // MARK: - Reading

  mutating func add(to days: inout DayCollector) throws(ImportError) {
    days.summary.isOfPerson = isOfPerson
    findSeries()
    try settleNumbers()
    settleMeanings(&days.summary)
    days.folds.merge(asked) { $1 }
    if known?.isOfLogs == true { days.isOfEvents = true }
    days.isAgedByContent = known != nil
    var seen: [Int: [Int]] = [:]
    var unreadable = 0
    var labels: Set<Int> = []
    for row in layout.rows where isOfPerson(row) {
      days.summary.read += 1
      let place = ImportError.Place.line(table.line(row))
      let hash = table.hash(row)
      if let earlier = seen[hash], earlier.contains(where: { table.equal($0, row) }) {
        days.summary.duplicates += 1
        continue
      }
      seen[hash, default: []].append(row)
      if case .across(let columns) = layout.shape {
        addAcross(row, columns, into: &days)
        continue
      }
      guard let time = dates.times[row] else {
        unreadable += 1
        days.summary.reject("no readable date", at: place)
        continue
      }
      if hasExcess(row) {
        days.summary.reject("more cells than the header has", at: place)
        continue
      }
      if time.second == nil, !labels.insert(time.day.number).inserted, known == nil, layout.isOfRows
      {
        days.isOfEvents = true
      }
      add(row, at: time, into: &days)
    }
    if unreadable > 0, unreadable == days.summary.read - days.summary.duplicates {
      throw ImportError(
        file: name, place: .line(table.line(layout.rows.first ?? 0)),
        .noReadableDate(rows: unreadable))
    }
    report(&days.summary)
  }

  private func hasExcess(_ row: Int) -> Bool {
    (layout.titles.count..<max(layout.titles.count, table.cellCount(row)))
      .contains { !table.isEmpty(row, $0) }
  }

  private func isOfPerson(_ row: Int) -> Bool {
    person.map { table.text(row, $0.column) == $0.id } ?? true
  }

  private mutating func add(_ row: Int, at time: LocalTime, into days: inout DayCollector) {
    let day: CalendarDay
    if let bareZone, time.second != nil {
      day = days.day(of: Instant(seconds: time.seconds), in: bareZone, options)
    } else {
      day = days.day(of: time, options)
    }
    guard days.has(day, at: .line(table.line(row))) else { return }
    var reading = Reading(
      identity: nil, span: time.second == nil ? nil : time.seconds..<time.seconds,
      device: deviceColumn.map { table.text(row, $0) } ?? "")
    // By it rows of one day that are things of their own are told apart.
    if time.second == nil { reading.identity = table.stableHash(row) }
    var isUsed = false
    var taken: Set<Metric> = []
    for (index, column) in cells(of: row) {
      let isAdded = add(row, column, index, on: day, reading, &taken, into: &days)
      isUsed = isAdded || isUsed
    }
    if isUsed { days.summary.used += 1 }
  }

  private mutating func addAcross(_ row: Int, _ columns: [Int], into days: inout DayCollector) {
    guard let index = byName[seriesKey(row, column: 0)] else { return }
    var isUsed = false
    for column in columns {
      guard let day = dates.times[column]?.day else { continue }
      var taken: Set<Metric> = []
      let isAdded = add(
        row, column, index, on: day, Reading(kind: .day, value: 0), &taken, into: &days)
      isUsed = isAdded || isUsed
    }
    if isUsed { days.summary.used += 1 }
  }

  /// Adds what one cell says; whether it said something.
  private mutating func add(
    _ row: Int, _ column: Int, _ index: Int, on day: CalendarDay, _ reading: Reading,
    _ taken: inout Set<Metric>, into days: inout DayCollector
  ) -> Bool {
    guard let meaning = series[index].meaning else { return false }
    let form: CellForm
    if case .events = layout.shape {
      form = .boolean(true)
    } else {
      if table.isEmpty(row, column), meaning.blank == nil { return false }
      form = CellForm(table.text(row, column))
    }
    let title = series[index].name.title
    switch meaning.value(form, style, title: title) {
    case .none: return false
    case .rejected(let reason):
      days.summary.reject(reason, at: .line(table.line(row)))
      return false
    case .numbers(let numbers):
      for (metric, value) in numbers where taken.insert(metric).inserted {
        var one = reading
        one.value = value
        // Several columns or metrics of a row have readings of their own.
        days.add(
          one, metric, on: day, source: Source(.imported, known?.source ?? "csv"),
          fold: meaning.fold)
      }
      series[index].days.insert(day)
      if series[index].shapes.count < 3, case .events = layout.shape {
      } else if series[index].shapes.count < 3 {
        let shape = Self.shape(table.text(row, column))
        if !series[index].shapes.contains(shape) { series[index].shapes.append(shape) }
      }
      return true
    }
  }

  // MARK: - Series

  private func seriesKey(_ row: Int, column: Int) -> String { table.text(row, column).lowercased() }

  /// The series of a row's cells, with their columns; of two of one metric the one in its own unit first.
  private func cells(of row: Int) -> [(index: Int, column: Int)] {
    switch layout.shape {
    case .wide: return order
    case .long(let name, let value, _):
      return byName[seriesKey(row, column: name)].map { [($0, value)] } ?? []
    case .events(let name): return byName[seriesKey(row, column: name)].map { [($0, name)] } ?? []
    case .across: return []
    }
  }

  private var order: [(index: Int, column: Int)] = []

  private mutating func findSeries() {
    func add(_ title: String, _ unit: Unit?, _ column: Int) {
      series.append(Series(name: ColumnName(title), unit: unit, column: column))
    }
    switch layout.shape {
    case .wide:
      for (column, title) in layout.titles.enumerated() { add(title, nil, column) }
    case .long(let name, let value, let unit):
      for row in layout.rows where isOfPerson(row) {
        let key = seriesKey(row, column: name)
        guard !key.isEmpty, byName[key] == nil else { continue }
        byName[key] = series.count
        let named =
          unit.flatMap { Unit(table.text(row, $0)) } ?? ColumnName(layout.titles[value]).unit
        add(table.text(row, name), named, value)
      }
    case .events(let name):
      let isSymptom = ColumnName(layout.titles[name]).key == "symptom"
      for row in layout.rows where isOfPerson(row) {
        let key = seriesKey(row, column: name)
        guard !key.isEmpty, byName[key] == nil else { continue }
        byName[key] = series.count
        add((isSymptom ? "symptom." : "") + table.text(row, name), .count, name)
      }
    case .across:
      for row in layout.rows {
        let key = seriesKey(row, column: 0)
        guard !key.isEmpty, byName[key] == nil else { continue }
        byName[key] = series.count
        add(table.text(row, 0), nil, 0)
      }
    }
    if case .wide = layout.shape, let known {
      for index in series.indices {
        let key = series[index].name.key ?? ""
        series[index].known = known.columns[key]
      }
    }
    order = series.indices.map { ($0, $0) }
  }

  /// Goes through all cells with numbers once, for the marks and the looks.
  private mutating func settleNumbers() throws(ImportError) {
    var marks = MarkCensus()
    var series = self.series
    func look(_ row: Int, _ column: Int, _ index: Int) {
      guard !table.isEmpty(row, column) else { return }
      let text = table.text(row, column)
      let form = CellForm(text)
      series[index].census.add(form)
      if case .text = form, WrittenDate(text, acceptsNumbers: false) != nil {
        series[index].census.dates += 1
      }
      let rule =
        series[index].known.flatMap { MetricRule.rule(for: $0.metric) }
        ?? MetricRule.rule(named: series[index].name.base)
      switch form {
      case .number(let number, _): marks.add(number, row: row, rule: rule)
      case .pair(let left, let right):
        marks.add(left, row: row, rule: nil)
        marks.add(right, row: row, rule: nil)
      default: break
      }
    }
    eachCell(look)
    self.series = series
    style = try marks.style(of: table, options, file: name)
    let style = style
    eachCell { row, column, index in
      guard series[index].samples.count < Self.sampleLimit, !table.isEmpty(row, column),
        let value = table.withCell(row, column, { style.number($0) })
      else { return }
      series[index].samples.append(value)
    }
    self.series = series
  }

  private func eachCell(_ body: (Int, Int, Int) -> Void) {
    let events = if case .events = layout.shape { true } else { false }
    guard !events else { return }
    for row in layout.rows where isOfPerson(row) {
      if case .across(let columns) = layout.shape {
        guard let index = byName[seriesKey(row, column: 0)] else { continue }
        for column in columns { body(row, column, index) }
      } else {
        for (index, column) in cells(of: row) where !isKey(column) { body(row, column, index) }
      }
    }
  }

  /// Whether a column says when or who.
  private func isKey(_ column: Int) -> Bool {
    guard case .wide = layout.shape else { return false }
    return keyColumns.contains(column)
  }

  private var keyColumns: Set<Int> {
    var columns = Set(dates.columns)
    if let person { columns.insert(person.column) }
    if let deviceColumn { columns.insert(deviceColumn) }
    return columns
  }

  private mutating func settleMeanings(_ summary: inout ImportSummary) {
    var taken: [Metric: Int] = [:]
    let fileName = FileTitle.metricName(of: path)
    let isEvents = if case .events = layout.shape { true } else { false }
    for index in series.indices {
      let one = series[index]
      let key = one.name.key ?? ""
      if case .wide = layout.shape {
        if isKey(one.column) { continue }
        if known?.ignored.contains(key) == true || known?.repeated.contains(key) == true {
          summary.skip("column", one.name.title)
          continue
        }
        if one.name.title.isEmpty, one.census.values == 0 { continue }
      }
      var census = one.census
      if isEvents { (census.filled, census.booleans) = (1, 1) }
      let plan = SeriesPlan(
        name: one.name, census: census, known: one.known, tableFold: known?.fold,
        options: options, samples: one.samples,
        unit: one.unit,
        fileName: series.count - keyColumns.count > 1 && known == nil && !isOnlyValue(index)
          ? nil : fileName)
      switch plan.outcome(position: index) {
      case .leftOut(let reason):
        summary.skip(
          "column", one.name.title.isEmpty ? "(without a name)" : one.name.title, reason: reason)
      case .meaning(var meaning, let remarks):
        if isEvents { meaning.fold = options.folds[one.name.title] ?? .sum }
        if let other = taken[meaning.metric], !areOneMetric(other, index, meaning) {
          // What would become one name stays two.
          var number = 2
          while let next = Metric("\(meaning.metric.name)_\(number)"), taken[next] != nil {
            number += 1
          }
          guard let next = Self.another(meaning, one.name, number, taken) else {
            summary.skip("column", one.name.title, reason: "no name for a metric")
            continue
          }
          meaning = next
        }
        if taken[meaning.metric] == nil { taken[meaning.metric] = index }
        series[index].meaning = meaning
        if options.folds[one.name.title] != nil {
          asked[series[index].meaning?.metric ?? meaning.metric] = meaning.fold
        }
        for remark in remarks { summary.remark(remark) }
      }
    }
    // Of two columns of one metric the one in its own unit is read first.
    order.sort { left, right in
      func isForeign(_ index: Int) -> Bool {
        guard let meaning = series[index].meaning else { return false }
        return meaning.from != nil && meaning.to != nil && meaning.from != meaning.to
      }
      let (a, b) = (isForeign(left.index), isForeign(right.index))
      return a == b ? left.index < right.index : b
    }
  }

  private func isOnlyValue(_ index: Int) -> Bool {
    let generic = series.indices.filter { !isKey(series[$0].column) && series[$0].name.isGeneric }
    return generic == [index]
  }

  /// Whether two columns are one quantity in two units, or the parts of a person's own choosing.
  private func areOneMetric(_ left: Int, _ right: Int, _ meaning: ColumnMeaning) -> Bool {
    guard let other = series[left].meaning else { return false }
    if options.metrics[series[left].name.title] != nil,
      options.metrics[series[right].name.title] != nil
    {
      return true
    }
    return other.to != nil && other.to == meaning.to && other.from != meaning.from
      && other.from != nil && meaning.from != nil
      && series[left].name.base == series[right].name.base
  }

  private static func another(
    _ meaning: ColumnMeaning, _ name: ColumnName, _ number: Int, _ taken: [Metric: Int]
  ) -> ColumnMeaning? {
    var meaning = meaning
    let own = name.key.flatMap { Metric($0) }
    if let own, taken[own] == nil {
      meaning.metric = own
    } else if let next = Metric("\(meaning.metric.name.prefix(60))_\(number)"), taken[next] == nil {
      meaning.metric = next
    } else {
      return nil
    }
    return meaning
  }

  // MARK: - What a person is told

  private func report(_ summary: inout ImportSummary) {
    for one in series {
      guard let meaning = one.meaning, let first = one.days.min(), let last = one.days.max() else {
        continue
      }
      summary.columns.append(
        ImportSummary.Column(
          title: one.name.title, metric: meaning.metric, unit: (meaning.to ?? meaning.from)?.name,
          fold: meaning.fold, days: one.days.count, first: first, last: last, shapes: one.shapes))
      if MetricRule.rule(for: meaning.metric) == nil, one.census.booleans == 0, known == nil,
        summary.read > one.days.count, options.folds[one.name.title] == nil
      {
        let word = meaning.fold == .sum ? "added up" : "averaged"
        summary.remark(
          "several readings of \"\(one.name.title)\" on one day are \(word); --fold changes that")
      }
    }
  }

  /// A cell with 9 for its digits and a for its letters.
  private static func shape(_ text: String) -> String {
    String(
      text.prefix(24).map { character in
        character.isNumber ? "9" : character.isLetter ? "a" : character
      })
  }
}

// MARK: - Dates and people

extension TableReading {
  fileprivate static func refuseRepeats(
    _ table: CSVTable, _ layout: TableLayout, _ known: KnownTable?, _ name: String
  ) throws(ImportError) {
    var seen: Set<String> = []
    for title in layout.titles
    where !title.isEmpty && known?.repeated.contains(ColumnName(title).key ?? "") != true {
      if !seen.insert(title).inserted {
        throw ImportError(
          file: name, place: .line(table.line(layout.headerRow)), .repeatedColumn(title))
      }
    }
  }

  fileprivate static func checkMap(
    _ layout: TableLayout, _ options: ImportOptions, _ name: String
  ) throws(ImportError) {
    for (wanted, metric) in options.metrics.sorted(by: { $0.key < $1.key }) {
      if case .wide = layout.shape, !layout.titles.contains(wanted) {
        throw ImportError(file: name, .missingColumn(wanted, columns: layout.titles))
      }
      if metric != "-", Metric(metric) == nil {
        throw ImportError(file: name, .invalidMetric(metric))
      }
    }
  }

  fileprivate static func dates(
    _ table: CSVTable, _ layout: TableLayout, _ known: KnownTable?, _ options: ImportOptions,
    _ name: String, _ summary: inout ImportSummary
  ) throws(ImportError) -> (DateColumn, Zone?) {
    let place = ImportError.Place.line(table.line(layout.headerRow))
    var patterns: [DatePattern] = []
    for pattern in options.dateFormat.map({ [$0] }) ?? known?.patterns ?? [] {
      guard let pattern = DatePattern(pattern) else {
        throw ImportError(file: name, .invalidDateFormat(pattern))
      }
      patterns.append(pattern)
    }
    func column(_ cells: [String], isNamed: Bool) throws(ImportError) -> DateColumn {
      if !patterns.isEmpty { return DateColumn(cells: cells, patterns: patterns) }
      do throws(DateColumn.Doubt) {
        return try DateColumn(cells: cells, isNamed: isNamed)
      } catch {
        throw ImportError(file: name, place: place, .openDates(isMixed: error == .both))
      }
    }
    if case .across = layout.shape {
      return (try column(layout.titles, isNamed: false), nil)
    }
    func cells(_ column: Int) -> [String] {
      (0..<table.rowCount).map { $0 > layout.headerRow ? table.text($0, column) : "" }
    }
    let titles = layout.titles
    var dates: DateColumn
    if let wanted = options.dateColumn {
      let keys = titles.map { ColumnName($0).key }
      guard let index = titles.firstIndex(of: wanted) ?? keys.firstIndex(of: wanted) else {
        throw ImportError(file: name, place: place, .missingColumn(wanted, columns: titles))
      }
      dates = try column(cells(index), isNamed: true)
      dates.columns = [index]
    } else if let split = threeColumns(table, layout) {
      dates = split
    } else {
      let index: Int
      if let known, let found = titles.firstIndex(where: { ColumnName($0).key == known.dateColumn })
      {
        index = found
      } else {
        guard let found = dateIndex(table, layout) else {
          if titles.contains(where: { TableLayout.isDate($0) }) {
            throw ImportError(file: name, place: place, .noHeader)
          }
          throw ImportError(file: name, place: place, .noDateColumn(columns: titles))
        }
        index = found
      }
      dates = try column(cells(index), isNamed: KnownColumns.isDate(titles[index]))
      dates.columns = [index]
    }
    if known == nil, dates.holdsDays,
      let clock = titles.indices.first(where: { column in
        !dates.columns.contains(column) && KnownColumns.isClock(titles[column])
      })
    {
      let clocks = (0..<table.rowCount).map { row in
        // A day that no time can have stands before it.
        WrittenDate("2000-01-01 " + table.text(row, clock), acceptsNumbers: false)?
          .time(dayFirst: true)?.second
      }
      if clocks.contains(where: { $0 != nil }) {
        dates.join(clocks: clocks)
        dates.columns.append(clock)
      }
    }
    guard dates.holdsBareMoments else { return (dates, nil) }
    return (dates, try options.zoneOfBareMoments(&summary, file: name))
  }

  /// The column that holds dates: by its name, the likeliest first, else by what stands in it.
  private static func dateIndex(_ table: CSVTable, _ layout: TableLayout) -> Int? {
    let titles = layout.titles
    func share(_ column: Int, acceptsNumbers: Bool) -> Double {
      var (dates, all) = (0, 0)
      for row in layout.rows.prefix(500) where !table.isEmpty(row, column) {
        all += 1
        if WrittenDate(table.text(row, column), acceptsNumbers: acceptsNumbers) != nil {
          dates += 1
        }
      }
      return all == 0 ? 0 : Double(dates) / Double(all)
    }
    let named = titles.indices.compactMap { column in
      KnownColumns.place(ofDate: titles[column]).map { (place: $0, column: column) }
    }.sorted { ($0.place, $0.column) < ($1.place, $1.column) }.map(\.column)
    return named.first { share($0, acceptsNumbers: true) > 0 }
      ?? titles.indices.first { share($0, acceptsNumbers: false) >= 0.8 } ?? named.first
  }

  /// Dates whose year, month and day stand in columns of their own.
  private static func threeColumns(_ table: CSVTable, _ layout: TableLayout) -> DateColumn? {
    let keys = layout.titles.map { ColumnName($0).key ?? $0.lowercased() }
    guard let year = keys.firstIndex(where: KnownColumns.years.contains),
      let month = keys.firstIndex(where: KnownColumns.months.contains),
      let day = keys.firstIndex(where: KnownColumns.daysOfMonth.contains)
    else { return nil }
    let cells = (0..<table.rowCount).map { row -> String in
      guard row > layout.headerRow else { return "" }
      func padded(_ column: Int) -> String {
        let text = table.text(row, column)
        return text.count == 1 ? "0" + text : text
      }
      return "\(table.text(row, year))-\(padded(month))-\(padded(day))"
    }
    do throws(DateColumn.Doubt) {
      var dates = try DateColumn(cells: cells, isNamed: true)
      guard dates.times.contains(where: { $0 != nil }) else { return nil }
      dates.columns = [year, month, day]
      return dates
    } catch {
      return nil
    }
  }

  fileprivate static func person(
    _ table: CSVTable, _ layout: TableLayout, _ known: KnownTable?, _ options: ImportOptions,
    _ name: String
  ) throws(ImportError) -> (Int, String)? {
    let keys = layout.titles.map { ColumnName($0).key ?? "" }
    let people = known.map { [$0.personColumn].compactMap(\.self) } ?? KnownColumns.people
    guard let column = people.lazy.compactMap({ keys.firstIndex(of: $0) }).first else {
      if options.person != nil {
        throw ImportError(file: name, .missingColumn("person", columns: layout.titles))
      }
      return nil
    }
    var ids: [String] = []
    var seen: Set<String> = []
    for row in layout.rows {
      let id = table.text(row, column)
      if seen.insert(id).inserted { ids.append(id) }
    }
    if let wanted = options.person {
      guard seen.contains(wanted) else { throw ImportError(file: name, .unknownPerson(known: ids)) }
      return (column, wanted)
    }
    if ids.count > 1 { throw ImportError(file: name, .severalPeople(ids)) }
    return ids.first.map { (column, $0) }
  }
}

extension TableLayout {
  /// Whether a row is of one day: then two rows of a day are two things.
  fileprivate var isOfRows: Bool {
    switch shape {
    case .wide, .events: true
    case .long, .across: false
    }
  }
}
