import Testing
import Time

@testable import Scheduling

/// The schedulers that are held to one contract.
enum SchedulerKind: CaseIterable, Sendable {
  case virtual
  case store
}

/// A scheduler of either kind, with hands on clock, power, network and the person's switch.
struct SchedulerRig: Sendable {
  static let start = Instant(milliseconds: 1_714_521_600_000)

  let scheduler: any BackgroundScheduler
  /// The clock and the conditions of both kinds.
  let hands: VirtualScheduler
  private let store: StoreScheduler?
  private let isAvailable = Recorder<Bool>()

  init(
    _ kind: SchedulerKind, permitted: Set<TaskIdentifier>? = nil,
    on state: MemoryPendingStore = MemoryPendingStore()
  ) {
    let hands = VirtualScheduler(at: Self.start, permitted: permitted)
    self.hands = hands
    switch kind {
    case .virtual:
      store = nil
      scheduler = hands
    case .store:
      let environment = LoopEnvironment(
        store: state, time: TimeSource(now: { hands.now }), zone: .utc,
        owner: RunOwner(token: "rig") { _, _ in true }, conditions: { hands.conditions })
      let store = StoreScheduler(
        environment, permitted: permitted, gracePeriod: .milliseconds(20),
        powerInterval: .milliseconds(5),
        isAvailable: { [isAvailable] in
          isAvailable.elements.last ?? true
        })
      self.store = store
      scheduler = store
    }
  }

  func setAvailable(_ isOn: Bool) {
    hands.setAvailable(isOn)
    isAvailable.append(isOn)
  }

  func register(
    _ identifier: TaskIdentifier, allowance: Duration = .seconds(30),
    launch: @escaping @Sendable (TaskRun) -> Void = { $0.complete(success: true) }
  ) throws {
    try scheduler.register(
      TaskRegistration(identifier: identifier, allowance: allowance, launch: launch))
  }

  /// Runs what may begin now, and waits for it; returns what has begun.
  func launch() async throws -> [TaskIdentifier] {
    if let store { return try await store.runEligible().map(\.identifier) }
    let runs = hands.launchEligible()
    for run in runs { _ = await run.completion() }
    return runs.map(\.identifier)
  }
}
