internal import DayLog

/// The table that the app Sleep as Android exports: each record is two rows, headers of its own and its
/// values, since the columns after the fixed ones are the moments of that night.
///
/// A record belongs to the day on which it ends by the clock of its own zone (`To`), which is what the app
/// writes. Time asleep is `Hours` less the minutes awake of `LenAdjust`; all records of a day add up. A
/// rating of 0 was not given. A record that stands twice, by its `Id`, counts once.
struct SleepAsAndroidReader: Reader {
  let format = "sleep-as-android"
  private let source = Source(.imported, "sleep-as-android")

  func recognises(_ head: FileHead) -> Bool {
    head.headerLine.hasPrefix("id,tz,from,to,sched,hours,rating")
  }

  func read(
    _ stream: inout ByteStream, options: ImportOptions, into days: inout DayCollector
  ) throws(ImportError) {
    let table = try CSVTable(try stream.readAll(limit: CSVTable.byteLimit), name: stream.name)
    var columns: [String: Int] = [:]
    for row in 0..<table.rowCount {
      if table.text(row, 0) == "Id" {
        columns = [:]
        for (index, title) in table.row(row).enumerated() where columns[title] == nil {
          columns[title] = index
        }
      } else {
        add(row, of: table, columns, into: &days)
      }
    }
    guard days.summary.read == 0 || days.summary.used + days.summary.duplicates > 0 else {
      throw ImportError(
        file: stream.name, place: .line(1), .noReadableDate(rows: days.summary.read))
    }
  }

  private func add(
    _ row: Int, of table: CSVTable, _ columns: [String: Int], into days: inout DayCollector
  ) {
    let place = ImportError.Place.line(table.line(row))
    func number(_ title: String) -> Double? {
      columns[title].flatMap { index in
        table.withCell(row, index) { bytes in
          // The app writes the decimal mark of the phone's language.
          DecimalText.number(bytes) ?? DecimalText.number(bytes, mark: UInt8(ascii: ","))
        }
      }
    }
    days.summary.read += 1
    func time(_ title: String) -> LocalTime? {
      columns[title].flatMap { index in
        table.withCell(row, index) { bytes in Self.pattern?.read(bytes) }
      }
    }
    let end = time("To")
    guard let day = end?.day else {
      days.summary.reject("no readable date", at: place)
      return
    }
    let identity = "sleep-as-android \(table.text(row, 0))"
    guard days.isNew(identity) else { return }
    var span: Range<Int64>?
    if let start = time("From"), let end, start.seconds <= end.seconds {
      span = start.seconds..<end.seconds
    }
    guard let length = number("Hours") else {
      days.summary.reject("no number in \"Hours\"", at: place)
      return
    }
    // Typed records have -1.0 there, which is no minute; measured ones whole minutes.
    let isTyped = columns["LenAdjust"].map { table.text(row, $0) } == "-1.0"
    let awake = isTyped ? 0 : (number("LenAdjust") ?? 0)
    days.add(
      Reading(identity: identity, span: span, value: max(0, length + awake / 60)), .sleepHours,
      on: day, source: source, fold: .sum)
    if let rating = number("Rating"), rating > 0 {
      days.add(
        Reading(identity: identity, span: span, value: rating), .sleepQuality, on: day,
        source: source, fold: .mean)
    }
    days.summary.used += 1
  }

  private static let pattern = DatePattern("d. M. yyyy H:mm")
}
