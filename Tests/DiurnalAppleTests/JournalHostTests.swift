import BackgroundTasks
import DayLog
import Diurnal
import DiurnalApple
import Foundation
import Storage
import Testing
import Time

@testable import Scheduling

@Suite(.timeLimit(.minutes(1))) struct `A journal whose app sleeps` {
  @Test func `is closed in the background, and open again in front`() async throws {
    let phone = try PhoneJournal()
    let store = phone.host.journal.store
    for _ in 0..<2 { await phone.host.enterBackground() }
    await #expect(throws: StorageError.suspended(path: store.path)) {
      try await store.merge([])
    }
    // The last to close a database in WAL form takes its log away: nobody has it open.
    #expect(!FileManager.default.fileExists(atPath: store.path + "-wal"))
    for _ in 0..<2 { try await phone.host.enterForeground() }
    _ = try await phone.host.journal.log(
      [(.steps, 1)], on: PhoneJournal.today, now: PhoneJournal.now)
    await phone.host.enterBackground()
    await #expect(throws: StorageError.suspended(path: store.path)) { try await store.settings() }
  }

  @Test func `stays open in the background while something runs, on every way out no longer`()
    async throws
  {
    struct Failure: Error {}
    let phone = try PhoneJournal()
    let store = phone.host.journal.store
    try await phone.host.whileOpen { journal in
      await phone.host.enterBackground()
      _ = try await journal.store.settings()
    }
    await #expect(throws: StorageError.suspended(path: store.path)) { try await store.settings() }
    await #expect(throws: Failure.self) {
      try await phone.host.whileOpen { _ in throw Failure() }
    }
    await #expect(throws: StorageError.suspended(path: store.path)) { try await store.settings() }
  }

  @Test func `is closed for good by close, whatever was asked before`() async throws {
    let phone = try PhoneJournal()
    let store = phone.host.journal.store
    await phone.host.enterBackground()
    await store.close()
    await #expect(throws: StorageError.closed(path: store.path)) { try await store.resume() }
  }

  @Test func `is opened for a background task, and closed before the system hears that it is done`()
    async throws
  {
    let phone = try PhoneJournal()
    let system = BGTaskScheduler.System(
      permitted: ["diurnal.refresh", "diurnal.retrain", "diurnal.engagement", "diurnal.insight"])
    let scheduler = AppleBackgroundScheduler(
      host: phone.host,
      permitted: ["diurnal.refresh", "diurnal.retrain", "diurnal.engagement", "diurnal.insight"],
      system: { BGTaskScheduler(system) })
    let loop = LoopHost(
      time: TimeSource(
        now: { PhoneJournal.now }, elapsed: { .zero }, sleep: { _ in }, processorTime: { .zero }),
      zone: .utc, isOnExternalPower: { nil })
    let active = try JournalLoop.activate(phone.host.journal, on: loop, scheduler: scheduler)
    #expect(await active.activated().isEmpty)
    #expect(system.pending.count == 4)
    await phone.host.enterBackground()
    let launch = try #require(system.launch("diurnal.refresh"))
    try await wait { !launch.completions.isEmpty }
    #expect(launch.completions == [true])
    let store = phone.host.journal.store
    await #expect(throws: StorageError.suspended(path: store.path)) { try await store.settings() }
    try await phone.host.enterForeground()
    #expect(try await active.report().history.map(\.identifier) == ["diurnal.refresh"])
    #expect(system.pending.count == 4 && system.deaths.isEmpty)
  }
}
