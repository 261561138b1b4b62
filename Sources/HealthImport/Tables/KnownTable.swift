internal import DayLog

/// A table that is known by its own headers: what its columns mean, and how it writes dates.
struct KnownTable: Sendable {
  /// The source of its entries.
  let source: String
  /// Headers, as ``Metric/init(columnName:)`` writes them, that only this table has all of.
  let signature: Set<String>
  let dateColumn: String
  /// How it writes dates; the first that fits counts. Empty for `yyyy-MM-dd`.
  var patterns: [String] = []
  var personColumn: String?
  /// Columns with a meaning of their own; those not named keep their name.
  var columns: [String: KnownColumn] = [:]
  /// Columns that are no measurement.
  var ignored: Set<String> = []
  /// How values of one day become one, in columns that say nothing of it.
  var fold: Fold?

  static func table(for headers: Set<String>) -> KnownTable? {
    all.first { $0.signature.isSubset(of: headers) }
  }

  private static let american = [
    "M/d/yyyy", "M/d/yyyy h:mm:ss a", "M/d/yyyy HH:mm", "M/d/yyyy h:mm a",
  ]

  static let all: [KnownTable] = [
    // Fitbit's sleep logs as a table: a night and its naps are one day's sleep.
    KnownTable(
      source: "fitbit", signature: ["date_of_sleep", "minutes_asleep", "is_main_sleep"],
      dateColumn: "date_of_sleep",
      columns: [
        "minutes_asleep": KnownColumn(metric: .sleepHours, scale: .over(60), fold: .sum),
        "deep_min": KnownColumn(metric: .sleepDeepHours, scale: .over(60), fold: .sum),
        "light_min": KnownColumn(metric: .sleepLightHours, scale: .over(60), fold: .sum),
        "rem_min": KnownColumn(metric: .sleepREMHours, scale: .over(60), fold: .sum),
        "efficiency": KnownColumn(metric: .sleepEfficiency, fold: .mean),
      ],
      ignored: ["info_code", "wake_min"], fold: .sum),
    // Fitabase's daily tables: two export periods overlap by a day, and the first holds part of it.
    KnownTable(
      source: "fitbit", signature: ["id", "activitydate", "totalsteps"],
      dateColumn: "activitydate", patterns: american, personColumn: "id",
      columns: [
        "calories": KnownColumn(metric: .totalEnergy, fold: .largest)
      ],
      fold: .largest),
    KnownTable(
      source: "fitbit", signature: ["id", "sleepday", "totalminutesasleep"],
      dateColumn: "sleepday", patterns: american, personColumn: "id",
      columns: [
        "totalminutesasleep": KnownColumn(metric: .sleepHours, scale: .over(60), fold: .largest),
        "totaltimeinbed": KnownColumn(
          metric: .named("time_in_bed_hours"), scale: .over(60), fold: .largest),
      ],
      ignored: ["totalsleeprecords"], fold: .largest),
    KnownTable(
      source: "fitbit", signature: ["id", "date", "weightkg", "ismanualreport"],
      dateColumn: "date", patterns: american, personColumn: "id",
      columns: [
        "weightkg": KnownColumn(metric: .bodyMass, fold: .mean),
        "fat": KnownColumn(metric: .bodyFatPercentage, fold: .mean),
        "bmi": KnownColumn(metric: .bodyMassIndex, fold: .mean),
      ],
      ignored: ["weightpounds", "ismanualreport", "logid"], fold: .mean),
    // LifeSnaps: one row a person and day; its zeros of computed scores are not measurements.
    KnownTable(
      source: "fitbit", signature: ["person", "date", "minutesasleep", "rmssd", "resting_hr"],
      dateColumn: "date", personColumn: "person",
      columns: [
        "minutesasleep": KnownColumn(metric: .sleepHours, scale: .over(60), isZeroMissing: true),
        "rmssd": KnownColumn(metric: .hrvRMSSD, isZeroMissing: true),
        "stress_score": KnownColumn(metric: .named("stress_score"), isZeroMissing: true),
        "bpm": KnownColumn(metric: .heartRate),
        "calories": KnownColumn(metric: .totalEnergy),
        "spo2": KnownColumn(metric: .oxygenSaturation),
      ],
      fold: .largest),
    // Oura's own table: durations in seconds.
    KnownTable(
      source: "oura", signature: ["date", "sleep_score", "total_sleep_duration", "average_hrv"],
      dateColumn: "date",
      columns: [
        "total_sleep_duration": KnownColumn(metric: .sleepHours, scale: .over(3600)),
        "deep_sleep_duration": KnownColumn(metric: .sleepDeepHours, scale: .over(3600)),
        "light_sleep_duration": KnownColumn(metric: .sleepLightHours, scale: .over(3600)),
        "rem_sleep_duration": KnownColumn(metric: .sleepREMHours, scale: .over(3600)),
        "average_hrv": KnownColumn(metric: .hrvRMSSD),
        "lowest_resting_heart_rate": KnownColumn(metric: .restingHeartRate),
        "activity_burn": KnownColumn(metric: .activeEnergy),
        "total_burn": KnownColumn(metric: .totalEnergy),
        "sleep_score": KnownColumn(metric: .sleepScore, isZeroMissing: true),
      ],
      fold: .largest),
  ]
}
