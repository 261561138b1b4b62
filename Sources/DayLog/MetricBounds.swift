extension Metric {
  /// The values that it can have at all, in its own unit; nil where nobody knows, as of a person's own rating.
  ///
  /// They are wide: what lies outside is a slip of the hand or of a unit, not a rare day.
  public var possible: ClosedRange<Double>? {
    if let bounds = Self.bounds[name] { return bounds }
    if isSymptom { return 0...100 }
    if name.hasSuffix("_hours") { return 0...24 }
    if name.hasSuffix("_minutes") { return 0...1440 }
    if name.hasSuffix("_score") || name.hasSuffix("_percentage") { return 0...100 }
    return nil
  }

  private static let bounds: [String: ClosedRange<Double>] = [
    "hrv": 1...500, "hrv_rmssd": 1...500, "resting_heart_rate": 20...220, "heart_rate": 20...260,
    "walking_heart_rate": 20...260, "respiratory_rate": 3...80, "steps": 0...200_000,
    "active_energy": 0...20_000, "basal_energy": 0...20_000, "total_energy": 0...30_000,
    "body_mass": 1...700, "body_mass_index": 3...200, "distance_km": 0...1000,
    "flights_climbed": 0...5000, "oxygen_saturation": 1...100, "sleep_efficiency": 0...100,
    "blood_pressure_systolic": 30...350, "blood_pressure_diastolic": 10...250, "vo2_max": 3...120,
    "wrist_temperature": 20...45, "temperature_deviation": -15...15,
  ]

  /// The metrics that have a name of this program's own.
  package static let known: [Metric] =
    ([
      .hrv, .hrvRMSSD, .restingHeartRate, .steps, .sleepHours, .activeEnergy, .exerciseMinutes,
      .bodyMass, .respiratoryRate, .mood, .energy,
    ] + bounds.keys.compactMap { Metric($0) }).reduce(into: []) { known, metric in
      if !known.contains(metric) { known.append(metric) }
    }.sorted()

  /// The metric that people often mean by another word.
  package static func meant(by word: some StringProtocol) -> Metric? {
    words[String(word)].flatMap { Metric($0) }
  }

  private static let words = [
    "weight": "body_mass", "mass": "body_mass", "bodyweight": "body_mass",
    "body_weight": "body_mass",
    "sleep": "sleep_hours", "slept": "sleep_hours", "hours_slept": "sleep_hours",
    "sleep_duration": "sleep_hours", "rhr": "resting_heart_rate",
    "pulse": "resting_heart_rate", "resting_hr": "resting_heart_rate",
    "resting_pulse": "resting_heart_rate", "hr": "heart_rate", "step": "steps",
    "step_count": "steps", "calories": "active_energy", "kcal": "active_energy",
    "exercise": "exercise_minutes", "workout": "exercise_minutes", "rmssd": "hrv_rmssd",
    "sdnn": "hrv", "bmi": "body_mass_index", "bodyfat": "body_fat_percentage",
    "body_fat": "body_fat_percentage", "spo2": "oxygen_saturation",
    "breathing_rate": "respiratory_rate",
  ]
}
