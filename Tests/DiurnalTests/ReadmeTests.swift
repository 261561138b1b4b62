import DayLog
import Diurnal
import FoundationEssentials
import HealthImport
import Learning
import LinearAlgebra
import Personalisation
import Scheduling
import Storage
import TestSupport
import Testing

/// The examples of `README.md`, compiled and run.
@Suite struct `The examples of the README` {
  @Test func `fit, update, forget and predict in ten lines`() throws {
    let features = try Matrix(rows: [[0, 5], [1, 7], [2, 11], [3, 13]])
    let target: ContiguousArray<Double> = [17, 19, 23, 29]
    let settings = RidgeRegression(penalty: 0.1)
    let fit = try settings.fit(features, target: target).model.predict([4, 17])

    var stream = try StreamingRidge(settings, features, target: target)
    try stream.add([4, 17], target: 31)
    try stream.remove([0, 5], target: 17)
    let updated = stream.model.predict([5, 19])

    #expect(fit.isFinite && updated.isFinite)
    // Removing what was added leaves the first fit.
    try stream.add([0, 5], target: 17)
    try stream.remove([4, 17], target: 31)
    #expect(abs(stream.model.predict([4, 17]) - fit) <= 1e-9 * abs(fit))
  }

  @Test func `import, log, train, predict, forget and keep the loop running`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "readme-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
    let now = try #require(Timestamp("2025-12-31T20:00:00Z")).instant
    let today = try #require(CalendarDay("2025-12-31"))
    let year = SharedData.checkout.appending(path: "Datasets/year.csv").path

    let journal = try Journal(path: folder.appending(path: "log.sqlite").path)
    _ = try await journal.importFile(year, options: ImportOptions(now: now))
    _ = try await journal.log([(.mood, 7)], on: today, now: now)
    _ = try await journal.train([Target(.mood)], today: today, now: now)
    let prediction = try await journal.predict(Target(.mood), today: today)
    #expect(prediction.day == today.advanced(by: 1))
    _ = try await journal.forget(today, .mood, today: today, now: now)

    let loop = try JournalLoop(
      journal,
      on: LoopHost(
        time: TimeSource(now: { Moment(milliseconds: now.milliseconds) }), zone: .utc,
        isOnExternalPower: { false }))
    #expect(await loop.active.activated().isEmpty)
    let (statuses, findings) = try await loop.active.report()
    #expect(
      statuses.map(\.identifier) == [
        JournalLoop.refresh, JournalLoop.retrain, JournalLoop.engagement, JournalLoop.insight,
      ])
    #expect(statuses.allSatisfy { $0.pending != nil })
    guard case .waitingForExternalPower = statuses[1].reason else {
      Issue.record("the retraining waits for power, not: \(statuses[1].reason)")
      return
    }
    #expect(findings.count == 1)
    #expect(
      try await loop.runEligible().map(\.identifier) == [
        JournalLoop.refresh, JournalLoop.engagement, JournalLoop.insight,
      ])
    await journal.store.close()
  }

  @Test func `a refresh reads what is new in the folders that are named`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "refresh-\(UUID())")
    let exports = folder.appending(path: "exports")
    try FileManager.default.createDirectory(at: exports, withIntermediateDirectories: true)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
    try Data("day,steps,mood\n2026-01-04,8000,3\n".utf8).write(
      to: exports.appending(path: "a.csv"))
    // The first by name cannot be read, and takes nothing from the second.
    try Data("day,steps,steps\n2026-01-04,1,2\n".utf8).write(
      to: exports.appending(path: "0.csv"))
    let now = try #require(Timestamp("2026-01-05T08:00:00Z")).instant
    let day = try #require(CalendarDay("2026-01-04"))

    let journal = try Journal(path: folder.appending(path: "log.sqlite").path)
    try await journal.store.set(.refreshSources, to: [exports.path])
    _ = try await journal.log([(.mood, 7)], on: day, now: now)
    let loop = try JournalLoop(
      journal,
      on: LoopHost(
        time: TimeSource(now: { Moment(milliseconds: now.milliseconds) }), zone: .utc,
        isOnExternalPower: { false }))
    let reports = try await loop.runEligible()
    #expect(reports.map(\.success) == [true, true, true])
    let shown = try #require(try await journal.store.days().first)
    #expect(shown[.steps]?.value == 8000)
    #expect(shown[.mood]?.value == 7)
    await journal.store.close()
  }
}
