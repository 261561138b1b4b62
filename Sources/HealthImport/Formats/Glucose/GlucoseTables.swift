internal import DayLog

/// Glucose of sensors, in either unit: Dexcom Clarity and LibreView. A day has the mean, and the share of readings
/// from 70 to 180 mg/dL.
enum GlucoseTables {
  private static let inRange = 70.0...180.0

  private static func field(_ unit: Unit) -> VendorTable.Field { .init(.bloodGlucose, in: unit) }

  static let dexcom: [VendorTable] = [
    ("glucose_value_mg_dl", Unit.milligramPerDecilitre),
    ("glucose_value_mmol_l", .millimolePerLitre),
  ].map { title, unit in
    VendorTable(
      titles: ["event_type", title], when: .moment("timestamp_yyyy_mm_ddthh_mm_ss"),
      columns: [title: field(unit)], filter: ("event_type", ["egv"]),
      share: (.named("time_in_range"), title, inRange))
  }

  static let libre: [VendorTable] = [
    ("mg_dl", Unit.milligramPerDecilitre), ("mmol_l", .millimolePerLitre),
  ].map { suffix, unit in
    VendorTable(
      titles: ["device_timestamp", "record_type", "historic_glucose_" + suffix],
      when: .moment("device_timestamp"),
      columns: ["historic_glucose_" + suffix: field(unit)], filter: ("record_type", ["0"]),
      share: (.named("time_in_range"), "historic_glucose_" + suffix, inRange))
  }
}
