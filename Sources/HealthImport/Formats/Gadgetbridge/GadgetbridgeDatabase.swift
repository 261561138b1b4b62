internal import DayLog

/// The database of the app Gadgetbridge: a table of samples a minute for each kind of device, and tables of its other
/// measurements. Sleep is left out: each kind of device writes it in a code of its own.
enum GadgetbridgeDatabase {
  static let reader = DatabaseReader(
    format: "gadgetbridge", marks: ["_ACTIVITY_SAMPLE", "DEVICE_ATTRIBUTES"]
  ) { file, tables throws(ImportError) in
    var records: [DatabaseTable] = []
    for table in tables.sorted() {
      records += try Self.records(table, file)
    }
    return records
  }

  private static func records(
    _ table: String, _ file: SQLiteFile
  ) throws(ImportError) -> [DatabaseTable] {
    // Only names of the app's own kind go into a query.
    guard table.utf8.allSatisfy({ (65...90).contains($0) || (48...57).contains($0) || $0 == 95 })
    else { return [] }
    var columns: Set<String> = []
    try file.rows("SELECT name FROM pragma_table_info('\(table)')", columns: 1) { row in
      if case .text(let name)? = row.first { columns.insert(name.uppercased()) }
    }
    guard columns.contains("TIMESTAMP") else { return [] }
    func record(
      _ column: String, _ metric: Metric, where condition: String, length: Int = 0,
      perSecond: Double
    ) -> DatabaseTable? {
      guard columns.contains(column) else { return nil }
      let device = columns.contains("DEVICE_ID") ? "DEVICE_ID" : "''"
      return DatabaseTable(
        tables: [table],
        query: """
          SELECT TIMESTAMP, TIMESTAMP + \(length), NULL, \(device), \(column) FROM \(table)
          WHERE \(condition)
          """, metric: metric, perSecond: perSecond)
    }
    let found: [DatabaseTable?]
    if table.hasSuffix("_ACTIVITY_SAMPLE") {
      found = [
        record("STEPS", .steps, where: "STEPS > 0", length: 60, perSecond: 1),
        record(
          "HEART_RATE", .heartRate, where: "HEART_RATE > 20 AND HEART_RATE < 250", perSecond: 1),
      ]
    } else if table.hasSuffix("HEART_RATE_RESTING_SAMPLE") {
      found = [
        record("HEART_RATE", .restingHeartRate, where: "HEART_RATE > 20", perSecond: 1000)
      ]
    } else if table.hasSuffix("_SPO2_SAMPLE") {
      found = [record("SPO2", .oxygenSaturation, where: "SPO2 > 30", perSecond: 1000)]
    } else if table.hasSuffix("_STRESS_SAMPLE") {
      found = [
        record(
          "STRESS", .named("stress_level"), where: "STRESS > 0 AND STRESS <= 100", perSecond: 1000)
      ]
    } else if table.hasSuffix("HRV_VALUE_SAMPLE") {
      found = [record("VALUE", .hrvRMSSD, where: "VALUE > 0", perSecond: 1000)]
    } else {
      found = []
    }
    return found.compactMap(\.self)
  }
}
