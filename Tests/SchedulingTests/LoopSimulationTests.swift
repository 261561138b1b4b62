import FoundationEssentials
import Scheduling
import Testing

@Suite struct `The simulated loop` {
  /// Many more days where they are asked for.
  static let isLong = ProcessInfo.processInfo.environment["DIURNAL_LONG_TESTS"] != nil

  @Test(arguments: 0..<(isLong ? 1000 : 24) as Range<UInt64>)
  func `holds every invariant`(seed: UInt64) async {
    var simulation = LoopSimulation(seed: seed)
    let report = await simulation.run(days: 120)
    #expect(report.violation == nil)
    #expect(report.days == 120)
    #expect(report.kills > 0 && report.expirations > 0 && report.failures > 0)
  }

  /// A back-off that was set while the clock was ahead, and kept a task from running after it was put right.
  @Test(arguments: [100, 111, 148, 209, 326, 418] as [UInt64])
  func `holds every invariant where it once did not`(seed: UInt64) async {
    var simulation = LoopSimulation(seed: seed)
    #expect(await simulation.run(days: 120).violation == nil)
  }

  @Test func `goes the same way for the same seed, and another for another`() async {
    func report(_ seed: UInt64) async -> SimulationReport {
      var simulation = LoopSimulation(seed: seed, keepsTrace: true)
      return await simulation.run(days: 60)
    }
    let (first, again, other) = await (report(7), report(7), report(8))
    #expect(first == again)
    #expect(!first.trace.isEmpty)
    #expect(first.fingerprint != other.fingerprint)
  }

  @Test(
    arguments: zip(
      SimulatedFault.allCases,
      [
        [.everyTaskWaits], [.dateIsNear], [.payloadIsKept], [.logIsWhole], [.oneCompletion],
        [.modelIsGood], [.openDayIsToday], [.noTaskStarves, .dateIsNear],
        [.modelIsGood, .forgottenIsGone], [.oneNudgeADay],
      ] as [Set<LoopInvariant>]))
  func `finds each safeguard that is left out`(
    fault: SimulatedFault, invariants: Set<LoopInvariant>
  ) async {
    var found = 0
    for seed in 0..<8 as Range<UInt64> {
      var simulation = LoopSimulation(seed: seed, fault: fault)
      guard let violation = await simulation.run(days: 365).violation else { continue }
      #expect(invariants.contains(violation.invariant), "\(violation)")
      found += 1
    }
    #expect(found >= 4, "\(fault) was found for \(found) of 8 seeds")
  }
}
