/// How severe a symptom was, or how strong a bleeding, as an export of health records writes it.
enum HealthSeverity: Equatable {
  case none, mild, moderate, severe
  /// It was there, and nobody said how severe.
  case unspecified

  /// 0 for none to 3 for severe. What was there without a severity is 1, the least that it can have been.
  var value: Double {
    switch self {
    case .none: 0
    case .mild, .unspecified: 1
    case .moderate: 2
    case .severe: 3
    }
  }

  /// The severity that a record's value names; nil for a value that is not known.
  ///
  /// Source: `HKCategoryValues.h` of Apple's HealthKit, whose symptoms have a severity, a presence, or a change of
  /// appetite. A value that is a bare number is one of a severity.
  init?(_ text: String) {
    guard let severity = Self.values[text.replacing("HKCategoryValue", with: "")] else {
      return nil
    }
    self = severity
  }

  private static let values: [String: HealthSeverity] = [
    "SeverityUnspecified": .unspecified, "SeverityNotPresent": .none, "SeverityMild": .mild,
    "SeverityModerate": .moderate, "SeveritySevere": .severe,
    "0": .unspecified, "1": .none, "2": .mild, "3": .moderate, "4": .severe,
    "PresencePresent": .unspecified, "PresenceNotPresent": .none,
    "AppetiteChangesUnspecified": .unspecified, "AppetiteChangesNoChange": .none,
    "AppetiteChangesDecreased": .unspecified, "AppetiteChangesIncreased": .unspecified,
    "MenstrualFlowUnspecified": .unspecified, "MenstrualFlowNone": .none,
    "MenstrualFlowLight": .mild, "MenstrualFlowMedium": .moderate, "MenstrualFlowHeavy": .severe,
    "VaginalBleedingUnspecified": .unspecified, "VaginalBleedingNone": .none,
    "VaginalBleedingLight": .mild, "VaginalBleedingMedium": .moderate,
    "VaginalBleedingHeavy": .severe,
  ]

  /// The symptoms that an iPhone knows, by the ends of their identifiers, with the names of their metrics.
  static let symptoms: [(type: String, name: String)] = [
    "AbdominalCramps", "Acne", "AppetiteChanges", "BladderIncontinence", "Bloating", "BreastPain",
    "ChestTightnessOrPain", "Chills", "Constipation", "Coughing", "Diarrhea", "Dizziness",
    "DrySkin", "Fainting", "Fatigue", "Fever", "GeneralizedBodyAche", "HairLoss", "Headache",
    "Heartburn", "HotFlashes", "LossOfSmell", "LossOfTaste", "LowerBackPain", "MemoryLapse",
    "MoodChanges", "Nausea", "NightSweats", "PelvicPain", "RapidPoundingOrFlutteringHeartbeat",
    "RunnyNose", "ShortnessOfBreath", "SinusCongestion", "SkippedHeartbeat", "SleepChanges",
    "SoreThroat", "VaginalDryness", "Vomiting", "Wheezing",
  ].map { type in
    var name = ""
    for letter in type {
      if letter.isUppercase, !name.isEmpty { name += "_" }
      name += letter.lowercased()
    }
    return (type, name)
  }
}
