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
    if TableText.byteOrder(head.bytes) != nil { return true }
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
    let sections = TableLayout.sections(of: table)
    guard sections.count > 1 else {
      var reading = try TableReading(
        table, name: name, path: path, options: options, &days.summary)
      try reading.add(to: &days)
      return
    }
    days.summary.remark("it holds \(sections.count) tables, which are read one by one")
    for rows in sections {
      var reading = try TableReading(
        table.section(rows), name: name, path: path, options: options, &days.summary)
      try reading.add(to: &days)
    }
  }
}
