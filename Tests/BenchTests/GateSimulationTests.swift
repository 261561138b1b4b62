import Foundation
import Testing

@testable import bench

@Suite struct `People of a known world` {
  static let isLong = ProcessInfo.processInfo.environment["DIURNAL_LONG_TESTS"] == "1"

  private func gates(_ world: SimulatedWorld, people: Int) throws -> GateSimulation {
    var simulation = GateSimulation(world)
    for person in 0..<people { try simulation.add(seed: GateSuite.firstSeed + UInt64(person)) }
    return simulation
  }

  @Test(.enabled(if: isLong, "takes many minutes: DIURNAL_LONG_TESTS=1 runs it"))
  func `see a gate where there is nothing to know in one case of twenty at most`() throws {
    let simulation = try gates(SimulatedWorld(name: "noise"), people: 400)
    #expect(simulation.share(opened: 180) <= 0.05)
  }

  @Test(.enabled(if: isLong, "takes many minutes: DIURNAL_LONG_TESTS=1 runs it"))
  func `see it open in time where there is something to know`() throws {
    let simulation = try gates(SimulatedWorld(name: "signal", explained: 0.4), people: 400)
    #expect(simulation.share(open: 60) >= 0.4)
    #expect(simulation.share(open: 90) >= 0.75)
    #expect(simulation.share(open: 120) >= 0.9)
  }

  @Test(.enabled(if: isLong, "takes many minutes: DIURNAL_LONG_TESTS=1 runs it"))
  func `get intervals that hold what they promise`() throws {
    for world in GateSuite.intervalWorlds {
      var simulation = IntervalSimulation(world)
      for person in 0..<200 { try simulation.add(seed: GateSuite.firstSeed + UInt64(person)) }
      if world.shiftDay == nil {
        #expect((0.88...0.92).contains(simulation.coverage), "\(world.name)")
      } else {
        #expect(simulation.coverage >= 0.84, "\(world.name)")
      }
    }
  }

  @Test func `are the same whenever they are made, and have the variance they should`() {
    let world = SimulatedWorld(name: "signal", explained: 0.4, persistence: 0.4)
    let person = SimulatedPerson(world, days: 2_000, seed: 3)
    let again = SimulatedPerson(world, days: 2_000, seed: 3)
    var (squares, known) = (0.0, 0.0)
    for day in 0..<2_000 {
      #expect(person[day] == again[day])
      let away = (person[day] - SimulatedWorld.level) / SimulatedWorld.spread
      squares += away * away / 2_000
      let expected = (person.expected[day] - SimulatedWorld.level) / SimulatedWorld.spread
      known += expected * expected / 2_000
    }
    #expect(abs(squares - 1) < 0.15)
    // What can be known: the metrics' 0.4 and 0.16 of the rest.
    #expect(abs(known - 0.496) < 0.08)
  }
}
