internal import DayLog

/// The tables of a WHOOP export: cycles, sleeps, workouts and the journal. Times are those of the clock on the wall,
/// beside its distance from UTC; a night and its recovery belong to the day of waking. HRV is RMSSD.
enum WhoopTables {
  private static let stages: [String: VendorTable.Field] = [
    "asleep_duration": .init(.sleepHours, in: .minute),
    "asleep_duration_min": .init(.sleepHours, in: .minute),
    "deep_sws_duration_min": .init(.sleepDeepHours, in: .minute),
    "light_sleep_duration_min": .init(.sleepLightHours, in: .minute),
    "rem_duration_min": .init(.sleepREMHours, in: .minute),
    "respiratory_rate_rpm": .init(.respiratoryRate),
    "sleep_efficiency": .init(.sleepEfficiency), "sleep_performance": .init(.sleepScore),
  ]

  static let all: [VendorTable] = [
    VendorTable(
      titles: ["cycle_start_time", "sleep_onset", "wake_onset", "nap"],
      when: .night("sleep_onset", "wake_onset", offset: "cycle_timezone"), columns: stages),
    VendorTable(
      titles: ["cycle_start_time", "recovery_score", "wake_onset"],
      when: .night("sleep_onset", "wake_onset", offset: "cycle_timezone"),
      columns: stages.merging(
        [
          "recovery_score": .init(.named("recovery_score"), isPositive: true),
          "resting_heart_rate_bpm": .init(.restingHeartRate),
          "heart_rate_variability_ms": .init(.hrvRMSSD),
          "skin_temp_celsius": .init(.named("skin_temperature"), isPositive: true),
          "blood_oxygen": .init(.oxygenSaturation),
          "day_strain": .init(.named("day_strain"), fold: .max),
          "energy_burned_cal": .init(.totalEnergy),
        ], uniquingKeysWith: { first, _ in first })),
    VendorTable(
      titles: ["workout_start_time", "workout_end_time", "duration_min"],
      when: .span("workout_start_time", "workout_end_time", offset: "cycle_timezone"),
      columns: [
        "duration_min": .init(.exerciseMinutes),
        "activity_strain": .init(.named("activity_strain"), fold: .max),
      ]),
    VendorTable(
      titles: ["cycle_start_time", "question_text", "answered_yes"],
      when: .moment("cycle_end_time", offset: "cycle_timezone"),
      columns: ["answered_yes": .init(.named("journal"), fold: .max)],
      names: (
        "question_text",
        { text in
          Metric(columnName: "journal." + ColumnName.plain(text))
        }
      )),
  ]
}
