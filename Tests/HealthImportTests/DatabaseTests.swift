import CSQLite
import Foundation
import HealthImport
import Testing
import Time

/// A made-up database of the structure that an app's has, as a file's bytes.
private func database(_ sql: String) throws -> ContiguousArray<UInt8> {
  let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).db")
  var handle: OpaquePointer?
  try #require(unsafe sqlite3_open(file.path, &handle) == SQLITE_OK)
  let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
  unsafe sqlite3_close(handle)
  try #require(code == SQLITE_OK)
  defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
  return ContiguousArray(try Data(contentsOf: file))
}

@Suite struct `Databases that apps export` {
  // 2026-01-05 08:00 UTC.
  private let moment = 1_767_600_000_000

  @Test func `of Health Connect count each moment of steps once, and a night by its stages`() throws
  {
    let batch = try importBytes(
      try database(
        """
        CREATE TABLE steps_record_table (row_id INTEGER, app_info_id INTEGER, start_time INTEGER,
          start_zone_offset INTEGER, end_time INTEGER, count INTEGER);
        INSERT INTO steps_record_table VALUES (1, 1, \(moment), 3600, \(moment + 600_000), 500),
          (2, 1, \(moment + 3_600_000), 3600, \(moment + 3_660_000), 300),
          (3, 2, \(moment), 3600, \(moment + 600_000), 480);
        CREATE TABLE sleep_session_record_table (row_id INTEGER, app_info_id INTEGER,
          start_time INTEGER, end_time INTEGER, end_zone_offset INTEGER);
        INSERT INTO sleep_session_record_table VALUES
          (1, 1, \(moment - 36_000_000), \(moment - 7_200_000), 3600);
        CREATE TABLE sleep_stages_table (parent_key INTEGER, stage_start_time INTEGER,
          stage_end_time INTEGER, stage_type INTEGER);
        INSERT INTO sleep_stages_table VALUES
          (1, \(moment - 36_000_000), \(moment - 25_200_000), 4),
          (1, \(moment - 25_200_000), \(moment - 10_800_000), 5),
          (1, \(moment - 10_800_000), \(moment - 7_200_000), 1);
        CREATE TABLE weight_record_table (row_id INTEGER, app_info_id INTEGER, time INTEGER,
          zone_offset INTEGER, weight REAL);
        INSERT INTO weight_record_table VALUES (1, 1, \(moment), 3600, 72400);
        """))
    #expect(batch.format == "health-connect")
    #expect(batch.values("steps") == ["2026-01-05": 800])
    #expect(batch.values("sleep_hours") == ["2026-01-05": 7])
    #expect(batch.values("sleep_deep_hours") == ["2026-01-05": 4])
    #expect(batch.values("body_mass") == ["2026-01-05": 72.4])
  }

  @Test func `of Gadgetbridge have steps by the minute and no rate that was not measured`() throws {
    let start = moment / 1000
    let batch = try importBytes(
      try database(
        """
        CREATE TABLE DEVICE_ATTRIBUTES (_id INTEGER);
        CREATE TABLE MI_BAND_ACTIVITY_SAMPLE (TIMESTAMP INTEGER, DEVICE_ID INTEGER, STEPS INTEGER,
          RAW_KIND INTEGER, HEART_RATE INTEGER);
        INSERT INTO MI_BAND_ACTIVITY_SAMPLE VALUES (\(start), 1, 20, 1, 60),
          (\(start + 60), 1, 30, 1, 62), (\(start + 120), 1, 0, 1, 255);
        """)
    ) { $0.zone = Zone.utc }
    #expect(batch.format == "gadgetbridge")
    #expect(batch.values("steps") == ["2026-01-05": 50])
    #expect(batch.values("heart_rate") == ["2026-01-05": 61])
    #expect(batch.summary.skipped.map(\.name) == ["DEVICE_ATTRIBUTES"])
  }

  @Test func `of Loop have every habit, whatever its script`() throws {
    let day = 1_767_571_200_000
    let batch = try importBytes(
      try database(
        """
        CREATE TABLE Habits (id INTEGER, name TEXT, type INTEGER);
        CREATE TABLE Repetitions (habit INTEGER, timestamp INTEGER, value INTEGER);
        INSERT INTO Habits VALUES (1, 'Meditate', 0), (2, '阅读', 1);
        INSERT INTO Repetitions VALUES (1, \(day), 2), (1, \(day + 86_400_000), 0), (2, \(day), 12000);
        """))
    #expect(batch.format == "loop")
    #expect(batch.values("meditate") == ["2026-01-05": 1, "2026-01-06": 0])
    #expect(batch.values("u9605_u8bfb") == ["2026-01-05": 12])
  }

  @Test func `that are damaged are refused`() throws {
    var bytes = try database(
      "CREATE TABLE steps_record_table (a INTEGER); INSERT INTO steps_record_table VALUES (1);")
    #expect(fault { try importBytes(bytes) }?.description.contains("columns") == true)
    bytes.removeLast(bytes.count / 2)
    #expect(fault { try importBytes(bytes) } != nil)
  }
}

@Suite struct `A file that is packed by itself` {
  @Test func `is read by the name that it has without its ending`() throws {
    // "date,value\n2026-01-05,6\n"
    let packed: [UInt8] = [
      31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 75, 73, 44, 73, 213, 41, 75, 204, 41, 77, 229, 50, 50, 48,
      50, 211, 53, 48, 212, 53, 48, 213, 49, 227, 2, 0, 237, 118, 233, 8, 24, 0, 0, 0,
    ]
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
    let file = folder.appending(path: "mood.csv.gz")
    try Data(packed).write(to: file)
    #expect(try importFile(file.path).values("mood") == ["2026-01-05": 6])
    try Data(packed.dropLast(12)).write(to: file)
    #expect(fault { try importFile(file.path) } != nil)
  }
}
