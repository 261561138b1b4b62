internal import DayLog

/// What each column of a table is: settled once, from the header, the options and a look at the cells.
struct CSVPlan {
  let columns: [Column]
  let personColumn: Int?
  /// The person whose rows count, where the table tells people apart.
  let person: String?
  let source: String
  /// How a known table's values of one day become one.
  let fold: Fold?
  private let dateColumn: Int
  private let patterns: [DatePattern]

  struct Column {
    let title: String
    /// What it holds; nil for a column that is passed over, such as text.
    let known: KnownColumn?
    /// Whether it says when or who.
    let isKey: Bool
  }

  init(_ table: CSVTable, options: ImportOptions, name: String) throws(ImportError) {
    let titles = table.row(0)
    let keys = titles.map { Metric(columnName: $0)?.name ?? "" }
    let place = ImportError.Place.line(table.line(0))
    let known = options.dateColumn == nil ? KnownTable.table(for: Set(keys)) : nil
    var seen: Set<String> = []
    for (title, key) in zip(titles, keys)
    where !title.isEmpty && known?.repeated.contains(key) != true {
      if !seen.insert(title).inserted {
        throw ImportError(file: name, place: place, .repeatedColumn(title))
      }
    }
    source = known?.source ?? "csv"
    fold = known?.fold

    if let wanted = options.dateColumn {
      guard let index = titles.firstIndex(of: wanted) ?? keys.firstIndex(of: wanted) else {
        throw ImportError(file: name, place: place, .missingColumn(wanted, columns: titles))
      }
      dateColumn = index
    } else {
      let names = known.map { [$0.dateColumn] } ?? KnownColumns.dates
      guard let index = names.lazy.compactMap({ keys.firstIndex(of: $0) }).first else {
        throw ImportError(file: name, place: place, .noDateColumn(columns: titles))
      }
      dateColumn = index
    }

    var patterns: [DatePattern] = []
    for pattern in options.dateFormat.map({ [$0] }) ?? known?.patterns ?? [] {
      guard let pattern = DatePattern(pattern) else {
        throw ImportError(file: name, .invalidDateFormat(pattern))
      }
      patterns.append(pattern)
    }
    self.patterns = patterns

    let people = known.map { [$0.personColumn].compactMap(\.self) } ?? KnownColumns.people
    personColumn = people.lazy.compactMap { keys.firstIndex(of: $0) }.first
    person = try Self.person(table, personColumn, options, name)
    columns = try Self.columns(
      table, titles, keys, known, options, skip: [dateColumn, personColumn], name)
  }

  /// When a row is of; nil where its date cannot be read.
  func time(_ table: CSVTable, _ row: Int) -> LocalTime? {
    table.withCell(row, dateColumn) { bytes in
      if patterns.isEmpty { return LocalTime(bytes) }
      for pattern in patterns {
        if let time = pattern.read(bytes) { return time }
      }
      return nil
    }
  }

  private static func person(
    _ table: CSVTable, _ column: Int?, _ options: ImportOptions, _ name: String
  ) throws(ImportError) -> String? {
    guard let column else {
      if options.person != nil {
        let titles = table.row(0)
        throw ImportError(file: name, .missingColumn("person", columns: titles))
      }
      return nil
    }
    var ids: [String] = []
    var seen: Set<String> = []
    for row in 1..<max(1, table.rowCount) {
      let id = table.text(row, column)
      if seen.insert(id).inserted { ids.append(id) }
    }
    if let wanted = options.person {
      guard seen.contains(wanted) else {
        throw ImportError(file: name, .unknownPerson(known: ids))
      }
      return wanted
    }
    if ids.count > 1 { throw ImportError(file: name, .severalPeople(ids)) }
    return nil
  }

  private static func columns(
    _ table: CSVTable, _ titles: [String], _ keys: [String], _ known: KnownTable?,
    _ options: ImportOptions, skip: [Int?], _ name: String
  ) throws(ImportError) -> [Column] {
    for (wanted, metric) in options.metrics.sorted(by: { $0.key < $1.key }) {
      if !titles.contains(wanted) {
        throw ImportError(file: name, .missingColumn(wanted, columns: titles))
      }
      if metric != "-", Metric(metric) == nil {
        throw ImportError(file: name, .invalidMetric(metric))
      }
    }
    var taken: Set<Metric> = []
    var columns: [Column] = []
    for (index, title) in titles.enumerated() {
      var meaning: KnownColumn?
      if let mapped = options.metrics[title] {
        meaning = Metric(mapped).map { metric in
          // The person's own word: only the unit of a name that says so is kept.
          KnownColumn(metric: metric, fold: KnownColumns.column(metric.name)?.fold)
        }
      } else if !skip.contains(index), known?.ignored.contains(keys[index]) != true,
        known?.repeated.contains(keys[index]) != true
      {
        meaning =
          known?.columns[keys[index]] ?? KnownColumns.column(keys[index])
          ?? Metric(columnName: title).map { KnownColumn(metric: $0) }
      }
      if let held = meaning {
        if !hasNumber(table, index) || !taken.insert(held.metric).inserted { meaning = nil }
      }
      columns.append(Column(title: title, known: meaning, isKey: skip.contains(index)))
    }
    return columns
  }

  /// Whether any cell of a column is a number, with either decimal mark; true for an empty column.
  private static func hasNumber(_ table: CSVTable, _ column: Int) -> Bool {
    var isEmpty = true
    for row in 1..<max(1, table.rowCount) where !table.isEmpty(row, column) {
      let isNumber = table.withCell(row, column) { bytes in
        switch (CSVCell(bytes), CSVCell(bytes, mark: UInt8(ascii: ","))) {
        case (.missing, _): return false
        case (.number, _), (_, .number): return true
        default:
          isEmpty = false
          return false
        }
      }
      if isNumber { return true }
    }
    return isEmpty
  }
}
