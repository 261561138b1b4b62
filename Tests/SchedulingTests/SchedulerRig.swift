import LoopSimulation
import Testing
import Time

@testable import Scheduling

/// The scheduler on virtual time, with hands on clock, power, network and the person's switch.
struct SchedulerRig: Sendable {
  static let start = Instant(milliseconds: 1_714_521_600_000)

  let hands: VirtualScheduler
  var scheduler: VirtualScheduler { hands }

  init(permitted: Set<TaskIdentifier>? = nil) {
    hands = VirtualScheduler(at: Self.start, permitted: permitted)
  }

  func setAvailable(_ isOn: Bool) { hands.setAvailable(isOn) }

  func register(
    _ identifier: TaskIdentifier, allowance: Duration = .seconds(30),
    launch: @escaping @Sendable (TaskRun) -> Void = {
      $0.complete(.ended(.succeeded(note: "")))
    }
  ) throws {
    try hands.register(
      TaskRegistration(request: .processing(identifier), allowance: allowance, launch: launch))
  }

  /// Runs what may begin now, and waits for it; returns what has begun.
  func launch() async throws -> [TaskIdentifier] {
    let runs = hands.launchEligible()
    for run in runs { _ = await run.completion() }
    return runs.map(\.identifier)
  }
}
