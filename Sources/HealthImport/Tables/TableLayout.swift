internal import DayLog

/// How a table lies: which row names its columns, which rows hold data, and what is one series of numbers.
struct TableLayout {
  /// What the columns are called, in the row, or the two rows, that say so.
  let titles: [String]
  let headerRow: Int
  /// The first row below the titles.
  let firstRow: Int
  /// The rows with data, without those that sum others up.
  let rows: [Int]
  let shape: Shape

  enum Shape: Equatable {
    /// One metric a column.
    case wide
    /// One metric a row, by name, with its number and perhaps its unit.
    case long(name: Int, value: Int, unit: Int?)
    /// One event a row, by name: each counts one.
    case events(name: Int)
    /// One metric a row, one day a column.
    case across(days: [Int])
  }

  /// Finds the layout; what is passed over is told.
  init(_ table: CSVTable, isKnown: ([String]) -> Bool, _ summary: inout ImportSummary) {
    headerRow = Self.headerRow(table, isKnown: isKnown)
    let upper = table.row(headerRow)
    let joined = isKnown(upper) ? nil : Self.joined(upper, table, headerRow + 1)
    let titles = joined ?? upper
    self.titles = titles
    firstRow = headerRow + (joined == nil ? 1 : 2)
    if headerRow > 0 { summary.skip("row", "title or comment line", count: headerRow) }
    var rows = Array(firstRow..<max(firstRow, table.rowCount))
    let days = titles.indices.dropFirst().filter { Self.isDate(titles[$0]) }
    let isAcross = days.count >= 2 && days.count * 2 >= titles.count - 1 && !Self.isDate(titles[0])
    if isAcross, !isKnown(titles) {
      self.rows = rows
      shape = .across(days: days)
      return
    }
    let before = rows.count
    rows.removeAll { row in
      table.text(row, 0) == upper[0] && table.row(row) == upper
        || (0..<min(2, table.cellCount(row))).contains { column in
          Self.totals.contains(table.text(row, column).lowercased().filter { $0 != ":" })
        } || table.text(row, 0).hasPrefix("#") && !titles[0].hasPrefix("#")
    }
    if before > rows.count {
      summary.skip("row", "total, comment or title again", count: before - rows.count)
    }
    self.rows = rows
    shape = isKnown(titles) ? .wide : Self.shape(table, titles, rows)
  }

  /// The first row whose cells name columns of which one holds dates; else the first.
  private static func headerRow(_ table: CSVTable, isKnown: ([String]) -> Bool) -> Int {
    let limit = min(table.rowCount, 40)
    for row in 0..<limit {
      let cells = table.row(row)
      if isKnown(cells) { return row }
      let filled = cells.filter { !$0.isEmpty }
      guard filled.count >= 2, !cells[0].hasPrefix("#") || row == 0 && limit == 1 else { continue }
      let words = filled.filter { !CellForm($0).isValue && !isDate($0) }
      let dates = cells.dropFirst().filter(isDate).count
      if words.count >= 1, dates >= 2, dates * 2 >= filled.count - 1 { return row }
      guard words.count * 2 > filled.count else { continue }
      for below in (row + 1)..<max(row + 1, min(table.rowCount, row + 6)) {
        for column in 0..<min(cells.count, table.cellCount(below)) {
          let isNamed = KnownColumns.isDate(cells[column])
          if !cells[column].isEmpty || isNamed,
            WrittenDate(table.text(below, column), acceptsNumbers: isNamed) != nil
          {
            return row
          }
        }
      }
    }
    return (0..<limit).first { row in
      table.cellCount(row) >= 2 && !table.text(row, 0).hasPrefix("#")
        && table.row(row).contains(where: KnownColumns.isDate)
    } ?? 0
  }

  /// The rows of each table, where a file holds several, one below the other: each begins with its titles, perhaps
  /// below one cell that says what it is.
  static func sections(of table: CSVTable) -> [Range<Int>] {
    func isHeader(_ row: Int) -> Bool {
      // Most rows begin with the digits of a date.
      let isOfData = table.withCell(row, 0) { !$0.isEmpty && (48...57).contains($0[0]) }
      guard !isOfData else { return false }
      let cells = table.row(row).filter { !$0.isEmpty }
      return cells.count >= 2 && cells.contains(where: KnownColumns.isDate)
        && cells.allSatisfy { !CellForm($0).isValue && !isDate($0) }
    }
    var starts = [0]
    var titles: [String]?
    for row in 0..<table.rowCount where isHeader(row) {
      // Titles that come again below their own rows are of the same table.
      defer { titles = table.row(row) }
      guard let before = titles, before != table.row(row) else { continue }
      let isBelowName = row > 0 && table.row(row - 1).count { !$0.isEmpty } == 1
      let start = isBelowName ? row - 1 : row
      if start > (starts.last ?? 0) + 1 { starts.append(start) }
    }
    return zip(starts, starts.dropFirst() + [table.rowCount]).map { $0..<$1 }
  }

  /// The titles together with those of the row below, where that one goes on with them: it has a name where the
  /// row above has a gap, or nothing but units.
  private static func joined(_ upper: [String], _ table: CSVTable, _ row: Int) -> [String]? {
    guard row < table.rowCount else { return nil }
    let lower = table.row(row)
    let said = lower.indices.filter { !lower[$0].isEmpty }
    guard !said.isEmpty, lower.count <= max(upper.count, 1),
      said.allSatisfy({ !CellForm(lower[$0]).isValue && !isDate(lower[$0]) })
    else { return nil }
    let isDateColumn = upper.indices.map { KnownColumns.isDate(upper[$0]) }
    let measures = said.filter { !isDateColumn[$0] }
    let fillsGaps = said.contains { upper[$0].isEmpty }
    let areUnits = measures.count > 0 && measures.allSatisfy { unit(lower[$0]) != nil }
    guard
      fillsGaps && lower.indices.allSatisfy({ !isDateColumn[$0] || lower[$0].isEmpty }) || areUnits
    else { return nil }
    var group = ""
    return upper.indices.map { column in
      if !upper[column].isEmpty { group = upper[column] }
      let below = column < lower.count ? lower[column] : ""
      if isDateColumn[column] || below.isEmpty { return upper[column] }
      if let unit = unit(below) { return "\(group) (\(unit))" }
      return group.isEmpty ? below : "\(group) \(below)"
    }
  }

  /// A cell that is a unit, in brackets or not.
  private static func unit(_ text: String) -> String? {
    let bare = text.filter { !"()[]".contains($0) }
    return Unit(bare) == nil ? nil : bare
  }

  static func isDate(_ text: String) -> Bool { WrittenDate(text, acceptsNumbers: false) != nil }

  private static let totals: Set = [
    "total", "totals", "sum", "average", "avg", "mean", "gesamt", "summe", "durchschnitt",
    "mittelwert", "moyenne", "somme", "media", "promedio", "suma", "totale", "grand total",
    "median",
    "min", "max", "minimum", "maximum", "итого", "gemiddelde", "totaal", "count", "std", "stdev",
  ]

  private static func shape(_ table: CSVTable, _ titles: [String], _ rows: [Int]) -> Shape {
    let keys = titles.map { ColumnName($0).key ?? "" }
    func isText(_ column: Int) -> Bool {
      var (text, all) = (0, 0)
      for row in rows.prefix(200) where !table.isEmpty(row, column) {
        let cell = table.text(row, column)
        all += 1
        if !CellForm(cell).isValue, !isDate(cell) { text += 1 }
      }
      return all > 0 && text * 10 >= all * 8
    }
    guard let name = names.lazy.compactMap({ keys.firstIndex(of: $0) }).first(where: isText) else {
      return .wide
    }
    let unit = keys.firstIndex { ["unit", "units", "einheit", "unite", "unidad"].contains($0) }
    let numeric = titles.indices.filter { column in
      column != name && column != unit && !KnownColumns.isDate(titles[column])
        && !ColumnName(titles[column]).isIdentifier && !ColumnName(titles[column]).isTimeOfDay
        && rows.prefix(200).contains { CellForm(table.text($0, column)).isValue }
        && !rows.prefix(200).allSatisfy {
          table.isEmpty($0, column) || isDate(table.text($0, column))
        }
    }
    if let value = values.lazy.compactMap({ keys.firstIndex(of: $0) })
      .first(where: { numeric.contains($0) })
    {
      return .long(name: name, value: value, unit: unit)
    }
    let isPlain = numeric.allSatisfy { ColumnName(titles[$0]).isGeneric }
    if numeric.count == 1, isPlain || unit != nil || measures.contains(keys[name]) {
      return .long(name: name, value: numeric[0], unit: unit)
    }
    // A label beside a start and an end names what lasted so long.
    let isOfSpans = titles.contains(where: KnownColumns.isEnd)
    if numeric.isEmpty, isOfSpans || !labels.contains(keys[name]) { return .events(name: name) }
    return .wide
  }

  /// Names of columns that hold the names of metrics, the likeliest first.
  private static let names = [
    "metric", "metric_name", "measure", "measurement", "measurement_type", "metric_type",
    "variable",
    "parameter", "question", "data_type", "datatype", "type", "tracker", "habit", "symptom",
    "marker",
    "test", "indicator", "item", "name", "category", "event", "activity", "medication", "tag",
    "drink",
    "food", "meal", "exercise", "supplement", "pill", "drug", "trigger",
    "key", "attribute", "kennzahl", "frage", "stage", "sleep_stage", "state",
  ]
  /// Of these the ones that name a metric whatever the other column is called.
  private static let measures: Set = [
    "metric", "metric_name", "measure", "measurement", "measurement_type", "metric_type",
    "variable",
    "parameter", "question", "data_type", "datatype", "tracker", "indicator", "symptom", "habit",
    "frage",
  ]
  /// Texts that sort rows rather than name what happened.
  private static let labels: Set = [
    "type", "category", "name", "item", "key", "attribute", "stage", "sleep_stage", "state",
  ]
  /// Names of columns that hold their numbers.
  private static let values = [
    "value", "values", "amount", "answer", "reading", "score", "result", "quantity", "number",
    "rating", "level", "intensity", "severity", "measurement", "response", "dose", "wert", "valor",
    "antwort", "data",
  ]
}
