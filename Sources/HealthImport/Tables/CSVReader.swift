internal import DayLog

/// Any table with a header row and a date column; tables known by their headers mean what they are
/// known to mean.
///
/// A column becomes a metric of its own name, columns of well-known names become the standard metric,
/// `--map` decides otherwise; a column without a single number is passed over and named. Dates are
/// `yyyy-MM-dd`, alone or with a time, unless a format is given for the whole file. An empty cell is
/// missing. Exact repeats of a row count once. Several rows of one day become one value: where rows
/// carry a time of day their mean, else the largest (as the log's merge rule decides between two
/// values of one moment); totals such as steps take the largest either way, parts such as naps are
/// added up.
struct CSVReader: Reader {
  let format = "csv"

  func recognises(_ head: FileHead) -> Bool {
    guard let first = head.firstCharacter, !head.isZip else { return false }
    if [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "<")].contains(first) { return false }
    let isUTF16 = head.begins(with: [0xFF, 0xFE]) || head.begins(with: [0xFE, 0xFF])
    if isUTF16 { return true }
    guard !head.bytes.contains(0) else { return false }
    let line = head.bytes.prefix { $0 != 10 && $0 != 13 }
    return line.contains { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") || $0 == 9 }
  }

  func read(
    _ stream: inout ByteStream, options: ImportOptions, into days: inout DayCollector
  ) throws(ImportError) {
    let name = stream.name
    let table = try CSVTable(try stream.readAll(limit: CSVTable.byteLimit), name: name)
    guard table.rowCount > 0 else { throw ImportError(file: name, .empty) }
    let plan = try CSVPlan(table, options: options, name: name)
    days.summary.isOfPerson = plan.personColumn != nil && options.person != nil
    let mark = try decimalMark(table, plan, name: name)
    for column in plan.columns where column.known == nil && !column.isKey {
      days.summary.skip("column", column.title.isEmpty ? "(without a name)" : column.title)
    }

    var seen: [Int: [Int]] = [:]
    var unreadable = 0
    for row in 1..<max(1, table.rowCount) {
      if let person = plan.personColumn, let chosen = plan.person, table.text(row, person) != chosen
      {
        continue
      }
      days.summary.read += 1
      let place = ImportError.Place.line(table.line(row))
      let hash = table.hash(row)
      if let earlier = seen[hash], earlier.contains(where: { table.equal($0, row) }) {
        days.summary.duplicates += 1
        continue
      }
      seen[hash, default: []].append(row)
      guard let time = plan.time(table, row) else {
        unreadable += 1
        days.summary.reject("no readable date", at: place)
        continue
      }
      if table.cellCount(row) > plan.columns.count {
        days.summary.reject("more cells than the header has", at: place)
        continue
      }
      add(row, of: table, at: time, plan, mark, options, into: &days)
    }
    if unreadable > 0, unreadable == days.summary.read - days.summary.duplicates {
      throw ImportError(file: name, place: .line(table.line(1)), .noReadableDate(rows: unreadable))
    }
  }

  private func add(
    _ row: Int, of table: CSVTable, at time: LocalTime, _ plan: CSVPlan, _ mark: UInt8,
    _ options: ImportOptions, into days: inout DayCollector
  ) {
    let day = days.day(of: time, options)
    guard days.has(day, at: .line(table.line(row))) else { return }
    var isUsed = false
    for (index, column) in plan.columns.enumerated() {
      guard let known = column.known, !table.isEmpty(row, index) else { continue }
      let cell = table.withCell(row, index) { bytes in CSVCell(bytes, mark: mark) }
      switch cell {
      case .missing: continue
      case .text:
        days.summary.reject("no number in \"\(column.title)\"", at: .line(table.line(row)))
      case .number(let value):
        if value == 0, known.isZeroMissing || KnownColumns.isNeverZero(known.metric) { continue }
        let scaled = known.scale.convert(value)
        guard scaled.isFinite else { continue }
        days.add(
          scaled, known.metric, on: day, source: Source(.imported, plan.source),
          fold: known.fold ?? plan.fold ?? (time.second == nil ? .largest : .mean))
        isUsed = true
      }
    }
    if isUsed { days.summary.used += 1 }
  }

  /// A point, or a comma where the separator is another and no cell uses a point: never a guess
  /// between the two, and never a comma that groups digits.
  private func decimalMark(
    _ table: CSVTable, _ plan: CSVPlan, name: String
  ) throws(ImportError) -> UInt8 {
    let point = UInt8(ascii: ".")
    let comma = UInt8(ascii: ",")
    var pointRow: Int?
    var commaRow: Int?
    for row in 1..<max(1, table.rowCount) {
      for (index, column) in plan.columns.enumerated() where column.known != nil {
        let (hasPoint, hasComma) = table.withCell(row, index) { bytes in
          var marks = (false, false)
          for at in bytes.indices {
            if bytes[at] == point { marks.0 = true }
            if bytes[at] == comma { marks.1 = true }
          }
          return marks
        }
        if hasPoint, pointRow == nil { pointRow = row }
        if hasComma, commaRow == nil { commaRow = row }
      }
    }
    guard let commaRow else { return point }
    guard let pointRow else { return table.separator == comma ? point : comma }
    if table.separator == comma { return point }
    throw ImportError(
      file: name, place: .line(table.line(max(commaRow, pointRow))), .mixedDecimalMarks)
  }
}

/// What a cell holds.
enum CSVCell {
  case missing
  case number(Double)
  case text

  init(_ bytes: Span<UInt8>, mark: UInt8 = UInt8(ascii: ".")) {
    if bytes.count == 0 {
      self = .missing
    } else if let value = DecimalText.number(bytes, mark: mark) {
      self = .number(value)
    } else if bytes.count <= 4 {
      var text = ""
      for index in bytes.indices { text.unicodeScalars.append(Unicode.Scalar(bytes[index])) }
      self = Self.missingWords.contains(text.lowercased()) ? .missing : .text
    } else {
      self = .text
    }
  }

  private static let missingWords: Set<String> = ["na", "n/a", "nan", "null", "none", "-", "--"]
}
