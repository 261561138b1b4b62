internal import DayLog
internal import Time

/// The check marks of Loop Habit Tracker: one table of all habits, or one in the folder of each.
///
/// A habit done is 1, one not done 0, one that was skipped or not answered is missing. Of a habit that counts the
/// app writes thousandths.
struct LoopReader: Reader {
  let format = "loop"
  private let source = Source(.imported, "loop")

  func recognises(_ head: FileHead) -> Bool {
    let file = head.name.split(separator: "/").last?.lowercased() ?? ""
    guard file.hasPrefix("checkmarks") || file == "scores.csv", file.hasSuffix(".csv") else {
      return false
    }
    let lines = head.firstLines(2)
    let hasDates = lines.first.map {
      $0.lowercased().hasPrefix("date,") || LocalTime(String($0.prefix(10))) != nil
    }
    guard hasDates == true else { return false }
    return file != "scores.csv" || lines.last.map(Self.holdsStrengths) == true
  }

  /// Whether a line has nothing but fractions of 1 behind its date, as the app's strengths of habits are.
  private static func holdsStrengths(_ line: String) -> Bool {
    let cells = line.split(separator: ",").dropFirst()
    return !cells.isEmpty
      && cells.allSatisfy { $0.contains(".") && (Double($0).map { (0...1).contains($0) } ?? false) }
  }

  func read(
    _ stream: inout ByteStream, options: ImportOptions, into days: inout DayCollector
  ) throws(ImportError) {
    guard stream.name.split(separator: "/").last?.lowercased() != "scores.csv" else {
      throw ImportError(
        file: stream.name,
        .unsupported(
          "the strengths of habits that Loop works out",
          needed: "import the Checkmarks.csv beside it"))
    }
    let table = try CSVTable(try stream.readAll(limit: CSVTable.byteLimit), name: stream.name)
    let hasHeader = table.rowCount > 0 && LocalTime(table.text(0, 0)) == nil
    let folder = stream.path.split(separator: "/").dropLast().last.map(String.init) ?? ""
    var habits: [(column: Int, metric: Metric)] = []
    let titles = hasHeader ? table.row(0) : ["Date", "Value"]
    for (column, title) in titles.enumerated().dropFirst() where !title.isEmpty {
      let isOfFolder = ["Value", "value", "Checkmark"].contains(title)
      if title == "Notes" { continue }
      let name = isOfFolder ? String(folder.drop { $0.isNumber || $0 == " " }) : title
      guard let metric = Metric(columnName: ColumnName.plain(name)) ?? ColumnName(name).codePoints
      else {
        days.summary.skip("column", title, reason: "no name for a metric")
        continue
      }
      habits.append((column, metric))
    }
    let rows = (hasHeader ? 1 : 0)..<max(hasHeader ? 1 : 0, table.rowCount)
    var counting: Set<Int> = []
    for habit in habits {
      let isCounting = rows.contains { row in
        table.withCell(row, habit.column) { DecimalText.number($0) ?? 0 } > 3
      }
      if isCounting { counting.insert(habit.column) }
    }
    for row in rows {
      days.summary.read += 1
      let place = ImportError.Place.line(table.line(row))
      guard let day = LocalTime(table.text(row, 0))?.day else {
        days.summary.reject("no readable date", at: place)
        continue
      }
      guard days.has(day, at: place) else { continue }
      var isUsed = false
      for habit in habits {
        let cell = table.text(row, habit.column)
        guard let value = Self.value(cell, isCounting: counting.contains(habit.column)) else {
          continue
        }
        days.add(value, habit.metric, on: day, source: source, fold: .max)
        isUsed = true
      }
      if isUsed { days.summary.used += 1 }
    }
    days.summary.remark("a habit done is 1, one not done 0, one skipped or not answered is missing")
  }

  private static func value(_ cell: String, isCounting: Bool) -> Double? {
    switch cell.uppercased() {
    case "YES_MANUAL", "YES_AUTO", "YES": return 1
    case "NO": return 0
    case "SKIP", "UNKNOWN", "": return nil
    default: break
    }
    let bytes = ContiguousArray(cell.utf8)
    guard let number = DecimalText.number(bytes.span) else { return nil }
    if isCounting { return number < 0 ? nil : number / 1000 }
    switch number {
    case 0: return 0
    case 1, 2: return 1
    default: return nil
    }
  }
}
