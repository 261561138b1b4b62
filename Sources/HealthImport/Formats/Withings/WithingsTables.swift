internal import DayLog

/// The tables of a Withings account export.
enum WithingsTables {
  static let all: [VendorTable] = [
    VendorTable(
      titles: ["date", "weight_kg", "fat_mass_kg"], when: .moment("date"),
      columns: [
        "weight_kg": .init(.bodyMass), "fat_mass_kg": .init(.named("fat_mass_kg"), fold: .last),
      ]),
    VendorTable(
      titles: ["date", "weight_lb", "fat_mass_lb"], when: .moment("date"),
      columns: ["weight_lb": .init(.bodyMass, in: .pound)]),
    VendorTable(
      titles: ["date", "heart_rate", "systolic", "diastolic"], when: .moment("date"),
      columns: [
        "heart_rate": .init(.heartRate), "systolic": .init(.named("blood_pressure_systolic")),
        "diastolic": .init(.named("blood_pressure_diastolic")),
      ]),
    VendorTable(
      titles: ["from", "to", "light_s", "deep_s", "rem_s"], when: .night("from", "to"),
      columns: [
        "deep_s": .init(.sleepDeepHours, in: .second),
        "light_s": .init(.sleepLightHours, in: .second),
        "rem_s": .init(.sleepREMHours, in: .second),
        "average_heart_rate": .init(.named("sleeping_heart_rate"), isPositive: true),
      ], totals: (.sleepHours, .second, ["light_s", "deep_s", "rem_s"])),
    VendorTable(
      titles: ["date", "value"], fileNames: ["aggregates_steps"], when: .day("date"),
      columns: ["value": .init(.steps)]),
    VendorTable(
      titles: ["date", "value"], fileNames: ["aggregates_distance"], when: .day("date"),
      columns: ["value": .init(.named("distance_km"), in: .metre)]),
    VendorTable(
      titles: ["date", "value"], fileNames: ["aggregates_calories_earned"], when: .day("date"),
      columns: ["value": .init(.activeEnergy)]),
  ]
}
