import FoundationEssentials
import LoopSimulation
import Testing

@Suite struct `The simulated loop` {
  /// Many more days where they are asked for.
  static let isLong = ProcessInfo.processInfo.environment["DIURNAL_LONG_TESTS"] != nil

  @Test(arguments: 0..<(isLong ? 1000 : 24) as Range<UInt64>)
  func `holds every invariant`(seed: UInt64) async {
    var simulation = Simulation(seed: seed)
    let report = await simulation.run(days: 120)
    #expect(report.violation == nil)
    #expect(report.days == 120)
    #expect(report.kills > 0 && report.expirations > 0 && report.failures > 0)
  }

  /// A back-off that was set while the clock was ahead, and kept a task from running after it was put right.
  @Test(arguments: [100, 111, 148, 209, 326, 418] as [UInt64])
  func `holds every invariant where it once did not`(seed: UInt64) async {
    var simulation = Simulation(seed: seed)
    #expect(await simulation.run(days: 120).violation == nil)
  }

  @Test func `goes the same way for the same seed, and another for another`() async {
    func report(_ seed: UInt64) async -> SimulationReport {
      var simulation = Simulation(seed: seed, keepsTrace: true)
      return await simulation.run(days: 60)
    }
    let (first, again, other) = await (report(7), report(7), report(8))
    #expect(first == again)
    #expect(!first.trace.isEmpty)
    #expect(first.fingerprint != other.fingerprint)
  }

  @Test(arguments: SimulatedFault.allCases)
  func `finds each safeguard that is left out, with every seed`(fault: SimulatedFault) async {
    for seed in 0..<20 as Range<UInt64> {
      var simulation = Simulation(seed: seed, fault: fault)
      let violation = await simulation.run(days: 4000).violation
      #expect(violation.map { fault.breaks.contains($0.invariant) } == true, "seed \(seed)")
    }
  }
}

extension SimulatedFault {
  /// The invariants that may be the first to break without this safeguard.
  var breaks: Set<LoopInvariant> {
    switch self {
    case .submitLeftOut: [.everyTaskWaits]
    case .resubmissionAfterExpiryLeftOut: [.dateIsNear]
    case .drainClearsAll: [.payloadIsKept]
    case .mergeLetsImportWin: [.logIsWhole]
    case .completionTwice: [.oneCompletion]
    case .modelSavedBeforeWhole: [.modelIsGood]
    case .futureRowAsToday: [.openDayIsToday]
    case .keptRequestPostponedAtLaunch: [.noTaskStarves, .dateIsNear]
    case .olderTrainingSaves: [.modelIsGood, .forgottenIsGone]
    case .nudgeNotEntered, .nudgesPrunedByDate: [.oneNudgeADay]
    case .changedIntervalIgnored: [.dateIsNear]
    case .otherProcessIgnored: [.oneRunAtOnce]
    case .hungDueAtOnce: [.conditionsHold]
    case .unwrittenEndCounts: [.endIsWritten]
    }
  }
}
