import DayLog
import Diurnal
import DiurnalApple
import Foundation
import HealthImport
import HealthKit
import Storage
import Testing
import Time

@Suite(.timeLimit(.minutes(1))) struct `What HealthKit delivers` {
  private static let zone = Zone(name: "+02:00", utcOffset: 7200)

  private let phone: PhoneJournal
  private let health = HKHealthStore()
  private let refresh: HealthKitRefresh

  init() throws {
    phone = try PhoneJournal()
    refresh = HealthKitRefresh(
      phone.host, zone: Self.zone, now: { PhoneJournal.now }, health: health)
  }

  /// A moment by the clock on the wall of the zone.
  private static func at(_ text: String) -> Date {
    let instant = Timestamp(text.replacing(" ", with: "T") + "+02:00")!.instant
    return Date(timeIntervalSince1970: Double(instant.milliseconds) / 1000)
  }

  private static func steps(_ count: Double, _ start: String, _ end: String, by source: String)
    -> HKQuantitySample
  {
    HKQuantitySample(
      type: HKQuantityType(HKQuantityTypeIdentifier(rawValue: "HKQuantityTypeIdentifierStepCount")),
      quantity: HKQuantity(unit: .count(), doubleValue: count), start: at(start), end: at(end),
      source: source)
  }

  private static func variability(_ value: Double, _ start: String, typed: Bool = false)
    -> HKQuantitySample
  {
    HKQuantitySample(
      type: HKQuantityType(
        HKQuantityTypeIdentifier(rawValue: "HKQuantityTypeIdentifierHeartRateVariabilitySDNN")),
      quantity: HKQuantity(unit: HKUnit(from: "ms"), doubleValue: value), start: at(start),
      end: at(start), source: "Anna’s <Watch> & \"co\"",
      metadata: typed ? [HKMetadataKeyWasUserEntered: true] : nil)
  }

  private static func sleep(_ stage: Int, _ start: String, _ end: String) -> HKCategorySample {
    HKCategorySample(
      type: HKCategoryType(
        HKCategoryTypeIdentifier(rawValue: "HKCategoryTypeIdentifierSleepAnalysis")),
      value: stage, start: at(start), end: at(end), source: "Watch")
  }

  private func value(_ metric: Metric, _ day: String) async throws -> Double? {
    let day = CalendarDay(day)!
    return try await phone.host.journal.days(from: day, to: day).first?[metric]?.value
  }

  @Test func `becomes days: nights by their stages, means, and steps that overlap once`()
    async throws
  {
    health.write([
      Self.sleep(0, "2024-04-30 22:00:00", "2024-05-01 07:00:00"),
      Self.sleep(3, "2024-04-30 23:00:00", "2024-05-01 05:00:00"),
      Self.sleep(2, "2024-05-01 05:00:00", "2024-05-01 05:30:00"),
      Self.sleep(5, "2024-05-01 05:30:00", "2024-05-01 06:30:00"),
      Self.variability(40, "2024-05-01 08:00:00"), Self.variability(60, "2024-05-01 23:59:59"),
      Self.steps(1000, "2024-05-01 10:00:00", "2024-05-01 11:00:00", by: "Watch"),
      Self.steps(900, "2024-05-01 10:30:00", "2024-05-01 10:40:00", by: "Phone"),
      HKStateOfMind(date: Self.at("2024-05-01 12:00:00"), valence: 0.25, source: "Health"),
    ])
    let outcomes = await refresh.refresh()
    #expect(outcomes[.sleep] == .read(days: 1))
    #expect(outcomes[.restingHeartRate] == .nothingOrRefused)
    #expect(try await value(.sleepHours, "2024-05-01") == 7)
    #expect(try await value(.hrv, "2024-05-01") == 50)
    #expect(try await value(.steps, "2024-05-01") == 1000)
    #expect(try await value(Metric("mood_valence")!, "2024-05-01") == 0.25)
    // Nothing new: nothing is read again.
    #expect(await refresh.refresh(.sleep) == .read(days: 0))
  }

  @Test func `is what an import of the same samples gives, byte for byte`() async throws {
    let values = [41.7, 38.25, 0.1 + 0.2]
    health.write(values.map { Self.variability($0, "2024-05-01 0\(Int($0) % 9):00:00") })
    _ = await refresh.refresh(.heartRateVariability)
    let file = try PhoneJournal()
    let records = values.map {
      let moment = "2024-05-01 0\(Int($0) % 9):00:00 +0200"
      return
        #"<Record type="HKQuantityTypeIdentifierHeartRateVariabilitySDNN" sourceName="W" unit="ms" "#
        + #"startDate="\#(moment)" endDate="\#(moment)" value="\#($0)"/>"#
    }
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).xml")
    defer { do { try FileManager.default.removeItem(at: path) } catch {} }
    let export =
      #"<?xml version="1.0"?><HealthData><ExportDate value="2024-05-02 09:30:00 +0200"/>"#
      + records.reversed().joined() + "</HealthData>"
    try Data(export.utf8).write(to: path)
    _ = try await file.host.journal.importFile(
      path.path, options: ImportOptions(now: PhoneJournal.now))
    let imported = try await file.host.journal.store.entries()
    #expect(imported.count == 1)
    #expect(try await phone.host.journal.store.entries() == imported)
  }

  @Test func `that was deleted goes, and what an app or person said by other ways stays`()
    async throws
  {
    let wrong = Self.variability(400, "2024-04-28 08:00:00")
    health.write([wrong, Self.variability(40, "2024-05-01 08:00:00")])
    _ = await refresh.refresh(.heartRateVariability)
    _ = try await phone.host.journal.log(
      [(.hrv, 45)], on: CalendarDay("2024-05-01")!, now: PhoneJournal.now)
    let ring = Entry(
      key: EntryKey(
        day: CalendarDay("2024-04-28")!, metric: .hrv, source: Source(.imported, "oura")),
      asOf: PhoneJournal.now, value: 33)
    _ = try await phone.host.journal.store.merge([ring])
    #expect(try await value(.hrv, "2024-04-28") == 400)
    health.delete([wrong])
    _ = await refresh.refresh(.heartRateVariability)
    #expect(try await value(.hrv, "2024-04-28") == 33)
    #expect(try await value(.hrv, "2024-05-01") == 45)
  }

  @Test func `is told apart: locked, refused or empty, unchanged; and a lock loses nothing`()
    async throws
  {
    health.write([Self.variability(40, "2024-05-01 08:00:00")])
    health.refuse(HealthKitType.sleep.sampleType)
    health.write([Self.sleep(3, "2024-05-01 00:00:00", "2024-05-01 05:00:00")])
    health.setLocked(true)
    #expect(await refresh.refresh(.heartRateVariability) == .locked)
    health.setLocked(false)
    for _ in 0..<2 { #expect(await refresh.refresh(.sleep) == .nothingOrRefused) }
    #expect(await refresh.refresh(.heartRateVariability) == .read(days: 1))
    #expect(await refresh.refresh(.heartRateVariability) == .read(days: 0))
  }

  @Test func `wakes the app for every type, and every delivery is answered, locked or not`()
    async throws
  {
    await phone.host.enterBackground()
    try await refresh.start()
    #expect(health.delivered.count == HealthKitType.all.count)
    for locked in [true, false, true, false, false] {
      health.setLocked(locked)
      health.write([Self.steps(10, "2024-05-01 10:00:00", "2024-05-01 10:01:00", by: "Phone")])
      try await wait { health.unanswered == 0 }
    }
    // The store sleeps again, and the last delivery is in it.
    try await phone.host.enterForeground()
    #expect(try await value(.steps, "2024-05-01") == 10)
    withExtendedLifetime(refresh) {}
  }
}
