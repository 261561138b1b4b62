internal import DayLog
import Time

/// The table that the app Plees Tracker exports: sleeps as milliseconds since 1970 and a rating.
///
/// Its moments carry no offset, so a sleep belongs to the day on which it ends in the zone asked for, else
/// in that of this machine, of which a remark tells. All sleeps of a day add up. A rating of 0 was not
/// given. A sleep that stands twice, by its two moments, counts once.
struct PleesTrackerReader: Reader {
  let format = "plees-tracker"
  private let source = Source(.imported, "plees-tracker")

  func recognises(_ head: FileHead) -> Bool {
    head.headerLine.hasPrefix("sid,start,stop,rating")
  }

  func read(
    _ stream: inout ByteStream, options: ImportOptions, into days: inout DayCollector
  ) throws(ImportError) {
    let table = try CSVTable(try stream.readAll(limit: CSVTable.byteLimit), name: stream.name)
    let zone = try options.zoneOfBareMoments(&days.summary, file: stream.name)
    for row in 1..<max(1, table.rowCount) {
      let place = ImportError.Place.line(table.line(row))
      func number(_ column: Int) -> Double? {
        table.withCell(row, column) { DecimalText.number($0) }
      }
      days.summary.read += 1
      // Beyond this there is no calendar day of four digits.
      guard let start = number(1), let stop = number(2), abs(start) < 1e15, abs(stop) < 1e15 else {
        days.summary.reject("no readable date", at: place)
        continue
      }
      guard stop >= start else {
        days.summary.reject("end before start", at: place)
        continue
      }
      let end = Instant(milliseconds: Int64(stop))
      let day = end.day(utcOffset: zone.utcOffset(at: end))
      guard days.has(day, at: place) else { continue }
      guard days.isNew("plees \(start) \(stop)") else { continue }
      let span = Int64(start / 1000)..<max(Int64(start / 1000), Int64(stop / 1000))
      days.add(
        Reading(identity: nil, span: span, value: (stop - start) / 3_600_000), .sleepHours, on: day,
        source: source, fold: .sum)
      if let rating = number(3), rating > 0 {
        days.add(
          Reading(identity: nil, span: span, value: rating), .sleepQuality, on: day, source: source,
          fold: .mean)
      }
      days.summary.used += 1
    }
  }
}
