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
  /// Columns that the vendor itself writes twice: neither of them is read.
  var repeated: Set<String> = []
  /// How values of one day become one, in columns that say nothing of it.
  var fold: Fold?
  /// Whether a row is one log among others of its day, not the total of the day.
  var isOfLogs = false

  static func table(for headers: Set<String>) -> KnownTable? {
    all.first { $0.signature.isSubset(of: headers) }
  }

  private static let american = [
    "M/d/yyyy", "M/d/yyyy h:mm:ss a", "M/d/yyyy H:mm", "M/d/yyyy h:mm a",
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
        "minutes_awake": KnownColumn(metric: .named("awake_minutes"), fold: .sum),
        "time_in_bed": KnownColumn(
          metric: .named("time_in_bed_hours"), scale: .over(60), fold: .sum),
      ],
      ignored: ["info_code", "wake_min", "is_main_sleep"], fold: .sum, isOfLogs: true),
    // Fitabase's daily tables: two export periods overlap by a day, and the first holds part of it.
    KnownTable(
      source: "fitbit", signature: ["id", "activitydate", "totalsteps"],
      dateColumn: "activitydate", patterns: american, personColumn: "id",
      columns: [
        "calories": KnownColumn(metric: .totalEnergy, fold: .sum),
        "veryactiveminutes": named("very_active_minutes"),
        "fairlyactiveminutes": named("fairly_active_minutes"),
        "lightlyactiveminutes": named("lightly_active_minutes"),
        "sedentaryminutes": named("sedentary_minutes"),
        "totaldistance": named("total_distance"), "trackerdistance": named("tracker_distance"),
        "loggedactivitiesdistance": named("logged_activities_distance"),
        "veryactivedistance": named("very_active_distance"),
        "moderatelyactivedistance": named("moderately_active_distance"),
        "lightactivedistance": named("light_active_distance"),
        "sedentaryactivedistance": named("sedentary_active_distance"),
      ],
      fold: .sum),
    KnownTable(
      source: "fitbit", signature: ["id", "sleepday", "totalminutesasleep"],
      dateColumn: "sleepday", patterns: american, personColumn: "id",
      columns: [
        "totalminutesasleep": KnownColumn(metric: .sleepHours, scale: .over(60), fold: .sum),
        "totaltimeinbed": KnownColumn(
          metric: .named("time_in_bed_hours"), scale: .over(60), fold: .sum),
      ],
      ignored: ["totalsleeprecords"], fold: .max),
    KnownTable(
      source: "fitbit", signature: ["id", "date", "weightkg", "ismanualreport"],
      dateColumn: "date", patterns: american, personColumn: "id",
      columns: [
        "weightkg": KnownColumn(metric: .bodyMass),
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
        "minutesawake": named("awake_minutes"),
        "sleep_duration_ms": KnownColumn(
          metric: .named("time_in_bed_hours"), scale: .over(3_600_000)),
        "filtereddemographicvo2max": named("vo2_max"), "nremhr": named("nrem_heart_rate"),
        "calories": KnownColumn(metric: .totalEnergy),
        "spo2": KnownColumn(metric: .oxygenSaturation),
      ],
      fold: .sum),
    // Oura's trends: durations in seconds. The first generation says "time" where the second says
    // "duration", and has one column twice.
    KnownTable(
      source: "oura", signature: ["date", "sleep_score", "lowest_resting_heart_rate"],
      dateColumn: "date",
      columns: [
        "total_sleep_duration": seconds(.sleepHours), "total_sleep_time": seconds(.sleepHours),
        "deep_sleep_duration": seconds(.sleepDeepHours),
        "deep_sleep_time": seconds(.sleepDeepHours),
        "light_sleep_duration": seconds(.sleepLightHours),
        "light_sleep_time": seconds(.sleepLightHours),
        "rem_sleep_duration": seconds(.sleepREMHours), "rem_sleep_time": seconds(.sleepREMHours),
        "average_hrv": KnownColumn(metric: .hrvRMSSD),
        "lowest_resting_heart_rate": KnownColumn(metric: .restingHeartRate),
        "activity_burn": KnownColumn(metric: .activeEnergy),
        "total_burn": KnownColumn(metric: .totalEnergy),
        "sleep_score": KnownColumn(metric: .sleepScore, isZeroMissing: true),
        "sleep_efficiency": KnownColumn(metric: .sleepEfficiency, isZeroMissing: true),
        "temperature_deviation_c": KnownColumn(metric: .named("temperature_deviation")),
      ],
      repeated: ["sleep_timing"], fold: .sum),
    // Google Fit's daily table of an account export; where the person was is left out of a log.
    KnownTable(
      source: "google-fit", signature: ["date", "move_minutes_count", "calories_kcal"],
      dateColumn: "date",
      columns: [
        "move_minutes_count": KnownColumn(metric: .exerciseMinutes),
        "calories_kcal": KnownColumn(metric: .totalEnergy, isZeroMissing: true),
        "average_heart_rate_bpm": KnownColumn(metric: .heartRate),
        "average_weight_kg": KnownColumn(metric: .bodyMass),
      ],
      ignored: [
        "low_latitude_deg", "low_longitude_deg", "high_latitude_deg", "high_longitude_deg",
        "max_weight_kg", "min_weight_kg",
      ], fold: .sum),
  ]

  private static func named(_ name: StaticString) -> KnownColumn {
    KnownColumn(metric: .named(name))
  }

  private static func seconds(_ metric: Metric) -> KnownColumn {
    KnownColumn(metric: metric, scale: .over(3600))
  }
}
