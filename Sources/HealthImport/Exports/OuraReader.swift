internal import DayLog

/// Oura's JSON of the first API and of account exports of that time: `sleep`, `readiness` and
/// `activity`, one or several in a file.
///
/// Oura labels a night with the day before it ends (`summary_date`). Here it belongs to the day it
/// ends on, by the offset its `bedtime_end` carries, unless a zone is asked for; readiness, which
/// carries no time, to the day after its label. Activity has its own day, from 04:00 to 03:59.
/// Sleep of all periods of a day is added up; heart rate, RMSSD, breathing and scores are those of
/// the longest period, so that a nap changes none of them. A period that stands twice, by its end,
/// counts once. Scores of 0 were not computed.
struct OuraReader: Reader {
  let format = "oura"
  private let source = Source(.imported, "oura")

  func recognises(_ head: FileHead) -> Bool {
    head.isJSON && head.contains("\"summary_date\"")
  }

  func read(
    _ stream: inout ByteStream, options: ImportOptions, into days: inout DayCollector
  ) throws(ImportError) {
    let content = try JSONFile.read(&stream)
    var isKnown = false
    for (name, part) in (content.members ?? [:]).sorted(by: { $0.key < $1.key }) {
      guard let records = part.items, let kind = Kind(rawValue: name) else {
        days.summary.skip("element", name)
        continue
      }
      isKnown = true
      for (index, record) in records.enumerated() {
        add(record, kind, at: .record(index + 1), options, into: &days)
      }
    }
    guard isKnown else {
      throw ImportError(
        file: stream.name, .malformed("holds no list named sleep, readiness or activity"))
    }
  }

  private enum Kind: String {
    case sleep, readiness, activity
  }

  private func add(
    _ record: JSON, _ kind: Kind, at place: ImportError.Place, _ options: ImportOptions,
    into days: inout DayCollector
  ) {
    days.summary.read += 1
    guard let day = day(of: record, kind, options) else {
      days.summary.reject("no readable date", at: place)
      return
    }
    if kind == .sleep, let end = record["bedtime_end"]?.string, !days.isNew("oura sleep \(end)") {
      return
    }
    let fields =
      switch kind {
      case .sleep: isLongest(record) ? Self.periodFields + Self.nightFields : Self.periodFields
      case .readiness: Self.readinessFields
      case .activity: Self.activityFields
      }
    var isUsed = false
    for field in fields {
      isUsed = field.add(from: record, on: day, source: source, into: &days) || isUsed
    }
    if isUsed {
      days.summary.used += 1
    } else {
      days.summary.reject("no value", at: place)
    }
  }

  private func day(of record: JSON, _ kind: Kind, _ options: ImportOptions) -> CalendarDay? {
    switch kind {
    case .sleep: record.time("bedtime_end")?.calendarDay(options)
    case .readiness: record.time("summary_date")?.day.advanced(by: 1)
    case .activity: record.time("summary_date")?.day
    }
  }

  /// Older records do not say: a day then has one.
  private func isLongest(_ record: JSON) -> Bool { record["is_longest"]?.quantity != 0 }

  private static let periodFields = [
    JSONField("total", .sleepHours, scale: 1 / 3600, fold: .sum),
    JSONField("deep", "sleep_deep_hours", scale: 1 / 3600, fold: .sum),
    JSONField("light", "sleep_light_hours", scale: 1 / 3600, fold: .sum),
    JSONField("rem", "sleep_rem_hours", scale: 1 / 3600, fold: .sum),
  ]

  private static let nightFields = [
    JSONField("rmssd", .hrvRMSSD, fold: .mean),
    JSONField("hr_lowest", .restingHeartRate, fold: .mean),
    JSONField("breath_average", .respiratoryRate, fold: .mean),
    JSONField("efficiency", "sleep_efficiency", fold: .mean, isZeroMissing: true),
    JSONField("score", "sleep_score", fold: .mean, isZeroMissing: true),
  ]

  private static let readinessFields = [
    JSONField("score", "readiness_score", fold: .largest, isZeroMissing: true)
  ]

  private static let activityFields = [
    JSONField("steps", .steps, fold: .largest),
    JSONField("cal_active", .activeEnergy, fold: .largest),
    JSONField("cal_total", "total_energy", fold: .largest),
  ]
}
