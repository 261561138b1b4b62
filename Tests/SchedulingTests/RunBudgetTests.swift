import Synchronization
import Testing
import Time

@testable import Scheduling

@Suite struct `The budget of a run` {
  /// Two clocks that are moved by hand.
  private final class Clocks: Sendable {
    private let state = Mutex((elapsed: Duration.seconds(1000), used: Duration.seconds(77)))

    func pass(_ elapsed: Duration, using used: Duration = .zero) {
      state.withLock {
        $0.elapsed += elapsed
        $0.used += used
      }
    }

    func budget(_ allowance: Duration, _ limit: ProcessorLimit?) -> RunBudget {
      RunBudget(
        allowance: allowance, limit: limit, elapsed: { self.state.withLock { $0.elapsed } },
        processorTime: { self.state.withLock { $0.used } })
    }
  }

  private let clocks = Clocks()

  @Test func `is spent when the time is up, and stays so`() throws {
    let budget = clocks.budget(.seconds(30), nil)
    clocks.pass(.seconds(29), using: .seconds(900))
    try budget.check()
    #expect(budget.remaining == .seconds(1))
    clocks.pass(.seconds(1))
    #expect(throws: TaskFailure.stopped(.deadline)) { try budget.check() }
    budget.stop(.terminated)
    #expect(throws: TaskFailure.stopped(.deadline)) { try budget.check() }
    #expect(budget.remaining == .zero)
  }

  @Test func `allows 48 processor-seconds in 60 seconds on battery, and no more`() throws {
    let spender = clocks.budget(.hours(1), .onBattery)
    for _ in 0..<47 {
      clocks.pass(.milliseconds(500), using: .seconds(1))
      try spender.check()
    }
    clocks.pass(.milliseconds(500), using: .seconds(1))
    #expect(throws: TaskFailure.stopped(.processorTime)) { try spender.check() }
  }

  @Test func `lets work go on for ever that stays below the share`() throws {
    let budget = clocks.budget(.hours(3), .onBattery)
    for _ in 0..<7200 {
      clocks.pass(.seconds(1), using: .milliseconds(770))
      try budget.check()
    }
    // And finds a burst after two hours of it.
    #expect(throws: TaskFailure.stopped(.processorTime)) {
      for _ in 0..<60 {
        clocks.pass(.milliseconds(100), using: .milliseconds(400))
        try budget.check()
      }
    }
  }

  @Test func `keeps the first cause when it is told to stop`() {
    let budget = clocks.budget(.hours(1), .onBattery)
    #expect(budget.exhaustion() == nil)
    budget.stop(.externalPowerLost)
    budget.stop(.terminated)
    #expect(budget.exhaustion() == .externalPowerLost)
  }
}
