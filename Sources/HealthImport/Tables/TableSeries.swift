internal import DayLog
internal import Time

/// One series of numbers in a table: a column, or the rows that share a name.
struct TableSeries {
  let name: ColumnName
  /// The unit that the table names beside it.
  let unit: Unit?
  /// The column that holds its numbers.
  let column: Int
  /// What it is known to be, in a known table.
  var known: KnownColumn?
  var census = SeriesCensus()
  /// Its first numbers.
  var samples: [Double] = []
  /// What it is, once that is settled; nil where it is left out.
  var meaning: ColumnMeaning?
  private(set) var days: Set<CalendarDay> = []
  /// Whether some day has several readings.
  private(set) var hasSeveralADay = false
  /// How a few of its cells are written.
  private(set) var shapes: [String] = []

  static let sampleLimit = 5000
  private static let shapeLimit = 3

  /// Notes that a day has a reading.
  mutating func note(_ day: CalendarDay) {
    if !days.insert(day).inserted { hasSeveralADay = true }
  }

  /// Notes how a cell is written: 9 for a digit and a for a letter.
  mutating func noteShape(of text: String) {
    guard shapes.count < Self.shapeLimit else { return }
    let shape = String(
      text.prefix(24).map { character in
        character.isNumber ? "9" : character.isLetter ? "a" : character
      })
    if !shapes.contains(shape) { shapes.append(shape) }
  }
}

/// The series of a table, and which cells belong to which.
struct SeriesIndex {
  let table: CSVTable
  let layout: TableLayout
  let known: KnownTable?
  let options: ImportOptions
  /// The column that tells people apart, and whose rows count.
  let person: (column: Int, id: String)?
  /// Columns that say when, who or by what device.
  let keyColumns: Set<Int>
  /// Whether rows are spans of time: then an event is as long as its span.
  let isOfSpans: Bool
  var series: [TableSeries] = []
  /// In a row of a metric a column: which series in which order.
  var order: [(index: Int, column: Int)] = []
  /// The series of a row's metric, where rows name theirs.
  private var byName: [String: Int] = [:]

  init(
    _ table: CSVTable, _ layout: TableLayout, _ known: KnownTable?, _ options: ImportOptions,
    person: (column: Int, id: String)?, keyColumns: Set<Int>, isOfSpans: Bool
  ) {
    (self.table, self.layout, self.known, self.options) = (table, layout, known, options)
    (self.person, self.keyColumns, self.isOfSpans) = (person, keyColumns, isOfSpans)
    find()
  }

  var isOfEvents: Bool { if case .events = layout.shape { true } else { false } }
  var isWide: Bool { if case .wide = layout.shape { true } else { false } }

  func isOfPerson(_ row: Int) -> Bool {
    person.map { table.text(row, $0.column) == $0.id } ?? true
  }

  /// Whether a column says when, who or by what device.
  func isKey(_ column: Int) -> Bool { isWide && keyColumns.contains(column) }

  private func key(_ row: Int, column: Int) -> String { table.text(row, column).lowercased() }

  private mutating func find() {
    func add(_ title: String, _ unit: Unit?, _ column: Int) {
      series.append(TableSeries(name: ColumnName(title), unit: unit, column: column))
    }
    func addNamed(_ column: Int, _ body: (String) -> Void) {
      for row in layout.rows where isOfPerson(row) {
        let key = key(row, column: column)
        guard !key.isEmpty, byName[key] == nil else { continue }
        byName[key] = series.count
        body(table.text(row, column))
      }
    }
    switch layout.shape {
    case .wide:
      for (column, title) in layout.titles.enumerated() { add(title, nil, column) }
    case .long(let name, let value, _):
      addNamed(name) { add($0, ColumnName(layout.titles[value]).unit, value) }
    case .events(let name):
      let isSymptom = ColumnName(layout.titles[name]).key == "symptom"
      addNamed(name) {
        add((isSymptom ? "symptom." : "") + $0, isOfSpans ? nil : .count, name)
      }
    case .across: addNamed(0) { add($0, nil, 0) }
    }
    if isWide, let known {
      for index in series.indices {
        series[index].known = known.columns[series[index].name.key ?? ""]
      }
    }
    order = series.indices.map { ($0, $0) }
  }

  /// The series of a row's cells, with their columns.
  func cells(of row: Int) -> [(index: Int, column: Int)] {
    switch layout.shape {
    case .wide: return order
    case .long(let name, let value, _):
      return byName[key(row, column: name)].map { [($0, value)] } ?? []
    case .events(let name): return byName[key(row, column: name)].map { [($0, name)] } ?? []
    case .across(let days):
      return byName[key(row, column: 0)].map { index in days.map { (index, $0) } } ?? []
    }
  }

  /// What a cell holds; a number without a unit has the one that its row names.
  func form(_ row: Int, _ column: Int) -> CellForm {
    let form = CellForm(table.text(row, column))
    guard case .long(_, _, let unitColumn?) = layout.shape, case .number(let text, nil) = form,
      let unit = Unit(table.text(row, unitColumn))
    else { return form }
    return .number(text, unit)
  }

  /// Calls `body` with the row, column and series of every cell that can hold a number.
  func eachCell(_ body: (Int, Int, Int) -> Void) {
    guard !isOfEvents else { return }
    for row in layout.rows where isOfPerson(row) {
      for (index, column) in cells(of: row) where !isKey(column) { body(row, column, index) }
    }
  }
}
