internal import DayLog
import Time

/// Garmin Connect's JSON: daily summaries, nights, nights' heart-rate variability and training
/// readiness, as its interface answers, alone or in lists, and the summaries and nights of an account
/// export.
///
/// A record carries its day (`calendarDate`); a night belongs to the day on which it ends by its own
/// local clock, which Garmin writes as if it were UTC (`…TimestampLocal`). A nap's time adds to the
/// day's sleep. HRV is the night's mean RMSSD. Of the many readiness scores of a day the one that was
/// made on waking counts: later ones know of the day's training. Negative levels stand for *not measured*.
struct GarminReader: Reader {
  let format = "garmin"
  private let source = Source(.imported, "garmin")

  func recognises(_ head: FileHead) -> Bool {
    guard head.isJSON, head.contains("\"calendarDate\"") else { return false }
    return head.contains("\"userProfilePK\"") || head.contains("\"userProfilePk\"")
      || head.contains("\"userProfileId\"") || head.contains("\"dailySleepDTO\"")
      || head.contains("\"sleepWindowConfirmationType\"")
  }

  func read(
    _ stream: inout ByteStream, options: ImportOptions, into days: inout DayCollector
  ) throws(ImportError) {
    let content = try JSONFile.read(&stream)
    let records = Self.records(in: content)
    var isKnown = records.isEmpty
    for (index, record) in records.enumerated() {
      guard let kind = Kind(record) else {
        days.summary.skip("element", "record of an unknown kind")
        continue
      }
      isKnown = true
      if kind == .readiness, record["inputContext"]?.string != "AFTER_WAKEUP_RESET" {
        days.summary.read += 1
        days.summary.skip("element", "training readiness of another time than waking")
        continue
      }
      days.add(
        Self.fields[kind] ?? [], of: record, on: Self.day(of: record, kind), source: source,
        at: .record(index + 1))
    }
    guard isKnown else {
      throw ImportError(
        file: stream.name, .malformed("holds no record of Garmin Connect that is known"))
    }
  }

  /// The objects of a list, and of the lists in it, from front to back.
  private static func records(in content: JSON) -> [JSON] {
    guard let items = content.items else { return [content] }
    return items.flatMap(records)
  }

  private enum Kind {
    case summary, night, exportedNight, variability, readiness

    init?(_ record: JSON) {
      if record["dailySleepDTO"] != nil {
        self = .night
      } else if record["hrvSummary"] != nil {
        self = .variability
      } else if record["inputContext"] != nil {
        self = .readiness
      } else if record["deepSleepSeconds"] != nil {
        self = .exportedNight
      } else if record["totalSteps"] != nil || record["totalKilocalories"] != nil {
        self = .summary
      } else {
        return nil
      }
    }
  }

  private static func day(of record: JSON, _ kind: Kind) -> CalendarDay? {
    switch kind {
    case .summary, .readiness, .exportedNight: record.time("calendarDate")?.day
    case .variability: record["hrvSummary"]?.time("calendarDate")?.day
    case .night:
      record["dailySleepDTO"].flatMap { night in
        night.moment("sleepEndTimestampLocal", perSecond: 1000)?.day(utcOffset: 0)
          ?? night.time("calendarDate")?.day
      }
    }
  }

  private static let fields: [Kind: [JSONField]] = [
    .summary: [
      JSONField("totalSteps", as: .steps, fold: .sum),
      JSONField("activeKilocalories", as: .activeEnergy, fold: .sum),
      JSONField("totalKilocalories", as: .totalEnergy, fold: .sum),
      JSONField(
        "moderateIntensityMinutes", "vigorousIntensityMinutes", as: .exerciseMinutes,
        fold: .sum),
      JSONField("restingHeartRate", as: .restingHeartRate, fold: .mean),
      JSONField("averageStressLevel", as: .named("stress_level"), fold: .mean, isPositive: true),
      JSONField(
        "bodyBatteryAtWakeTime", as: .named("body_battery_at_wake"), fold: .mean, isPositive: true),
    ],
    .night: [
      JSONField(
        "dailySleepDTO.sleepTimeSeconds", "dailySleepDTO.napTimeSeconds", as: .sleepHours,
        scale: .over(3600), fold: .sum),
      stage("dailySleepDTO.deepSleepSeconds", .sleepDeepHours),
      stage("dailySleepDTO.lightSleepSeconds", .sleepLightHours),
      stage("dailySleepDTO.remSleepSeconds", .sleepREMHours),
      JSONField(
        "dailySleepDTO.sleepScores.overall.value", as: .sleepScore, fold: .mean, isPositive: true),
      JSONField("dailySleepDTO.averageRespirationValue", as: .respiratoryRate, fold: .mean),
      JSONField("dailySleepDTO.averageSpO2Value", as: .oxygenSaturation, fold: .mean),
      JSONField("restingHeartRate", as: .restingHeartRate, fold: .mean),
      JSONField("avgOvernightHrv", as: .hrvRMSSD, fold: .mean),
    ],
    .exportedNight: [
      JSONField(
        "deepSleepSeconds", "lightSleepSeconds", "remSleepSeconds", as: .sleepHours,
        scale: .over(3600), fold: .sum),
      stage("deepSleepSeconds", .sleepDeepHours), stage("lightSleepSeconds", .sleepLightHours),
      stage("remSleepSeconds", .sleepREMHours),
      JSONField("averageRespiration", as: .respiratoryRate, fold: .mean),
      JSONField("sleepScores.overallScore", as: .sleepScore, fold: .mean, isPositive: true),
    ],
    .variability: [JSONField("hrvSummary.lastNightAvg", as: .hrvRMSSD, fold: .mean)],
    .readiness: [JSONField("score", as: .readinessScore, fold: .mean, isPositive: true)],
  ]

  private static func stage(_ place: String, _ metric: Metric) -> JSONField {
    JSONField(place, as: metric, scale: .over(3600), fold: .sum)
  }
}
