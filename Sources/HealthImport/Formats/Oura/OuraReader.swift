internal import DayLog
import Time

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
        days.add(
          fields(of: record, kind), of: record, on: day(of: record, kind, options, &days),
          source: source,
          identity: kind == .sleep ? record["bedtime_end"]?.string.map { "oura sleep \($0)" } : nil,
          span: kind == .sleep ? record.span("bedtime_start", "bedtime_end") : nil,
          at: .record(index + 1))
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

  private func day(
    of record: JSON, _ kind: Kind, _ options: ImportOptions, _ days: inout DayCollector
  ) -> CalendarDay? {
    switch kind {
    case .sleep: record.time("bedtime_end").map { days.day(ofNightUntil: $0, options) }
    case .readiness: record.time("summary_date")?.day.advanced(by: 1)
    case .activity: record.time("summary_date")?.day
    }
  }

  private func fields(of record: JSON, _ kind: Kind) -> [JSONField] {
    switch kind {
    // Older records do not say which is the longest: a day then has one.
    case .sleep where record["is_longest"]?.quantity == 0: Self.periodFields
    case .sleep: Self.periodFields + Self.nightFields
    case .readiness: [JSONField("score", as: .readinessScore, fold: .max, isPositive: true)]
    case .activity: Self.activityFields
    }
  }

  private static let periodFields = [
    JSONField("total", as: .sleepHours, scale: .over(3600), fold: .sum),
    JSONField("deep", as: .sleepDeepHours, scale: .over(3600), fold: .sum),
    JSONField("light", as: .sleepLightHours, scale: .over(3600), fold: .sum),
    JSONField("rem", as: .sleepREMHours, scale: .over(3600), fold: .sum),
  ]

  private static let nightFields = [
    JSONField("rmssd", as: .hrvRMSSD, fold: .mean),
    JSONField("hr_lowest", as: .restingHeartRate, fold: .mean),
    JSONField("breath_average", as: .respiratoryRate, fold: .mean),
    JSONField("efficiency", as: .sleepEfficiency, fold: .mean, isPositive: true),
    JSONField("score", as: .sleepScore, fold: .mean, isPositive: true),
  ]

  private static let activityFields = [
    JSONField("steps", as: .steps, fold: .sum),
    JSONField("cal_active", as: .activeEnergy, fold: .sum),
    JSONField("cal_total", as: .totalEnergy, fold: .sum),
  ]
}
