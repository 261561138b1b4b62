internal import DayLog

/// Metrics that several formats have, beside the standard ones.
extension Metric {
  /// A metric whose name is written in this program.
  static func named(_ name: StaticString) -> Metric {
    guard let metric = Metric(name.description) else { preconditionFailure("a metric's name") }
    return metric
  }

  static let sleepDeepHours = named("sleep_deep_hours")
  static let sleepLightHours = named("sleep_light_hours")
  static let sleepREMHours = named("sleep_rem_hours")
  /// Share of the time in bed that was slept, in percent.
  static let sleepEfficiency = named("sleep_efficiency")
  static let sleepScore = named("sleep_score")
  /// A person's own rating of their sleep.
  static let sleepQuality = named("sleep_quality")
  static let readinessScore = named("readiness_score")
  /// All energy of a day, in kilocalories.
  static let totalEnergy = named("total_energy")
  static let bodyFatPercentage = named("body_fat_percentage")
  static let bodyMassIndex = named("body_mass_index")
  static let heartRate = named("heart_rate")
  /// Glucose in blood or tissue, in milligrams per decilitre.
  static let bloodGlucose = named("blood_glucose")
  /// Minutes of exertion, those of high exertion counted twice.
  static let activeZoneMinutes = named("active_zone_minutes")
  /// Water drunk, in millilitres.
  static let water = named("water_ml")
  /// Caffeine, in milligrams.
  static let caffeine = named("caffeine_mg")
  static let oxygenSaturation = named("oxygen_saturation")
}
