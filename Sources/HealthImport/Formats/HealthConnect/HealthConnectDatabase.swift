internal import DayLog

/// The database that Android's Health Connect exports. Records carry their offset, and name the app that wrote them.
enum HealthConnectDatabase {
  static let reader = DatabaseReader(
    format: "health-connect", marks: ["steps_record_table", "heart_rate_record_table"]
  ) { _, _ in
    records
  }

  private static func span(
    _ table: String, _ column: String, _ metric: Metric, in unit: Unit? = nil
  )
    -> DatabaseTable
  {
    DatabaseTable(
      tables: [table],
      query: "SELECT start_time, end_time, start_zone_offset, app_info_id, \(column) FROM \(table)",
      metric: metric, unit: unit)
  }

  private static func moment(
    _ table: String, _ column: String, _ metric: Metric, in unit: Unit? = nil
  ) -> DatabaseTable {
    DatabaseTable(
      tables: [table],
      query: "SELECT time, time, zone_offset, app_info_id, \(column) FROM \(table)", metric: metric,
      unit: unit)
  }

  /// Sleep by stages where there are some: 2 asleep, 4 light, 5 deep, 6 REM. A night belongs to its session's end.
  private static func stages(_ types: String, _ metric: Metric) -> DatabaseTable {
    DatabaseTable(
      tables: ["sleep_session_record_table", "sleep_stages_table"],
      query: """
        SELECT s.start_time, s.end_time, s.end_zone_offset, s.app_info_id,
          sum(t.stage_end_time - t.stage_start_time)
        FROM sleep_session_record_table s JOIN sleep_stages_table t ON t.parent_key = s.row_id
        WHERE t.stage_type IN (\(types)) GROUP BY s.row_id
        """, metric: metric, unit: .millisecond, isNight: true)
  }

  private static let records: [DatabaseTable] = [
    span("steps_record_table", "count", .steps),
    span("distance_record_table", "distance", .named("distance_km"), in: .metre),
    // Energy is in small calories.
    span("active_calories_burned_record_table", "energy / 1000.0", .activeEnergy),
    span("total_calories_burned_record_table", "energy / 1000.0", .totalEnergy),
    span("hydration_record_table", "volume", .water, in: .litre),
    span(
      "exercise_session_record_table", "end_time - start_time", .exerciseMinutes, in: .millisecond),
    DatabaseTable(
      tables: ["heart_rate_record_table", "heart_rate_record_series_table"],
      query: """
        SELECT s.epoch_millis, s.epoch_millis, r.start_zone_offset, r.app_info_id, s.beats_per_minute
        FROM heart_rate_record_series_table s JOIN heart_rate_record_table r ON r.row_id = s.parent_key
        """, metric: .heartRate),
    moment("resting_heart_rate_record_table", "beats_per_minute", .restingHeartRate),
    moment(
      "heart_rate_variability_rmssd_record_table", "heart_rate_variability_millis", .hrvRMSSD),
    moment("oxygen_saturation_record_table", "percentage", .oxygenSaturation),
    moment("respiratory_rate_record_table", "rate", .respiratoryRate),
    moment("weight_record_table", "weight", .bodyMass, in: .gram),
    moment("body_fat_record_table", "percentage", .bodyFatPercentage),
    moment("blood_pressure_record_table", "systolic", .named("blood_pressure_systolic")),
    moment("blood_pressure_record_table", "diastolic", .named("blood_pressure_diastolic")),
    moment("blood_glucose_record_table", "level", .bloodGlucose, in: .millimolePerLitre),
    stages("2, 4, 5, 6", .sleepHours), stages("4", .sleepLightHours), stages("5", .sleepDeepHours),
    stages("6", .sleepREMHours),
    // Sessions of which no stage is known were slept through.
    DatabaseTable(
      tables: ["sleep_session_record_table", "sleep_stages_table"],
      query: """
        SELECT start_time, end_time, end_zone_offset, app_info_id, end_time - start_time
        FROM sleep_session_record_table
        WHERE row_id NOT IN (SELECT parent_key FROM sleep_stages_table)
        """, metric: .sleepHours, unit: .millisecond, isNight: true),
  ]
}
