#if canImport(UserNotifications)
  public import Diurnal
  internal import Foundation
  internal import Personalisation
  internal import Storage
  public import Time
  public import UserNotifications

  /// Shows the loop's messages as notifications: give ``deliver(_:)`` to a `LoopHost`.
  ///
  /// A nudge is decided by its policy, quiet hours and all. A look back on a week may be ready at night, on power; it
  /// waits for the end of the quiet hours.
  public struct NotificationNudger: Sendable {
    private let zone: Zone
    private let now: @Sendable () -> Instant
    private let host: JournalHost
    private let center: @Sendable () -> UNUserNotificationCenter

    /// A nudger by the quiet hours of a journal, on the clock on the wall of this zone.
    public init(
      _ host: JournalHost, zone: Zone, now: @escaping @Sendable () -> Instant,
      center: @escaping @Sendable () -> UNUserNotificationCenter = { .current() }
    ) {
      self.zone = zone
      self.now = now
      self.host = host
      self.center = center
    }

    /// Asks the person for leave to show notifications, once in the life of the app; whether it was given. Ask when the
    /// person switches nudges on, and not at the first launch.
    ///
    /// - Throws: what the system throws.
    public func requestPermission() async throws -> Bool {
      try await center().requestAuthorization(options: [.alert, .sound])
    }

    /// Shows a message, or says why it could not; the words hold nothing of the message.
    public func deliver(_ message: LoopMessage) async -> LoopDelivery {
      switch await center().notificationSettings().authorizationStatus {
      case .notDetermined:
        return LoopDelivery("not shown: the app has not asked whether it may notify")
      case .denied:
        return LoopDelivery("not shown: notifications of this app are off in the system's settings")
      default: break
      }
      let wait: Int
      switch message {
      case .nudge: wait = 0
      case .week: wait = Self.wait(await quietHours, at: now(), zone)
      }
      do {
        try await center().add(message.request(after: wait))
      } catch {
        return LoopDelivery("not shown: the system refused the notification")
      }
      return LoopDelivery(
        wait == 0 ? "shown as a notification" : "to be shown after the quiet hours")
    }

    /// Those that the person set; where the journal cannot tell, the standard ones.
    private var quietHours: QuietHours {
      get async {
        do {
          return try await host.whileOpen { try await $0.store.value(of: .quietHours) }
        } catch {
          return .standard
        }
      }
    }

    /// Seconds until the quiet hours end; 0 outside them.
    private static func wait(_ quiet: QuietHours, at now: Instant, _ zone: Zone) -> Int {
      let local = now.seconds + Int64(zone.utcOffset(at: now))
      let second = Int((local % 86_400 + 86_400) % 86_400)
      guard quiet.contains(second) else { return 0 }
      return (quiet.end - second + 86_400) % 86_400
    }
  }

  extension LoopMessage {
    /// One notification a day and week: a later one of the same takes its place.
    fileprivate func request(after seconds: Int) -> UNNotificationRequest {
      let content = UNMutableNotificationContent()
      let identifier: String
      switch self {
      case .nudge(let nudge):
        identifier = "diurnal.nudge.\(nudge.day)"
        content.title = "Diurnal"
        content.body = nudge.text
      case .week(let report):
        identifier = "diurnal.week.\(report.week)"
        content.title = "Your week"
        content.body = "The look back on week \(report.week) can be read."
      }
      return UNNotificationRequest(
        identifier: identifier, content: content,
        trigger: seconds == 0
          ? nil : UNTimeIntervalNotificationTrigger(timeInterval: Double(seconds), repeats: false))
    }
  }
#endif
