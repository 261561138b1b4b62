import Diurnal
import FoundationEssentials
import TestSupport
import Testing
import Time

/// The example of `README.md` for an app, compiled with the one import of ours that it shows, and run.
@Suite struct `The example of the README for an app` {
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
        time: TimeSource(now: { now }), zone: .utc,
        isOnExternalPower: { false }))
    #expect(await loop.active.activated().isEmpty)
    let report = try await loop.active.report()
    #expect(
      report.statuses.map(\.identifier) == [
        JournalLoop.refresh, JournalLoop.retrain, JournalLoop.engagement, JournalLoop.insight,
      ])
    #expect(report.statuses.allSatisfy { $0.pending != nil })
    guard case .waitingForExternalPower = report.statuses[1].reason else {
      Issue.record("the retraining waits for power, not: \(report.statuses[1].reason)")
      return
    }
    #expect(report.findings.count == 1)
    #expect(
      try await loop.runEligible().map(\.identifier) == [
        JournalLoop.refresh, JournalLoop.engagement, JournalLoop.insight,
      ])
    await journal.store.close()
  }
}
