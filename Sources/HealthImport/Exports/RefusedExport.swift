/// An export that is recognised and not read: the person is told what it is and what would be needed.
///
/// Each lacks something that reading it right would take, or would be misread as a plain table.
struct RefusedExport: Reader {
  /// What the content is; never one of ``Importer/formats``.
  let format: String
  /// What would be needed, as a part of a sentence.
  private let needed: String
  private let mark: Mark

  private enum Mark {
    /// A JSON file with one text of each group in its beginning.
    case json([[StaticString]])
    /// A table whose first line begins with these headers.
    case header(String)
  }

  func recognises(_ head: FileHead) -> Bool {
    switch mark {
    case .json(let groups):
      head.isJSON && groups.allSatisfy { $0.contains { head.contains($0) } }
    case .header(let start):
      head.headerLine.hasPrefix(start)
    }
  }

  func read(
    _ stream: inout ByteStream, options: ImportOptions, into days: inout DayCollector
  ) throws(ImportError) {
    throw ImportError(file: stream.name, .unsupported(format, needed: needed))
  }

  static let all: [RefusedExport] = [
    RefusedExport(
      format: "a Garmin Connect answer",
      needed: "make it a CSV table of date, steps, sleep_hours, hrv_rmssd and resting_heart_rate "
        + "by calendarDate",
      mark: .json([
        ["\"userProfilePK\"", "\"userProfilePk\"", "\"userProfileId\"", "\"dailySleepDTO\""],
        ["\"calendarDate\""],
      ])),
    RefusedExport(
      format: "a Withings API answer",
      needed: "make it a CSV table of date, steps and sleep_hours by the dates it names",
      mark: .json([
        ["\"body\""], ["\"activities\"", "\"series\"", "\"measuregrps\""], ["\"status\""],
      ])
    ),
    RefusedExport(
      format: "a Google Fit data set",
      needed: "its moments carry no offset, so make it a CSV table of date and steps or weight_kg "
        + "by your local days",
      mark: .json([["\"dataSourceId\""], ["\"startTimeNanos\"", "\"minStartTimeNs\""]])),
    RefusedExport(
      format: "a Daylio diary",
      needed: "its moods are words, so make it a CSV table of date and mood with a number for each",
      mark: .header("full_date,date,weekday,time,mood")),
    RefusedExport(
      format: "a Sleep as Android export",
      needed: "each record has headers of its own, so make it a CSV table of date and sleep_hours",
      mark: .header("id,tz,from,to,sched,hours,rating")),
    RefusedExport(
      format: "a Plees Tracker export",
      needed: "its moments carry no offset, so make it a CSV table of date and sleep_hours by the "
        + "local day you woke",
      mark: .header("sid,start,stop,rating")),
  ]
}

extension FileHead {
  /// The first line in lower case, without a byte order mark and quotes.
  fileprivate var headerLine: String {
    let start = begins(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let line = bytes[start...].prefix { $0 != 10 && $0 != 13 }.filter { $0 != UInt8(ascii: "\"") }
    return String(decoding: line, as: UTF8.self).lowercased()
  }
}
