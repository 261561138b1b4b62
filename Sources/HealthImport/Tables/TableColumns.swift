internal import DayLog

/// What has to be true of a table's columns, and which of them tells people apart.
struct TableColumns {
  private let table: CSVTable
  private let layout: TableLayout
  private let known: KnownTable?
  private let options: ImportOptions
  private let name: String

  init(
    _ table: CSVTable, _ layout: TableLayout, _ known: KnownTable?, _ options: ImportOptions,
    _ name: String
  ) {
    (self.table, self.layout, self.known, self.options) = (table, layout, known, options)
    self.name = name
  }

  /// - Throws: `.repeatedColumn` where two columns have one title.
  func refuseRepeats() throws(ImportError) {
    var seen: Set<String> = []
    for title in layout.titles
    where !title.isEmpty && known?.repeated.contains(ColumnName(title).key ?? "") != true {
      if !seen.insert(title).inserted {
        throw ImportError(
          file: name, place: .line(table.line(layout.headerRow)), .repeatedColumn(title))
      }
    }
  }

  /// - Throws: where the person names a column that is not there, or a metric that is none.
  func checkMap() throws(ImportError) {
    for (wanted, metric) in options.metrics.sorted(by: { $0.key < $1.key }) {
      if case .wide = layout.shape, !layout.titles.contains(wanted) {
        throw ImportError(file: name, .missingColumn(wanted, columns: layout.titles))
      }
      if metric != "-", Metric(metric) == nil {
        throw ImportError(file: name, .invalidMetric(metric))
      }
    }
  }

  /// The column of people and whose rows to take; nil where the table tells none apart.
  ///
  /// - Throws: where there are several and none was chosen, or the one chosen is not there.
  func person() throws(ImportError) -> (column: Int, id: String)? {
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
