internal import DayLog

/// The table of the app Sleep Cycle, older and newer.
enum SleepCycleTables {
  private static let shared: [String: VendorTable.Field] = [
    "sleep_quality": .init(.sleepQuality, isPositive: true),
    "heart_rate": .init(.heartRate), "heart_rate_bpm": .init(.heartRate),
    "regularity": .init(.named("sleep_regularity"), isPositive: true),
  ]

  static let all: [VendorTable] = [
    VendorTable(
      titles: ["start", "end", "time_asleep_seconds"], when: .night("start", "end"),
      columns: shared.merging(
        [
          "time_asleep_seconds": .init(.sleepHours, in: .second),
          "time_in_bed_seconds": .init(.named("time_in_bed_hours"), in: .second),
        ], uniquingKeysWith: { first, _ in first })),
    VendorTable(
      titles: ["start", "end", "sleep_quality", "time_in_bed"], when: .night("start", "end"),
      columns: shared.merging(
        ["time_in_bed": .init(.named("time_in_bed_hours"))],
        uniquingKeysWith: { first, _ in first }),
      remark: "this app's older exports know the time in bed and not the time asleep"),
  ]
}
