internal import DayLog

/// The table of the app AutoSleep: one row a night, with the day on which it ends.
enum AutoSleepTables {
  static let all: [VendorTable] = [
    VendorTable(
      titles: ["iso8601", "fromdate", "todate", "asleep"], when: .moment("iso8601"),
      columns: [
        "asleep": .init(.sleepHours), "deep": .init(.sleepDeepHours),
        "efficiency": .init(.sleepEfficiency), "inbed": .init(.named("time_in_bed_hours")),
        "sleepbpm": .init(.named("sleeping_heart_rate"), isPositive: true),
        "wakingbpm": .init(.named("waking_heart_rate"), isPositive: true),
        "hrv": .init(.hrv), "spo2avg": .init(.oxygenSaturation),
        "respavg": .init(.respiratoryRate),
      ])
  ]
}
