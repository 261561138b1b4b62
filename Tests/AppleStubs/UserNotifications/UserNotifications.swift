// Stands in for Apple's UserNotifications where there is none: what DiurnalApple calls. No product reaches it.

public import Foundation
internal import Synchronization

public enum UNAuthorizationStatus: Int, Sendable {
  case notDetermined = 0
  case denied = 1
  case authorized = 2
  case provisional = 3
  case ephemeral = 4
}

public struct UNAuthorizationOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let badge = UNAuthorizationOptions(rawValue: 1)
  public static let sound = UNAuthorizationOptions(rawValue: 2)
  public static let alert = UNAuthorizationOptions(rawValue: 4)
}

/// As Apple's: not declared to be `Sendable`.
public final class UNNotificationSettings {
  public let authorizationStatus: UNAuthorizationStatus

  fileprivate init(_ status: UNAuthorizationStatus) { authorizationStatus = status }
}

open class UNNotificationContent {
  public fileprivate(set) var titleText = ""
  public fileprivate(set) var bodyText = ""

  public init() {}
}

public final class UNMutableNotificationContent: UNNotificationContent {
  public var title: String {
    get { titleText }
    set { titleText = newValue }
  }

  public var body: String {
    get { bodyText }
    set { bodyText = newValue }
  }
}

open class UNNotificationTrigger {}

/// An interval of nothing or less ends the app.
public final class UNTimeIntervalNotificationTrigger: UNNotificationTrigger {
  public let timeInterval: TimeInterval

  public init(timeInterval: TimeInterval, repeats: Bool) {
    precondition(timeInterval > 0, "time interval must be greater than 0")
    self.timeInterval = timeInterval
  }
}

public final class UNNotificationRequest {
  public let identifier: String
  public let content: UNNotificationContent
  public let trigger: UNNotificationTrigger?

  public init(
    identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?
  ) {
    self.identifier = identifier
    self.content = content
    self.trigger = trigger
  }
}

public final class UNUserNotificationCenter {
  private let system: System

  public static func current() -> UNUserNotificationCenter { UNUserNotificationCenter(System()) }

  public func notificationSettings() async -> UNNotificationSettings {
    UNNotificationSettings(system.state.withLock { $0.status })
  }

  /// Asks the person once; later calls give the answer of then.
  public func requestAuthorization(options: UNAuthorizationOptions) async throws -> Bool {
    system.state.withLock { state in
      if state.status == .notDetermined { state.status = state.answer ? .authorized : .denied }
      return state.status != .denied
    }
  }

  /// A request of the same identifier takes the place of the one before.
  public func add(_ request: UNNotificationRequest) async throws {
    try system.state.withLock { state in
      if let failure = state.failure { throw failure }
      let delay = (request.trigger as? UNTimeIntervalNotificationTrigger)?.timeInterval
      state.shown.removeAll { $0.identifier == request.identifier }
      state.shown.append(
        System.Shown(
          identifier: request.identifier, title: request.content.titleText,
          body: request.content.bodyText, delay: delay))
    }
  }

  // MARK: Only in the stand-in

  public init(_ system: System) { self.system = system }

  /// What the phone keeps of an app.
  public final class System: Sendable {
    public struct Shown: Hashable, Sendable {
      public let identifier: String
      public let title: String
      public let body: String
      public let delay: TimeInterval?
    }

    struct State {
      var status = UNAuthorizationStatus.notDetermined
      var answer = true
      var failure: CocoaError?
      var shown: [Shown] = []
    }

    let state = Mutex(State())

    public init(status: UNAuthorizationStatus = .notDetermined, answer: Bool = true) {
      state.withLock {
        $0.status = status
        $0.answer = answer
      }
    }

    public var shown: [Shown] { state.withLock { $0.shown } }
    public func fail(_ error: CocoaError) { state.withLock { $0.failure = error } }
  }
}
