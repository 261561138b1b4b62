internal import DayLog

/// What a column that goes by a known name holds.
struct KnownColumn: Sendable {
  let metric: Metric
  /// From the column's unit to the metric's.
  var scale = UnitScale.one
  /// How several values of one day become one; nil to decide by whether rows carry a time.
  var fold: Fold?
  /// Whether 0 stands for *not computed*.
  var isZeroMissing = false
}

/// Names of columns that mean the same to everyone who uses them, as ``Metric/init(columnName:)``
/// writes them; any other column keeps its own name.
enum KnownColumns {
  static func column(_ name: String) -> KnownColumn? { byName[name] }

  private static let byName: [String: KnownColumn] = {
    var columns: [String: KnownColumn] = [:]
    func add(
      _ metric: Metric, _ names: [String], scale: UnitScale = .one, fold: Fold? = nil,
      zeroMissing: Bool = false
    ) {
      for name in names {
        columns[name] = KnownColumn(
          metric: metric, scale: scale, fold: fold, isZeroMissing: zeroMissing)
      }
    }
    add(.steps, ["steps", "step_count", "total_steps", "totalsteps"], fold: .largest)
    add(.sleepHours, ["sleep_hours", "sleep_h", "hours_asleep", "hours_of_sleep"])
    add(
      .sleepHours, ["minutes_asleep", "minutesasleep", "sleep_minutes", "totalminutesasleep"],
      scale: .over(60))
    add(.hrv, ["hrv", "hrv_ms", "hrv_sdnn", "hrv_sdnn_ms", "sdnn", "sdnn_ms"])
    add(.hrvRMSSD, ["hrv_rmssd", "hrv_rmssd_ms", "rmssd", "rmssd_ms"])
    add(
      .restingHeartRate,
      [
        "resting_heart_rate", "resting_heart_rate_bpm", "resting_hr", "resting_hr_bpm", "rhr",
        "sleeping_hr_lowest_bpm",
      ])
    add(
      .activeEnergy, ["active_energy", "active_energy_kcal", "active_kcal", "active_calories"],
      fold: .largest)
    add(.exerciseMinutes, ["exercise_minutes", "exercise_min"], fold: .largest)
    add(.bodyMass, ["body_mass", "body_mass_kg", "weight_kg", "weightkg"])
    add(.bodyMass, ["weight_lb", "weight_lbs", "weightpounds"], scale: .times(0.453_592_37))
    add(
      .respiratoryRate,
      ["respiratory_rate", "breath_rate_per_min", "breathing_rate", "full_sleep_breathing_rate"])
    add(.readinessScore, ["readiness_score"], zeroMissing: true)
    return columns
  }()

  /// Whether a metric is a measurement of a living body: 0 of it was never measured.
  static func isNeverZero(_ metric: Metric) -> Bool {
    [
      .hrv, .hrvRMSSD, .restingHeartRate, .bodyMass, .respiratoryRate, .heartRate,
      .oxygenSaturation, .bodyFatPercentage,
    ].contains(metric)
  }

  /// Names of columns that hold the day, the likeliest first.
  static let dates = [
    "date", "day", "calendar_date", "calendardate", "full_date", "summary_date", "date_of_sleep",
    "dateofsleep", "activitydate", "sleepday", "logged_at", "answered_at", "recorded_at",
    "timestamp", "datetime", "date_time", "time", "prompted_at",
  ]

  /// Names of columns that tell people apart.
  static let people = [
    "person", "person_id", "participant", "participant_id", "subject", "subject_id", "user",
    "user_id",
  ]
}
