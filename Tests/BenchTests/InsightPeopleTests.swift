import DayLog
import Personalisation
import Testing

@testable import bench

@Suite struct `Simulated people and their insights` {
  @Test func `a world is the same for the same person, and differs between people`() {
    for world in InsightsSuite.noise + InsightsSuite.hardNoise + InsightsSuite.effects {
      let log = InsightPerson(world, days: 90, seed: 1).log
      #expect(log.table.dayCount == 90 && log.table.metrics.count == world.metricCount)
      #expect(log.table == InsightPerson(world, days: 90, seed: 1).log.table)
      #expect(log.table != InsightPerson(world, days: 90, seed: 2).log.table)
    }
  }

  @Test func `what is true of a world is told as true, and its opposite as the opposite`() throws {
    let world = try #require(InsightsSuite.effects.first)
    let told = InsightPerson(world, days: 365, seed: 5).look(365).insights
    #expect(told.contains(where: world.isReal))
    #expect(!told.contains(where: world.isOpposite))
    let nothing = try #require(InsightsSuite.noise.first)
    #expect(!nothing.hasTruth && !told.contains(where: nothing.isReal))
  }
}
