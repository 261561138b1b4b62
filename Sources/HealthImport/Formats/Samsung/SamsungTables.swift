internal import DayLog

/// The tables of a Samsung Health export: a line of the kind's name, titles, and rows that end in a comma. Times are
/// UTC beside their offset; daily totals carry their day as midnight UTC.
enum SamsungTables {
  static let all: [VendorTable] = [
    // The trend has a row a device and one (-2) of all of them together.
    VendorTable(
      titles: ["day_time", "source_type", "count"],
      fileNames: ["step_daily_trend"], when: .day("day_time"),
      columns: [
        "count": .init(.steps), "distance": .init(.named("distance_km"), in: .metre),
        "calorie": .init(.activeEnergy),
      ], filter: ("source_type", ["-2"])),
    VendorTable(
      titles: ["day_time", "step_count", "walk_step_count"], when: .day("day_time"),
      columns: [
        "step_count": .init(.steps), "distance": .init(.named("distance_km"), in: .metre),
        "calorie": .init(.activeEnergy),
      ]),
    VendorTable(
      titles: [
        "com.samsung.health.step_count.start_time", "com.samsung.health.step_count.count",
      ],
      when: .span(
        "com.samsung.health.step_count.start_time", "com.samsung.health.step_count.end_time",
        offset: "com.samsung.health.step_count.time_offset", isUTC: true),
      columns: ["com.samsung.health.step_count.count": .init(.steps)],
      identity: "com.samsung.health.step_count.datauuid",
      device: "com.samsung.health.step_count.deviceuuid"),
    night(
      "com.samsung.health.sleep.",
      [
        "sleep_duration": .init(.sleepHours, in: .minute), "sleep_score": .init(.sleepScore),
        "efficiency": .init(.sleepEfficiency),
        "total_light_duration": .init(.sleepLightHours, in: .minute),
        "total_rem_duration": .init(.sleepREMHours, in: .minute),
      ]),
    moment("com.samsung.health.heart_rate.", ["heart_rate": .init(.heartRate)]),
    moment("com.samsung.health.oxygen_saturation.", ["spo2": .init(.oxygenSaturation)]),
    moment("com.samsung.health.weight.", weight),
    moment("", weight, fileNames: ["samsung.health.weight"]),
    moment("", ["score": .init(.named("stress_score"))], fileNames: ["shealth.stress"]),
    moment("", ["amount": .init(.water)], fileNames: ["water_intake"]),
    moment("", ["amount": .init(.caffeine)], fileNames: ["caffeine_intake"]),
    moment("com.samsung.health.blood_pressure.", pressure),
    moment("", pressure, fileNames: ["blood_pressure"]),
    moment(
      "com.samsung.health.blood_glucose.", ["glucose": .init(.bloodGlucose, in: .millimolePerLitre)]
    ),
    moment(
      "", ["glucose": .init(.bloodGlucose, in: .millimolePerLitre)], fileNames: ["blood_glucose"]),
    VendorTable(
      titles: ["com.samsung.health.exercise.start_time", "com.samsung.health.exercise.duration"],
      when: .span(
        "com.samsung.health.exercise.start_time", "com.samsung.health.exercise.end_time",
        offset: "com.samsung.health.exercise.time_offset", isUTC: true),
      columns: ["com.samsung.health.exercise.duration": .init(.exerciseMinutes, in: .millisecond)],
      identity: "com.samsung.health.exercise.datauuid"),
  ]

  private static let weight: [String: VendorTable.Field] = [
    "weight": .init(.bodyMass), "body_fat": .init(.bodyFatPercentage),
  ]

  private static let pressure: [String: VendorTable.Field] = [
    "systolic": .init(.named("blood_pressure_systolic")),
    "diastolic": .init(.named("blood_pressure_diastolic")),
    "pulse": .init(.heartRate),
  ]

  private static func moment(
    _ prefix: String, _ fields: [String: VendorTable.Field], fileNames: [String] = []
  ) -> VendorTable {
    let main = fields["weight"] != nil ? "weight" : fields.keys.max() ?? ""
    return VendorTable(
      titles: [prefix + "start_time", prefix + main], fileNames: fileNames,
      when: .moment(prefix + "start_time", offset: prefix + "time_offset", isUTC: true),
      columns: Dictionary(uniqueKeysWithValues: fields.map { (prefix + $0, $1) }),
      identity: prefix + "datauuid")
  }

  private static func night(
    _ prefix: String, _ fields: [String: VendorTable.Field]
  ) -> VendorTable {
    VendorTable(
      titles: [prefix + "start_time", prefix + "end_time", "sleep_duration"],
      when: .night(
        prefix + "start_time", prefix + "end_time", offset: prefix + "time_offset", isUTC: true),
      columns: fields, identity: prefix + "datauuid")
  }
}
