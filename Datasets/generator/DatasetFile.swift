import DayLog
import Time

/// A file of this folder: its name and what is in it.
struct DatasetFile {
  let name: String
  let bytes: [UInt8]

  /// Every file, in the order of `README.md`.
  static var all: [DatasetFile] {
    [
      DatasetFile(name: "export.zip", bytes: export),
      DatasetFile(
        name: "diary.csv", bytes: Array(SyntheticLog.csv(year, metrics: typed).utf8)),
      DatasetFile(
        name: "year.csv", bytes: Array(SyntheticLog.csv(year, metrics: SyntheticLog.metrics).utf8)),
      DatasetFile(
        name: "decade.csv",
        bytes: Array(SyntheticLog.csv(decade, metrics: SyntheticLog.metrics).utf8)),
    ]
  }

  /// What no device knows: the person says it.
  static let typed = ["energy", "mood", "stress", "symptom.headache"]

  /// The year 2025.
  static var year: [SyntheticLog.Day] { days(365, from: (2025, 1, 1), seed: 1) }

  private static var decade: [SyntheticLog.Day] { days(3650, from: (2016, 1, 4), seed: 2) }

  private static func days(
    _ count: Int, from date: (year: Int, month: Int, day: Int), seed: UInt64
  ) -> [SyntheticLog.Day] {
    guard let first = CalendarDay(year: date.year, month: date.month, day: date.day) else {
      preconditionFailure("a date of the calendar")
    }
    var person = SyntheticLog(seed: seed)
    return person.days(count, from: first)
  }

  /// What the person's devices know of the year, as a phone exports it on its last evening.
  private static var export: [UInt8] {
    let content = Array(AppleHealthExport(year, seed: 3).text.utf8)
    return ZipFile(
      path: "apple_health_export/export.xml", content: content,
      time: (year: 2025, month: 12, day: 31, hour: 19)
    ).bytes
  }
}
