import DayLog
import HealthImport
import TestSupport
import Testing
import Time

@Suite(.enabled(if: SharedData.isPresent, .init(rawValue: SharedData.whyAbsent)))
struct `Apple Health exports of several generations` {
  @Test func `of iOS 9 gives its steps and the phone's own energy`() throws {
    let batch = try importFile(SharedData.path("apple/ios9-2016-gb/export.xml"))
    #expect(batch.value("steps", "2014-09-13") == 2517)
    #expect(batch.value("active_energy", "2016-04-14") == 700.698)
    #expect(batch.value("exercise_minutes", "2016-04-15") == 6)
    #expect(abs((batch.value("distance_km", "2014-09-20") ?? 0) - 0.01943) < 1e-12)
  }

  @Test func `IMP_3: inside a zip is found by its content`() throws {
    let plain = try importFile(
      SharedData.path("apple/multi-source-2026/apple_health_export/export.xml"))
    let packed = try importFile(SharedData.path("apple/multi-source-2026/export.zip"))
    #expect(packed.format == "apple-health")
    #expect(packed.entries == plain.entries)
    #expect(
      packed.summary.skipped.filter { $0.kind == "member" }.count == 3)
    let clinical = fault {
      try importFile(
        SharedData.path("apple/multi-source-2026/apple_health_export/export_cda.xml"))
    }
    #expect(clinical?.description.contains("clinical document") == true)
  }

  @Test func `of two sleep sources gives the union of their spans`() throws {
    let batch = try importFile(SharedData.path("apple/multi-source-2026/export.zip"))
    #expect(batch.value("sleep_hours", "2026-01-11") == 7)
    #expect(batch.value("sleep_hours", "2026-03-21") == 8)
    #expect(batch.value("body_fat_percentage", "2026-01-04") == 18)
    #expect(batch.value("hrv", "2026-01-21") == 44)
    #expect(batch.value("vo2_max", "2026-01-18") == 48)
  }

  @Test func `of the Netherlands gives a night its own zone`() throws {
    let path = SharedData.path("apple/ios17-stages-nl/export.xml")
    let zoned = try importFile(path) { $0.zoneNamed = { _ in Zone.centralEurope } }
    #expect(abs((zoned.value("sleep_hours", "2024-01-01") ?? 0) - 750.0 / 3600) < 1e-12)
    #expect(zoned.value("active_energy", "2024-01-01") == 0.12)
  }

  @Test func `with odd values gives the others`() throws {
    let batch = try importFile(SharedData.path("apple/watchos2-2015-odd-values/export.xml"))
    #expect(batch.value("body_fat_percentage", "2015-08-20") == 24.46)
    #expect(batch.value("body_mass", "2015-06-12") == 185.572 * 0.453_592_37)
    #expect(batch.value("heart_rate", "2015-09-25") == (81 + 77 + 69 + 88 + 83) / 5.0)
    #expect(batch.summary.skipped.map(\.name) == ["TextValueRecord", "NoValueRecord"])
  }

  @Test func `with a state of mind and a correlation counts each once`() throws {
    let batch = try importFile(SharedData.path("apple/state-of-mind-2024/export.xml"))
    #expect(batch.value("mood_valence", "2024-06-15") == 0.25)
    #expect(batch.value("steps", "2024-06-15") == 100)
    #expect(batch.value("blood_pressure_systolic", "2024-06-15") == 118)
    #expect(batch.value("active_energy", "2024-06-15") == 450)
    #expect(batch.summary.duplicates == 2)
  }

  @Test func `of 2019 gives its summaries and no day to a body mass index of 2016's zone`() throws {
    let batch = try importFile(SharedData.path("apple/watch-2019-us/export.zip"))
    #expect(batch.value("body_mass_index", "2016-04-18") == 22.5312)
    #expect(batch.value("active_energy", "2016-11-15") == 590.252)
    #expect(batch.value("heart_rate", "2018-09-10") == 72)
  }

  @Test func `of a ring over a clock change gives the ring's days`() throws {
    let path = SharedData.path("apple/derived-ring-2022-spring/export.zip")
    let batch = try importFile(path) {
      $0.zone = Zone.centralEurope
      $0.zoneNamed = { _ in Zone.centralEurope }
    }
    let rows = try PlainTable(SharedData.path("series/person-a/daily.csv")).rows
    let sleep = batch.values("sleep_hours")
    var compared = 0
    var difference = 0.0
    for row in rows {
      let day = row["date"] ?? ""
      guard day >= "2022-03-02", day <= "2022-04-29" else { continue }
      guard let own = Double(row["sleep_h"] ?? ""), let read = sleep[day] else { continue }
      compared += 1
      difference += read - own
    }
    #expect(compared > 50)
    // Stages rounded to five minutes lie 0.3 h above the ring's own figure, as the data's notes say.
    #expect(abs(difference / Double(compared) - 0.3) < 0.15)
    let steps = batch.values("steps")
    var ratio = (read: 0.0, own: 0.0)
    for row in rows {
      let day = row["date"] ?? ""
      guard day >= "2022-03-02", day <= "2022-04-29", let read = steps[day],
        let own = Double(row["steps"] ?? "")
      else { continue }
      ratio.read += read
      ratio.own += own
    }
    // Adding all sources up would give 1.69.
    #expect(abs(ratio.read / ratio.own - 1) < 0.1)
  }

  @Test func `that is known is not read again`() throws {
    let path = SharedData.path("apple/derived-ring-2022-spring/export.zip")
    let hash = try importFile(path).hash
    let again = try Importer.read(path: path, options: ImportOptions(now: now), known: [hash])
    #expect(again == .known(hash))
  }
}
