internal import DayLog

/// A type of health record that becomes a metric.
struct HealthType: Sendable {
  let metric: Metric
  let kind: Kind
  let units: Units
  /// What a value of one record can be, in the metric's unit.
  let range: ClosedRange<Double>

  enum Kind: Sendable {
    /// Adds up over a day; sources that overlap in time count once.
    case count
    /// A day's value is the mean of its samples.
    case measurement
    /// Spans of sleep.
    case sleep
    /// Spans whose length counts, in minutes.
    case duration
    /// A rating that stands in the record's metadata.
    case stateOfMind
    /// A word for how severe something was; the severest of a day counts.
    case severity
  }

  /// How the values of a day become one, where they are neither counts nor sleep.
  var fold: Fold {
    switch kind {
    case .duration: .sum
    case .severity: .max
    case .measurement where MetricRule.rule(for: metric)?.fold == .last: .last
    default: .mean
    }
  }

  enum Units: Sendable {
    case count, rate, milliseconds, energy, mass, minutes, percent, distance, none, pressure
    case temperature, oxygenUptake, volume, milligrams, glucose

    /// The factor to the metric's unit; nil for a unit that is not known.
    func scale(_ unit: String) -> Double? {
      let table: [String: Double] =
        switch self {
        case .count: ["count": 1, "": 1]
        case .rate: ["count/min": 1, "count/s": 60, "bpm": 1]
        case .milliseconds: ["ms": 1, "s": 1000]
        case .energy: ["kcal": 1, "Cal": 1, "cal": 0.001, "kJ": 1 / 4.184, "J": 1 / 4184]
        case .mass:
          [
            "kg": 1, "g": 0.001, "lb": 0.453_592_37, "oz": 0.028_349_523_125, "st": 6.350_293_18,
          ]
        case .minutes: ["min": 1, "s": 1.0 / 60, "hr": 60]
        case .percent: ["%": 1]
        case .distance:
          ["km": 1, "m": 0.001, "mi": 1.609_344, "ft": 0.000_304_8, "yd": 0.000_914_4]
        case .pressure: ["mmHg": 1, "kPa": 7.500_616_827]
        case .temperature: ["degC": 1]
        case .oxygenUptake: ["mL/min·kg": 1, "mL/kg·min": 1, "ml/(kg*min)": 1]
        case .volume:
          [
            "mL": 1, "L": 1000, "fl_oz_us": 29.573_529_562_5, "cup_us": 236.588_236_5,
            "fl_oz_imp": 28.413_062_5, "cup_imp": 284.130_625, "pt_us": 473.176_473,
          ]
        case .milligrams: ["mg": 1, "g": 1000, "mcg": 0.001]
        case .glucose:
          ["mg/dL": 1, "mmol<180.1558800000541>/L": 18.015_588, "mmol/L": 18.015_588]
        case .none: ["": 1]
        }
      return table[unit]
    }
  }

  /// Whether 0 was never measured.
  var isZeroMissing: Bool { MetricRule.isNeverZero(metric) }

  private static func metric(_ name: StaticString) -> Metric {
    guard let metric = Metric(name.description) else { preconditionFailure("a metric's name") }
    return metric
  }

  /// The types by the end of their identifier.
  static let all: [(name: String, type: HealthType)] = {
    var all: [(String, HealthType)] = []
    func add(
      _ name: String, _ metric: Metric, _ kind: Kind, _ units: Units, _ range: ClosedRange<Double>
    ) {
      all.append((name, HealthType(metric: metric, kind: kind, units: units, range: range)))
    }
    let quantity = "HKQuantityTypeIdentifier"
    add(quantity + "StepCount", .steps, .count, .count, 0...1_000_000)
    add(quantity + "ActiveEnergyBurned", .activeEnergy, .count, .energy, 0...100_000)
    add(quantity + "AppleExerciseTime", .exerciseMinutes, .count, .minutes, 0...1440)
    add(quantity + "BasalEnergyBurned", metric("basal_energy"), .count, .energy, 0...100_000)
    add(
      quantity + "DistanceWalkingRunning", metric("distance_km"), .count, .distance, 0...1000)
    add(quantity + "FlightsClimbed", metric("flights_climbed"), .count, .count, 0...10_000)
    add(quantity + "AppleStandTime", metric("stand_minutes"), .count, .minutes, 0...1440)
    add(quantity + "TimeInDaylight", metric("daylight_minutes"), .count, .minutes, 0...1440)
    add(quantity + "HeartRate", metric("heart_rate"), .measurement, .rate, 0...400)
    add(quantity + "RestingHeartRate", .restingHeartRate, .measurement, .rate, 0...400)
    add(
      quantity + "WalkingHeartRateAverage", metric("walking_heart_rate"), .measurement, .rate,
      0...400)
    add(quantity + "HeartRateVariabilitySDNN", .hrv, .measurement, .milliseconds, 0...2000)
    add(quantity + "HeartRateVariabilityRMSSD", .hrvRMSSD, .measurement, .milliseconds, 0...2000)
    add(quantity + "BodyMass", .bodyMass, .measurement, .mass, 0...1000)
    add(
      quantity + "BodyFatPercentage", metric("body_fat_percentage"), .measurement, .percent, 0...100
    )
    add(quantity + "BodyMassIndex", metric("body_mass_index"), .measurement, .count, 0...300)
    add(quantity + "RespiratoryRate", .respiratoryRate, .measurement, .rate, 0...200)
    add(quantity + "OxygenSaturation", metric("oxygen_saturation"), .measurement, .percent, 0...100)
    add(quantity + "VO2Max", metric("vo2_max"), .measurement, .oxygenUptake, 0...150)
    add(
      quantity + "BloodPressureSystolic", metric("blood_pressure_systolic"), .measurement,
      .pressure,
      0...400)
    add(
      quantity + "BloodPressureDiastolic", metric("blood_pressure_diastolic"), .measurement,
      .pressure, 0...400)
    add(
      quantity + "AppleSleepingWristTemperature", metric("wrist_temperature"), .measurement,
      .temperature, 0...60)
    add(quantity + "BloodGlucose", .bloodGlucose, .measurement, .glucose, 0...2000)
    add(quantity + "DietaryWater", .water, .count, .volume, 0...50_000)
    add(quantity + "DietaryCaffeine", .caffeine, .count, .milligrams, 0...20_000)
    let category = "HKCategoryTypeIdentifier"
    add(category + "SleepAnalysis", .sleepHours, .sleep, .none, 0...0)
    add(category + "MindfulSession", metric("mindful_minutes"), .duration, .none, 0...0)
    add(category + "StateOfMind", metric("mood_valence"), .stateOfMind, .none, -1...1)
    add(category + "MenstrualFlow", metric("menstrual_flow"), .severity, .none, 0...3)
    for (name, symptom) in HealthSeverity.symptoms {
      guard let metric = Metric("symptom." + symptom) else {
        preconditionFailure("a metric's name")
      }
      add(category + name, metric, .severity, .none, 0...3)
    }
    return all
  }()

  /// The index in ``all`` of an identifier; nil for a type that becomes no metric. Early exports leave
  /// the prefix out.
  static func index(_ identifier: String) -> Int? {
    indices[identifier] ?? indices["HKQuantityTypeIdentifier" + identifier]
  }

  private static let indices = Dictionary(
    uniqueKeysWithValues: all.enumerated().map { ($1.name, $0) })
}
