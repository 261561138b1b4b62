import Diurnal
import FoundationEssentials
import LoopSimulation
import Testing

@Suite struct `The simulated loop on a real store` {
  /// Many more days where they are asked for.
  static let isLong = ProcessInfo.processInfo.environment["DIURNAL_LONG_TESTS"] != nil

  @Test(arguments: 0..<(isLong ? 400 : 4) as Range<UInt64>)
  func `holds every invariant`(seed: UInt64) async throws {
    let report = try await StoreWorld.simulate(seed: seed, days: 60)
    #expect(report.violation == nil)
    #expect(report.days == 60)
    #expect(report.kills > 0 && report.expirations > 0 && report.failures > 0)
  }

  @Test(arguments: 0..<(isLong ? 40 : 1) as Range<UInt64>)
  func `holds every invariant while real models are trained`(seed: UInt64) async throws {
    let report = try await StoreWorld.simulate(
      seed: seed, days: Self.isLong ? 200 : 70, training: .real)
    #expect(report.violation == nil)
  }

  /// A run that was told to stop before it had begun to train, and trained all the same after the next one: what
  /// counts is when a training began, not the number of its run.
  @Test(arguments: [7] as [UInt64])
  func `holds every invariant where it once did not`(seed: UInt64) async throws {
    #expect(try await StoreWorld.simulate(seed: seed, days: 80).violation == nil)
  }

  /// The world is one thing, the course of events another: what the store does decides nothing.
  @Test func `goes the way it goes in memory`() async throws {
    var simulation = Simulation(seed: 12)
    let memory = await simulation.run(days: 40)
    let store = try await StoreWorld.simulate(seed: 12, days: 40)
    #expect(memory == store)
  }

  // The ledger of the store is the product's own: nothing is left out of it.
  @Test(arguments: SimulatedFault.allCases.filter { $0 != .nudgesPrunedByDate })
  func `finds each safeguard that is left out`(fault: SimulatedFault) async throws {
    for seed in 0..<40 as Range<UInt64> {
      let report = try await StoreWorld.simulate(seed: seed, days: 120, fault: fault)
      guard let violation = report.violation else { continue }
      #expect(fault.breaks.contains(violation.invariant), "\(violation)")
      return
    }
    Issue.record("\(fault) was not found")
  }
}
