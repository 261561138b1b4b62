internal import Time

/// When the rows of a table are of, in whatever columns it says so.
struct TableDates {
  /// By row; where a table has a day a column, by column.
  private(set) var dates: DateColumn
  /// When what began at ``dates`` ended, in tables of spans.
  private(set) var ends: DateColumn?
  /// The zone of moments that carry none.
  private(set) var bareZone: Zone?

  /// The columns that say when.
  var columns: Set<Int> { Set(dates.columns + (ends?.columns ?? [])) }

  /// Finds the columns and settles how they are written.
  ///
  /// - Throws: where no column holds dates, or what is written in it can be read in two ways.
  init(
    _ table: CSVTable, _ layout: TableLayout, _ known: KnownTable?, _ options: ImportOptions,
    _ name: String, _ summary: inout ImportSummary
  ) throws(ImportError) {
    let finder = try DateFinder(table, layout, known, options, name)
    if case .across = layout.shape {
      dates = try finder.column(layout.titles, isNamed: false)
      return
    }
    dates = try finder.dates()
    if known == nil, dates.holdsDays { finder.joinClock(to: &dates) }
    if known == nil, !dates.holdsDays { ends = try finder.ends(beside: dates) }
    if dates.holdsBareMoments { bareZone = try options.zoneOfBareMoments(&summary, file: name) }
  }
}

/// Looks for the columns of a table that say when.
private struct DateFinder {
  private let table: CSVTable
  private let layout: TableLayout
  private let known: KnownTable?
  private let options: ImportOptions
  private let name: String
  private let patterns: [DatePattern]

  init(
    _ table: CSVTable, _ layout: TableLayout, _ known: KnownTable?, _ options: ImportOptions,
    _ name: String
  ) throws(ImportError) {
    (self.table, self.layout, self.known, self.options) = (table, layout, known, options)
    self.name = name
    var patterns: [DatePattern] = []
    for text in options.dateFormat.map({ [$0] }) ?? known?.patterns ?? [] {
      guard let pattern = DatePattern(text) else {
        throw ImportError(file: name, .invalidDateFormat(text))
      }
      patterns.append(pattern)
    }
    self.patterns = patterns
  }

  private var place: ImportError.Place { .line(table.line(layout.headerRow)) }
  private var titles: [String] { layout.titles }

  /// Cells as dates, in the ways asked for or else in the one way of all of them.
  func column(_ cells: [String], isNamed: Bool) throws(ImportError) -> DateColumn {
    if !patterns.isEmpty { return DateColumn(cells: cells, patterns: patterns) }
    do throws(DateColumn.Doubt) {
      return try DateColumn(cells: cells, isNamed: isNamed)
    } catch {
      throw ImportError(file: name, place: place, .openDates(isMixed: error == .both))
    }
  }

  /// The cells of a column by row; empty in and above the titles.
  private func cells(_ column: Int) -> [String] {
    (0..<table.rowCount).map { $0 >= layout.firstRow ? table.text($0, column) : "" }
  }

  func dates() throws(ImportError) -> DateColumn {
    if let wanted = options.dateColumn {
      let keys = titles.map { ColumnName($0).key }
      guard let index = titles.firstIndex(of: wanted) ?? keys.firstIndex(of: wanted) else {
        throw ImportError(file: name, place: place, .missingColumn(wanted, columns: titles))
      }
      return try dates(index, isNamed: true)
    }
    if let split = threeColumns() { return split }
    if let known,
      let index = titles.firstIndex(where: { ColumnName($0).key == known.dateColumn })
    {
      return try dates(index, isNamed: true)
    }
    guard let index = dateIndex() else {
      throw ImportError(
        file: name, place: place,
        titles.contains(where: TableLayout.isDate) ? .noHeader : .noDateColumn(columns: titles))
    }
    // A title that is a date is the first row of a table without titles.
    if TableLayout.isDate(titles[index]) { throw ImportError(file: name, place: place, .noHeader) }
    return try dates(index, isNamed: KnownColumns.isDate(titles[index]))
  }

  private func dates(_ index: Int, isNamed: Bool) throws(ImportError) -> DateColumn {
    var dates = try column(cells(index), isNamed: isNamed)
    dates.columns = [index]
    return dates
  }

  /// The share of a column's cells that are dates.
  private func share(_ column: Int, acceptsNumbers: Bool) -> Double {
    var (dates, all) = (0, 0)
    for row in layout.rows.prefix(500) where !table.isEmpty(row, column) {
      all += 1
      if WrittenDate(table.text(row, column), acceptsNumbers: acceptsNumbers) != nil { dates += 1 }
    }
    return all == 0 ? 0 : Double(dates) / Double(all)
  }

  /// The column that holds dates: by its name, the likeliest first, else by what stands in it.
  private func dateIndex() -> Int? {
    let named = titles.indices.compactMap { column in
      KnownColumns.place(ofDate: titles[column]).map { (place: $0, column: column) }
    }.sorted { ($0.place, $0.column) < ($1.place, $1.column) }.map(\.column)
    return named.first { share($0, acceptsNumbers: true) > 0 }
      ?? titles.indices.first { share($0, acceptsNumbers: false) >= 0.8 } ?? named.first
  }

  /// Dates whose year, month and day stand in columns of their own.
  private func threeColumns() -> DateColumn? {
    let keys = titles.map { ColumnName($0).key ?? $0.lowercased() }
    guard let year = keys.firstIndex(where: KnownColumns.years.contains),
      let month = keys.firstIndex(where: KnownColumns.months.contains),
      let day = keys.firstIndex(where: KnownColumns.daysOfMonth.contains)
    else { return nil }
    let cells = (0..<table.rowCount).map { row -> String in
      guard row >= layout.firstRow else { return "" }
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

  /// Joins the times of day, or bare hours, of a column of their own to days.
  func joinClock(to dates: inout DateColumn) {
    let taken = dates.columns
    guard
      let clock = titles.indices.first(where: {
        !taken.contains($0) && KnownColumns.isClock(titles[$0])
      })
    else { return }
    let cells = cells(clock)
    let filled = cells.filter { !$0.isEmpty }
    let areHours = !filled.isEmpty && filled.allSatisfy { Int($0).map { 0...23 ~= $0 } ?? false }
    let clocks = cells.map { cell -> Int? in
      if areHours { return Int(cell).map { $0 * 3600 } }
      // A day that no time can have stands before it.
      return WrittenDate("2000-01-01 " + cell, acceptsNumbers: false)?.time(dayFirst: true)?.second
    }
    guard clocks.contains(where: { $0 != nil }) else { return }
    dates.join(clocks: clocks)
    dates.columns.append(clock)
  }

  /// When the rows ended, where a column of moments is named so.
  func ends(beside dates: DateColumn) throws(ImportError) -> DateColumn? {
    let found = titles.indices.first { column in
      !dates.columns.contains(column) && KnownColumns.isEnd(titles[column])
        && share(column, acceptsNumbers: dates.holdsBareMoments) >= 0.8
    }
    guard let found else { return nil }
    var ends = try column(cells(found), isNamed: true)
    ends.columns = [found]
    return ends.holdsDays ? nil : ends
  }
}
