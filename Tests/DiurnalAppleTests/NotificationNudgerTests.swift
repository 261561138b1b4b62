import Diurnal
import DiurnalApple
import Foundation
import Personalisation
import Testing
import Time
import UserNotifications

@Suite struct `A message on a phone` {
  /// The look back on a week of an empty journal.
  private static func week() async throws -> LoopMessage {
    let phone = try PhoneJournal()
    return .week(try await phone.host.journal.insights(today: PhoneJournal.today))
  }

  private func nudger(
    _ system: UNUserNotificationCenter.System, at now: Instant = PhoneJournal.now
  ) throws -> NotificationNudger {
    NotificationNudger(
      try PhoneJournal().host, zone: .utc, now: { now },
      center: { UNUserNotificationCenter(system) })
  }

  @Test(arguments: [
    (UNAuthorizationStatus.notDetermined, "not shown: the app has not asked whether it may notify"),
    (.denied, "not shown: notifications of this app are off in the system's settings"),
  ])
  func `is not shown without permission, and says why`(
    status: UNAuthorizationStatus, words: String
  ) async throws {
    let system = UNUserNotificationCenter.System(status: status)
    #expect(try await nudger(system).deliver(try await Self.week()).words == words)
    #expect(system.shown.isEmpty)
  }

  @Test(arguments: [true, false])
  func `asks once, and goes by the answer`(answer: Bool) async throws {
    let system = UNUserNotificationCenter.System(answer: answer)
    #expect(try await nudger(system).requestPermission() == answer)
    _ = try await nudger(system).deliver(try await Self.week())
    #expect(system.shown.count == (answer ? 1 : 0))
  }

  @Test func `is shown at once by day, and once a week`() async throws {
    let system = UNUserNotificationCenter.System(status: .authorized)
    for _ in 0..<2 {
      #expect(
        try await nudger(system).deliver(try await Self.week()).words == "shown as a notification")
    }
    #expect(system.shown.map(\.body) == ["The look back on week 2024-W18 can be read."])
    #expect(system.shown.map(\.delay) == [nil])
  }

  @Test func `that the system refuses leaves nothing of itself in the words`() async throws {
    let system = UNUserNotificationCenter.System(status: .authorized)
    system.fail(CocoaError(.featureUnsupported))
    #expect(
      try await nudger(system).deliver(try await Self.week()).words
        == "not shown: the system refused the notification")
  }

  @Test func `waits in the quiet hours for their end`() async throws {
    let system = UNUserNotificationCenter.System(status: .provisional)
    // 22:30 by the clock on the wall; they end at 07:00.
    let night = PhoneJournal.now.advanced(by: .hours(15))
    #expect(
      try await nudger(system, at: night).deliver(try await Self.week()).words
        == "to be shown after the quiet hours")
    #expect(system.shown.map(\.delay) == [8.5 * 3600])
  }
}
