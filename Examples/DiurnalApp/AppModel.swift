import Diurnal
import DiurnalApple
import Foundation
import Observation

/// What the screens show, and what they may ask for: all of the app but its views.
@MainActor @Observable final class AppModel {
  /// The forecast of one target.
  struct Forecast: Identifiable {
    let id: String
    let value: String
    /// Whether the model has earned to be believed; else the best plain rule is shown.
    let isTrusted: Bool
    /// What moved it most, largest first.
    let why: [String]
  }

  /// Where one background task stands.
  struct TaskLine: Identifiable {
    let id: String
    let words: String
  }

  private(set) var today: [String] = []
  private(set) var forecasts: [Forecast] = []
  private(set) var tasks: [TaskLine] = []
  private(set) var problem: String?

  private let host: JournalHost
  private let zone: Zone
  private let nudger: NotificationNudger
  private let health: HealthKitRefresh
  private let inbox: WatchInbox
  private let plan: ActivePlan

  /// Opens the journal and registers every background task: make it while the app launches, once.
  init() throws {
    let folder = FileManager.default.urls(
      for: .applicationSupportDirectory, in: .userDomainMask)[0]
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let host = try JournalHost(path: folder.appending(path: "log.sqlite").path)
    let zone = try SystemZones.current(environment: [:])
    let nudger = NotificationNudger(host, zone: zone, now: TimeSource.system.now)
    // The system judges power and network before it launches a task; nothing here has to know.
    let loop = LoopHost(
      time: .system, zone: zone, isOnExternalPower: { nil }, deliver: nudger.deliver(_:))
    plan = try JournalLoop.activate(
      host.journal, on: loop, scheduler: AppleBackgroundScheduler(host: host))
    health = HealthKitRefresh(host, zone: zone, now: TimeSource.system.now)
    inbox = WatchInbox(host) { _ in }
    self.host = host
    self.zone = zone
    self.nudger = nudger
  }

  private var day: CalendarDay { zone.day(of: TimeSource.system.now()) }

  /// The app comes to the front.
  func appear() async {
    await perform {
      try await host.enterForeground()
      try await health.start()
      _ = await plan.wake()
      try await show()
    }
  }

  /// The app goes to the back.
  func disappear() async { await host.enterBackground() }

  /// What receives from the watch: the delegate of `WCSession.default`.
  var watchDelegate: WatchInbox { inbox }

  /// Types a rating for today.
  func log(_ metric: Metric, _ value: Double) async {
    await perform {
      _ = try await host.journal.log([(metric, value)], on: day, now: TimeSource.system.now())
      try await show()
    }
  }

  /// Asks to read HealthKit and to notify: from a button that says what for.
  func requestPermissions() async {
    await perform {
      try await health.requestPermission()
      _ = try await nudger.requestPermission()
    }
  }

  private func show() async throws {
    let journal = host.journal
    today =
      try await journal.days(from: day, to: day).first?.items.map {
        "\($0.metric) \($0.resolved.value.formatted())"
      } ?? []
    var found: [Forecast] = []
    for model in try await journal.trainedModels(horizon: 1) {
      let prediction = try await journal.predict(model.target, today: day)
      let why = prediction.contributions.sorted { abs($0.value) > abs($1.value) }.prefix(3)
      found.append(
        Forecast(
          id: "\(model.target)", value: prediction.value.formatted(),
          isTrusted: prediction.gate.isOpen, why: why.map(\.name)))
    }
    forecasts = found
    tasks = try await plan.report().statuses.map { status in
      TaskLine(
        id: status.identifier.name,
        words: status.reason.words {
          Date(timeIntervalSince1970: Double($0.milliseconds) / 1000).formatted()
        })
    }
  }

  private func perform(_ body: () async throws -> Void) async {
    do {
      try await body()
      problem = nil
    } catch {
      problem = "\(error)"
    }
  }
}
