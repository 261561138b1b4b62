internal import DayLog
import Time

/// The table that the mood diary Daylio exports: one row an entry, the newest first.
///
/// An entry's mood is a word. The app's own words and common ones in their place are 1 (awful) to 5
/// (rad); the person gives other words a number with `--map WORD=NUMBER`. A day's mood is the mean of its
/// entries. Each activity of the diary becomes a metric `activity.NAME`: 1 on the days with it, 0 on the
/// other days that have an entry. Times are local, without an offset: an entry before the day start
/// belongs to the day before.
struct DaylioReader: Reader {
  let format = "daylio"
  private let source = Source(.imported, "daylio")

  func recognises(_ head: FileHead) -> Bool {
    head.headerLine.hasPrefix("full_date,date,weekday,time,mood")
  }

  func read(
    _ stream: inout ByteStream, options: ImportOptions, into days: inout DayCollector
  ) throws(ImportError) {
    let table = try CSVTable(try stream.readAll(limit: CSVTable.byteLimit), name: stream.name)
    guard table.rowCount > 0 else { throw ImportError(file: stream.name, .empty) }
    let titles = table.row(0).map { $0.lowercased() }
    func column(_ title: String) throws(ImportError) -> Int {
      guard let index = titles.firstIndex(of: title) else {
        throw ImportError(
          file: stream.name, place: .line(1), .missingColumn(title, columns: titles))
      }
      return index
    }
    let (date, time, mood) = (try column("full_date"), try column("time"), try column("mood"))
    let scale = try Self.scale(options, file: stream.name)

    var entries: [(day: CalendarDay, reading: Reading, done: Set<Metric>)] = []
    for row in 1..<max(1, table.rowCount) {
      let place = ImportError.Place.line(table.line(row))
      days.summary.read += 1
      guard let moment = Self.day(table.text(row, date), at: table.text(row, time)) else {
        days.summary.reject("no readable date", at: place)
        continue
      }
      let day = days.day(of: moment, options)
      guard days.has(day, at: place) else { continue }
      let reading = Reading(identity: nil, span: moment.seconds..<moment.seconds)
      if let index = titles.firstIndex(of: "scales") {
        addScales(table.text(row, index), reading, on: day, at: place, into: &days)
      }
      if let index = titles.firstIndex(of: "activities") {
        entries.append((day, reading, Set(Self.metrics(table.text(row, index)))))
      }
      guard let value = scale[Self.word(table.text(row, mood))] else {
        days.summary.reject(
          "mood in a word of your own, give it a number with --map WORD=NUMBER", at: place)
        continue
      }
      var mood = reading
      mood.value = value
      days.add(mood, .mood, on: day, source: source, fold: .mean)
      days.summary.used += 1
    }
    let all = entries.reduce(into: Set<Metric>()) { $0.formUnion($1.done) }
    for entry in entries {
      for metric in all {
        var reading = entry.reading
        reading.value = entry.done.contains(metric) ? 1 : 0
        days.add(reading, metric, on: entry.day, source: source, fold: .max)
      }
    }
    days.summary.remark("moods are numbers from 1 (awful) to 5 (rad)")
  }

  /// Adds what the person rated beside the mood: `Sleep Quality: 8/10 points | Sleep Time: 8:00`.
  private func addScales(
    _ text: String, _ reading: Reading, on day: CalendarDay, at place: ImportError.Place,
    into days: inout DayCollector
  ) {
    for scale in text.split(separator: "|") {
      guard let colon = scale.firstRange(of: ":") else { continue }
      let name = ColumnName(String(CellForm.trimmed(scale[..<colon.lowerBound])))
      let rule = MetricRule.rule(named: name.base)
      guard let metric = rule?.metric ?? name.key.flatMap({ Metric($0) }) else { continue }
      let value: Double? =
        switch CellForm(String(scale[colon.upperBound...]).replacing(" points", with: "")) {
        case .number(let number, let unit):
          NumberStyle().number(String(number)).flatMap { value in
            guard let unit, let own = rule?.unit else { return value }
            return unit.convert(value, to: own)
          }
        case .pair(let rating, _): NumberStyle().number(String(rating))
        case .clock(let seconds): Unit.second.convert(Double(seconds), to: rule?.unit ?? .hour)
        case .duration(let seconds): Unit.second.convert(seconds, to: rule?.unit ?? .hour)
        default: nil
        }
      guard let value, rule?.range?.contains(value) ?? true else {
        days.summary.reject("no number in a scale", at: place)
        continue
      }
      var one = reading
      one.value = value
      days.add(one, metric, on: day, source: source, fold: rule?.fold ?? .mean)
    }
  }

  /// The app writes a clock of 12 or of 24 hours, as the phone does.
  private static let patterns = ["yyyy-MM-dd h:mm a", "yyyy-MM-dd H:mm"].compactMap(
    DatePattern.init)

  private static func day(_ date: String, at time: String) -> LocalTime? {
    // Phones put a narrow space before AM and PM.
    let clock = time.replacing("\u{202F}", with: " ").replacing("\u{A0}", with: " ")
    let bytes = ContiguousArray("\(date) \(clock)".utf8)
    return patterns.lazy.compactMap { $0.read(bytes.span) }.first ?? LocalTime(date)
  }

  /// The number of each word, in lower case.
  private static func scale(
    _ options: ImportOptions, file: String
  ) throws(ImportError) -> [String: Double] {
    var scale: [String: Double] = [:]
    for (value, words) in words.enumerated() {
      for word in words { scale[word] = Double(value + 1) }
    }
    for (word, number) in options.metrics {
      let bytes = ContiguousArray(number.utf8)
      guard let value = DecimalText.number(bytes.span) else {
        throw ImportError(file: file, .invalidMoodNumber(number))
      }
      scale[Self.word(word)] = value
    }
    return scale
  }

  /// Words from 1 on: the app's own first.
  private static let words = [
    ["awful", "fugly", "terrible", "horrible"], ["bad", "sad"],
    ["meh", "average", "okay", "ok", "neutral"], ["good", "happy"],
    ["rad", "great", "amazing", "excellent"],
  ]

  private static func word(_ text: String) -> String {
    String(text.lowercased().drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }

  private static func metrics(_ activities: String) -> [Metric] {
    activities.split(separator: "|").compactMap { activity(String($0)) }
  }

  /// The metric of an activity.
  static func activity(_ name: String) -> Metric? {
    Metric(columnName: ColumnName.plain(name)).flatMap { Metric("activity." + $0.name) }
  }
}
