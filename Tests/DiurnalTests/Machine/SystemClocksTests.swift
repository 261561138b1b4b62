import Diurnal
import Scheduling
import Testing
import Time

@Suite struct `The clocks of the machine` {
  @Test func `measure the budget of a run`() throws {
    let budget = RunBudget(
      allowance: .minutes(1), limit: .onBattery, elapsed: TimeSource.system.elapsed,
      processorTime: TimeSource.system.processorTime)
    var sum = 0.0
    for number in 1..<100_000 { sum += 1 / Double(number) }
    #expect(sum > 12)
    try budget.check()
    #expect(budget.remaining < .minutes(1))
    #expect(TimeSource.system.processorTime() > .zero)
    #expect(TimeSource.system.now() > Instant(milliseconds: 1_700_000_000_000))
  }
}
