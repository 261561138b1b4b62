internal import DayLog

/// The tables of a Fitbit account export: those that Fitbit wrote itself, and the ones under Google's names since
/// (`Physical Activity_GoogleData`), in which every time is UTC and each row names its device.
enum FitbitTables {
  static let all: [VendorTable] = older + newer

  private static let older: [VendorTable] = [
    VendorTable(
      titles: ["sleep_log_entry_id", "timestamp", "overall_score"], when: .moment("timestamp"),
      columns: [
        "overall_score": .init(.sleepScore, isPositive: true),
        "resting_heart_rate": .init(.restingHeartRate),
      ], identity: "sleep_log_entry_id"),
    VendorTable(
      titles: ["timestamp", "rmssd", "nremhr", "entropy"], when: .moment("timestamp"),
      columns: ["rmssd": .init(.hrvRMSSD), "nremhr": .init(.named("nrem_heart_rate"))]),
    VendorTable(
      titles: ["timestamp", "rmssd", "coverage", "low_frequency"], when: .moment("timestamp"),
      columns: ["rmssd": .init(.hrvRMSSD)]),
    VendorTable(
      titles: ["timestamp", "average_value", "lower_bound", "upper_bound"],
      when: .moment("timestamp"),
      columns: ["average_value": .init(.oxygenSaturation)]),
    VendorTable(
      titles: ["timestamp", "value"], fileNames: ["minute spo2"], when: .moment("timestamp"),
      columns: ["value": .init(.oxygenSaturation)]),
    VendorTable(
      titles: ["timestamp", "daily_respiratory_rate"], when: .moment("timestamp"),
      columns: ["daily_respiratory_rate": .init(.respiratoryRate)]),
    VendorTable(
      titles: ["timestamp", "full_sleep_breathing_rate"], when: .moment("timestamp"),
      columns: ["full_sleep_breathing_rate": .init(.respiratoryRate)]),
    VendorTable(
      titles: ["date_time", "heart_zone_id", "total_minutes"], when: .moment("date_time"),
      columns: ["total_minutes": .init(.activeZoneMinutes, fold: .sum)], device: nil, length: 60),
    VendorTable(
      titles: ["date", "stress_score", "sleep_points"], when: .moment("date"),
      columns: ["stress_score": .init(.named("stress_score"), isPositive: true)]),
    VendorTable(
      titles: ["date", "readiness_score_value"], when: .moment("date"),
      columns: ["readiness_score_value": .init(.readinessScore, isPositive: true)]),
  ]

  private static func minutes(
    _ title: String, _ field: VendorTable.Field, fileNames: [String] = []
  ) -> VendorTable {
    VendorTable(
      titles: ["timestamp", title, "data_source"], fileNames: fileNames, when: .moment("timestamp"),
      columns: [title: field], device: "data_source", length: 60)
  }

  private static func moments(
    _ title: String, _ field: VendorTable.Field, fileNames: [String] = []
  ) -> VendorTable {
    VendorTable(
      titles: ["timestamp", title, "data_source"], fileNames: fileNames, when: .moment("timestamp"),
      columns: [title: field], device: "data_source")
  }

  private static let newer: [VendorTable] = [
    minutes("steps", .init(.steps)),
    minutes("calories", .init(.totalEnergy)),
    minutes("distance", .init(.named("distance_km"), in: .metre)),
    minutes("total_minutes", .init(.activeZoneMinutes, fold: .sum)),
    moments(
      "beats_per_minute", .init(.restingHeartRate),
      fileNames: ["resting_heart_rate", "resting heart rate"]),
    moments("beats_per_minute", .init(.heartRate)),
    moments(
      "root_mean_square_of_successive_differences_milliseconds", .init(.hrvRMSSD)),
    moments("average_heart_rate_variability_milliseconds", .init(.hrvRMSSD)),
    moments("average_percentage", .init(.oxygenSaturation)),
    moments("oxygen_saturation_percentage", .init(.oxygenSaturation)),
    moments("breaths_per_minute", .init(.respiratoryRate)),
    moments("weight_grams", .init(.bodyMass, in: .gram)),
    moments("temperature_celsius", .init(.named("body_temperature"))),
    VendorTable(
      titles: ["sleep_id", "minutes_asleep", "sleep_start", "sleep_end"],
      when: .night("sleep_start", "sleep_end", offset: "end_utc_offset", isUTC: true),
      columns: ["minutes_asleep": .init(.sleepHours, in: .minute)], identity: "sleep_id"),
    VendorTable(
      titles: ["sleep_id", "overall_score"], when: .moment("score_time"),
      columns: ["overall_score": .init(.sleepScore, isPositive: true)], identity: "sleep_id"),
  ]
}
