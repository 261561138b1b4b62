import DayLog
import FoundationEssentials
import HealthImport
import TestSupport
import Testing
import Time

private enum Cases {
  static let folder = SharedData.checkout.deletingLastPathComponent()
    .appending(path: "shared/cases/import")
  static let arePresent = FileManager.default.fileExists(atPath: folder.path)

  static func read(_ name: String, _ change: (inout ImportOptions) -> Void = { _ in }) throws
    -> ImportBatch
  {
    try importFile(folder.appending(path: name).path) { options in
      options.zone = Zone.centralEurope
      change(&options)
    }
  }
}

/// Files that were once read wrong.
@Suite(
  .enabled(
    if: Cases.arePresent, "the folder ../shared/cases with wrong inputs is not beside this checkout"
  ))
struct `Files that were read wrong` {
  @Test func `02: a long table has a metric for each name`() throws {
    let batch = try Cases.read("02-long-table.csv")
    #expect(batch.values("steps") == ["2026-01-05": 8123, "2026-01-06": 10450])
    #expect(batch.values("mood") == ["2026-01-05": 7, "2026-01-06": 6])
    #expect(batch.values("body_mass") == ["2026-01-05": 72.4, "2026-01-06": 72.1])
  }

  @Test func `03: a point groups the digits of whole numbers between semicolons`() throws {
    let batch = try Cases.read("03-thousands-semicolon.csv")
    #expect(batch.values("steps") == ["2026-01-05": 8123, "2026-01-06": 10450])
  }

  @Test func `04: midnight throughout holds days, which no day start moves`() throws {
    let batch = try Cases.read("04-midnight-dates.csv") { $0.dayStart = 14_400 }
    #expect(batch.values("steps") == ["2026-07-11": 10448, "2026-07-12": 7499])
    #expect(batch.values("active_energy") == ["2026-07-11": 779.45, "2026-07-12": 625.32])
  }

  @Test func `05: parts of a day add up, ratings have a mean`() throws {
    #expect(try Cases.read("05-parts-steps.csv").values("steps") == ["2026-10-01": 800])
    let water = try Cases.read("05-parts-water.csv")
    #expect(water.values("water_ml") == ["2026-01-05": 1000, "2026-01-06": 300])
    #expect(water.values("mood") == ["2026-01-05": 6, "2026-01-06": 7])
  }

  @Test func `06: sleeps that overlap are their union`() throws {
    #expect(try Cases.read("06-overlap-fitbit.json").values("sleep_hours") == ["2026-01-05": 7.5])
    #expect(try Cases.read("06-overlap-saa.csv").values("sleep_hours") == ["2025-12-03": 8])
  }

  @Test func `07: a time in UTC is an instant`() throws {
    let batch = try Cases.read("07-utc-z.csv") {
      $0.zone = nil
      $0.localZone = Zone(name: "Asia/Tokyo", utcOffset: 9 * 3600)
    }
    #expect(batch.values("mood") == ["2026-01-06": 6])
    #expect(batch.summary.remarks.contains { $0.contains("--zone") })
  }

  @Test func `09: a diary's scales are read`() throws {
    let batch = try Cases.read("09-daylio-scales.csv")
    #expect(batch.values("mood") == ["2026-04-12": 4])
    #expect(batch.values("sleep_quality") == ["2026-04-12": 8])
    #expect(batch.values("sleep_hours") == ["2026-04-12": 8])
  }

  @Test func `10: date and time in two columns are one instant`() throws {
    #expect(
      try Cases.read("10-date-and-time-columns.csv").values("mood") == ["2026-01-06": 5.5])
    #expect(
      try Cases.read("10-date-and-time-columns.csv") { $0.dayStart = 14_400 }.values("mood")
        == ["2026-01-05": 3, "2026-01-06": 8])
  }

  @Test func `12: commas at the end of rows say nothing`() throws {
    #expect(
      try Cases.read("12-trailing-comma.csv").values("mood")
        == ["2026-01-05": 7, "2026-01-06": 6])
  }

  @Test func `13: durations, percent, grouped digits and words are numbers`() throws {
    let durations = try Cases.read("13-durations.csv")
    #expect(abs((durations.value("sleep_hours", "2026-01-05") ?? 0) - 452.0 / 60) < 1e-12)
    #expect(durations.values("exercise_minutes") == ["2026-01-05": 45, "2026-01-06": 70])
    #expect(abs((durations.value("screen_time", "2026-01-05") ?? 0) - 125.0 / 60) < 1e-12)
    #expect(durations.value("screen_time", "2026-01-06") == 3)
    let percent = try Cases.read("13-percent.csv")
    #expect(percent.value("body_fat_percentage", "2026-01-05") == 22.5)
    #expect(percent.value("sleep_efficiency", "2026-01-05") == 92)
    #expect(percent.value("oxygen_saturation", "2026-01-05") == 97)
    #expect(
      try Cases.read("13-thousands-some-rows.csv").values("steps")
        == ["2026-01-05": 950, "2026-01-06": 10450, "2026-01-07": 800])
    let words = try Cases.read("13-yes-no.csv")
    #expect(words.value("headache", "2026-01-05") == 1)
    #expect(words.value("headache", "2026-01-06") == 0)
    #expect(words.values("alcohol") == ["2026-01-05": 1, "2026-01-07": 1])
    #expect(
      try Cases.read("13-yes-no.csv") { $0.blanks = ["Alcohol": 0] }.values("alcohol").count == 4)
  }

  @Test func `14: two units are one metric, and two names stay two`() throws {
    let mass = try Cases.read("14-lb-and-kg.csv")
    #expect(mass.values("body_mass") == ["2026-01-05": 80, "2026-01-06": 79])
    let names = try Cases.read("14-umlauts.csv")
    #expect(names.values("groesse") == ["2026-01-05": 1, "2026-01-06": 3])
    #expect(names.values("gruesse") == ["2026-01-05": 2, "2026-01-06": 4])
  }

  @Test func `15: a decimal comma is the phone's language`() throws {
    #expect(
      try Cases.read("15-saa-decimal-comma.csv").values("sleep_hours")
        == ["2019-12-03": 8, "2019-12-27": 8])
  }

  @Test func `16: a spreadsheet is named`() throws {
    guard
      case .unsupported(let what, let needed)? = fault({ try Cases.read("16-spreadsheet.xlsx") })?
        .reason
    else {
      Issue.record("a spreadsheet is refused by name")
      return
    }
    #expect(what.contains("spreadsheet") && needed.contains("CSV"))
  }

  @Test func `18: an identifier is no metric and is named`() throws {
    let batch = try Cases.read("18-id-column.csv")
    #expect(!batch.entries.contains { $0.key.metric.name.contains("id") })
    #expect(batch.summary.skipped.contains { $0.name == "sleep_log_entry_id" })
    #expect(batch.entries.count == 1)
  }
}
