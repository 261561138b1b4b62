internal import DayLog
internal import Time

/// The table of the app Bearable: one row a rating, by category and detail. Symptoms become `symptom.NAME`.
struct BearableReader: Reader {
  let format = "bearable"
  private let source = Source(.imported, "bearable")

  func recognises(_ head: FileHead) -> Bool {
    head.firstLines(1).first.map { line in
      let line = line.lowercased()
      return line.contains("category") && line.contains("detail") && line.contains("rating/amount")
    } ?? false
  }

  func read(
    _ stream: inout ByteStream, options: ImportOptions, into days: inout DayCollector
  ) throws(ImportError) {
    let table = try CSVTable(try stream.readAll(limit: CSVTable.byteLimit), name: stream.name)
    let titles = table.row(0).map { $0.lowercased() }
    func column(_ names: String...) throws(ImportError) -> Int {
      guard let found = names.lazy.compactMap({ titles.firstIndex(of: $0) }).first else {
        throw ImportError(
          file: stream.name, place: .line(1), .missingColumn(names[0], columns: titles))
      }
      return found
    }
    let (date, category) = (try column("date formatted", "date"), try column("category"))
    let (amount, detail) = (try column("rating/amount"), try column("detail"))
    let rows = 1..<max(1, table.rowCount)
    let dates: DateColumn
    do throws(DateColumn.Doubt) {
      dates = try DateColumn(
        cells: (0..<table.rowCount).map { $0 == 0 ? "" : table.text($0, date) }, isNamed: true)
    } catch {
      throw ImportError(file: stream.name, .openDates(isMixed: error == .both))
    }
    days.isOfEvents = true
    for row in rows {
      days.summary.read += 1
      let place = ImportError.Place.line(table.line(row))
      guard let time = dates.times[row] else {
        days.summary.reject("no readable date", at: place)
        continue
      }
      let day = days.day(of: time, options)
      guard days.has(day, at: place) else { continue }
      let kind = table.text(row, category)
      let value: Double? =
        switch CellForm(table.text(row, amount)) {
        case .number(let text, _): NumberStyle().number(String(text))
        case .clock(let seconds): Double(seconds) / 3600
        case .duration(let seconds): seconds / 3600
        case .pair(let left, _): NumberStyle().number(String(left))
        case .boolean(let yes): yes ? 1 : 0
        default: nil
        }
      guard let value else {
        days.summary.skip("row", "\(kind) without a number")
        continue
      }
      for metric in Self.metrics(kind, table.text(row, detail)) {
        var reading = Reading(
          identity: nil, span: time.second == nil ? nil : time.seconds..<time.seconds, value: value)
        if time.second == nil { reading.identity = table.stableHash(row) }
        days.add(
          reading, metric, on: day, source: source,
          fold: MetricRule.rule(for: metric)?.fold ?? .mean)
      }
      days.summary.used += 1
    }
  }

  private static func metrics(_ category: String, _ detail: String) -> [Metric] {
    let kind = category.lowercased()
    // A detail says its grade in brackets: `Headache (Mild)`.
    let details = detail.split { $0 == "|" || $0 == ";" }.map { part in
      CellForm.trimmed(part.prefix { $0 != "(" })
    }.filter { !$0.isEmpty }
    switch kind {
    case "symptom", "symptoms":
      return details.compactMap { Metric(symptom: ColumnName.plain($0)) }
    case "sleep": return [.sleepHours]
    case "sleep quality": return [.sleepQuality]
    case "mood", "energy": return [kind == "mood" ? .mood : .energy]
    default:
      let name = details.count == 1 ? "\(category) \(details[0])" : category
      return [Metric(columnName: ColumnName.plain(name))].compactMap(\.self)
    }
  }
}
