import Diurnal
import Foundation

struct Example {
  static func main() async throws {
    let zone = try SystemZones.current(environment: ProcessInfo.processInfo.environment)
    let now = Instant(milliseconds: Int64(Date.now.timeIntervalSince1970 * 1000))
    let today = zone.day(of: now)

    let journal = try Journal(path: "log.sqlite")
    _ = try await journal.importFile("diary.csv", options: ImportOptions(now: now))
    _ = try await journal.log([(.mood, 7)], on: today, now: now)
    _ = try await journal.train(today: today, now: now)
    let prediction = try await journal.predict(Target(.mood), today: today)
    print(prediction.day, prediction.value, prediction.gate.isOpen)
    _ = try await journal.forget(today, .mood, today: today, now: now)

    // Registering is submitting: there is no way to declare a task and forget to schedule it.
    let host = LoopHost(time: .system, zone: zone, isOnExternalPower: { true })
    let loop = try JournalLoop(journal, on: host)
    print(try await loop.runEligible().map(\.identifier))
  }
}
