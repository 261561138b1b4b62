public import DayLog
public import HealthImport
internal import Personalisation
public import Scheduling
public import Storage

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The background tasks of a journal, and where they run.
public struct JournalLoop: Sendable {
  /// Reads exports that are new in the folders of `refresh.sources`.
  public static let refresh: TaskIdentifier = "diurnal.refresh"
  /// Trains every model anew on external power.
  public static let retrain: TaskIdentifier = "diurnal.retrain"

  public let active: ActivePlan
  public let scheduler: StoreScheduler

  /// Activates the plan on the journal's own store: every task is registered and its request submitted,
  /// unless one waits already.
  ///
  /// - Parameters:
  ///   - time: the clocks; a wall clock that a test moves, or the machine's.
  ///   - zone: the zone in which days begin.
  ///   - isOnExternalPower: asked before and during runs that need it.
  /// - Throws: ``SchedulerError``.
  public init(
    _ journal: Journal, time: TimeSource, zone: Zone,
    isOnExternalPower: @escaping @Sendable () -> Bool
  ) throws(SchedulerError) {
    let environment = LoopEnvironment(
      store: TaskStateStore(store: journal.store), time: time,
      clock: LocalClock { zone.utcOffset(at: Instant(milliseconds: $0.milliseconds)) },
      owner: .process(),
      conditions: { RunConditions(externalPower: isOnExternalPower(), network: true) })
    scheduler = StoreScheduler(environment)
    active = try Self.plan(journal, time: time, zone: zone).activate(
      on: scheduler, environment: environment)
  }

  /// Runs what is eligible now, once, after every request of the plan has been submitted or kept.
  ///
  /// - Throws: ``SchedulerError/storeFailed(reason:)``.
  public func runEligible() async throws(SchedulerError) -> [RunReport] {
    await active.activated()
    return try await scheduler.runEligible()
  }

  private static func plan(
    _ journal: Journal, time: TimeSource, zone: Zone
  ) throws(SchedulerError) -> BackgroundPlan {
    @Sendable func now() -> Instant { Instant(milliseconds: time.now().milliseconds) }
    return try BackgroundPlan([
      PlannedTask(
        TaskDeclaration(request: .refresh(refresh), schedule: .every(.hours(4)))
      ) { (context) async throws(TaskFailure) in
        try await refreshing(journal, zone: zone, now: now(), context)
      },
      PlannedTask(
        TaskDeclaration(
          request: .processing(retrain, requiresExternalPower: true), schedule: .every(.days(7)))
      ) { (context) async throws(TaskFailure) in
        try await retraining(journal, zone: zone, now: now(), context)
      },
    ])
  }

  private static func retraining(
    _ journal: Journal, zone: Zone, now: Instant, _ context: TaskContext
  ) async throws(TaskFailure) -> String {
    let trained: [TrainedTarget]
    do {
      let today = zone.day(of: now, dayStart: try await journal.store.value(of: .dayStart))
      trained = try await journal.train(today: today, now: now) {
        context.budget.exhaustion() == nil
      }
    } catch {
      throw .failed(reason: "\(error)")
    }
    try context.budget.check()
    let done = trained.count { if case .trained = $0.result { true } else { false } }
    if trained.isEmpty { return "no target has enough days yet" }
    return "\(done) of \(trained.count) models are up to date"
  }

  private static func refreshing(
    _ journal: Journal, zone: Zone, now: Instant, _ context: TaskContext
  ) async throws(TaskFailure) -> String {
    do {
      let folders = try await journal.store.value(of: .refreshSources)
      guard !folders.isEmpty else { return "no folders in the setting refresh.sources" }
      var (read, changed) = (0, 0)
      var refusal: (count: Int, first: ImportError)?
      for folder in folders {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        where !name.hasPrefix(".") {
          try context.budget.check()
          let options = ImportOptions(
            now: now, zone: nil, zoneNamed: SystemZones.offsets(named:), localZone: zone,
            progress: { _, _ in context.budget.exhaustion() == nil })
          // A file that cannot be read takes nothing from its neighbours.
          do {
            let file = try await journal.importFile(folder + "/" + name, options: options)
            read += 1
            changed += file.merged?.changedDays.count ?? 0
          } catch let error as ImportError {
            try context.budget.check()
            refusal = ((refusal?.count ?? 0) + 1, refusal?.first ?? error)
          }
        }
      }
      let done = "\(read) files read, \(changed) days changed"
      return refusal.map { "\(done); \($0.count) not read, the first: \($0.first)" } ?? done
    } catch let failure as TaskFailure {
      throw failure
    } catch {
      try context.budget.check()
      throw .failed(reason: "\(error)")
    }
  }
}

extension Setting where Value == [String] {
  /// The folders whose files the health refresh reads.
  public static var refreshSources: Setting { Setting("refresh.sources", standard: []) }
}

extension SystemZones {
  /// The offsets of a zone by name; nil where the machine has no such zone.
  public static func offsets(named name: String) -> (any ZoneOffsets)? {
    do { return try zone(named: name) } catch { return nil }
  }
}
