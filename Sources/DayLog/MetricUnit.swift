extension Metric {
  /// The unit in which its values stand in a log; nil for ratings, scores and indices, and for a metric
  /// that only its person knows.
  public var unit: String? {
    switch self {
    case .hrv, .hrvRMSSD: return "ms"
    case .restingHeartRate, .respiratoryRate: return "1/min"
    case .steps: return "count"
    case .activeEnergy: return "kcal"
    case .bodyMass: return "kg"
    default: break
    }
    // What importers name by a rule: the unit ends the name.
    if name.hasSuffix("_hours") { return "h" }
    if name.hasSuffix("_minutes") { return "min" }
    return Self.importedUnits[name]
  }

  private static let importedUnits = [
    "basal_energy": "kcal", "total_energy": "kcal", "distance_km": "km",
    "flights_climbed": "count", "heart_rate": "1/min", "walking_heart_rate": "1/min",
    "body_fat_percentage": "%", "oxygen_saturation": "%", "sleep_efficiency": "%",
    "blood_pressure_systolic": "mmHg", "blood_pressure_diastolic": "mmHg",
    "wrist_temperature": "°C", "temperature_deviation": "°C", "body_mass_index": "kg/m²",
    "vo2_max": "mL/(kg·min)",
  ]
}
