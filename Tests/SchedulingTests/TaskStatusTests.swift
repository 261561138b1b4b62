import Testing
import Time

@testable import Scheduling

@Suite struct `A task that has not run` {
  static let start = Instant(milliseconds: 1_714_521_600_000)
  static let task: TaskIdentifier = "diurnal.retrain"
  static let machine = LoopMachine(
    tasks: [
      TaskDeclaration(
        request: .processing(task, requiresExternalPower: true, requiresNetwork: true),
        schedule: .every(.days(1)))
    ], zone: .utc)
  static let request = TaskRequest.processing(
    task, earliestBegin: start, requiresExternalPower: true, requiresNetwork: true)

  /// A state in which these requests wait.
  private static func state(_ pending: [TaskRequest] = [request]) -> SchedulerState {
    var state = SchedulerState()
    for request in pending { state.pending.submit(request) }
    return state
  }

  private func reason(
    _ state: SchedulerState = state(), power: Bool? = true, network: Bool? = true,
    after: Duration = .zero
  ) -> WaitingReason? {
    Self.machine.report(
      state, conditions: RunConditions(externalPower: power, network: network),
      at: Self.start.advanced(by: after)
    ).statuses.first?.reason
  }

  @Test func `names the one reason that holds`() {
    let hour = Duration.hours(1)
    #expect(reason() == .due(since: Self.start))
    #expect(reason(after: .zero - hour) == .notYetDue(until: Self.start))
    #expect(reason(power: false, after: .zero - hour) == .notYetDue(until: Self.start))
    #expect(
      reason(power: false, network: false, after: hour)
        == .waitingForExternalPower(since: Self.start))
    #expect(reason(network: false, after: hour) == .waitingForNetwork(since: Self.start))
    // What is not known is neither external power nor a network.
    #expect(reason(power: nil) == .waitingForExternalPower(since: Self.start))
    #expect(reason(network: nil) == .waitingForNetwork(since: Self.start))
    #expect(reason(Self.state([])) == .notSubmitted)
    #expect(
      Self.machine.report(
        Self.state([.processing("old")]),
        conditions: RunConditions(externalPower: nil, network: nil), at: Self.start
      ).statuses.map(\.reason) == [.notSubmitted, .notRegistered])

    var refused = Self.state()
    Self.machine.mirrored(&refused, refused: [Self.task: .unavailable])
    #expect(reason(refused) == .refused(.unavailable))

    var running = SchedulerState()
    _ = running.begin(Self.task, owner: "a", at: Self.start)
    #expect(reason(running) == .running(since: Self.start))
  }

  @Test func `remembers since when it has been waiting, and forgets when that is over`() {
    var state = Self.state()
    let seen = Self.start.advanced(by: .hours(2))
    state.update(Self.task) { $0.enter(.externalPower, at: seen) }
    state.update(Self.task) { $0.enter(.externalPower, at: seen.advanced(by: .hours(1))) }
    #expect(
      reason(state, power: false, after: .hours(4)) == .waitingForExternalPower(since: seen))
    #expect(
      reason(state, network: false, after: .hours(4)) == .waitingForNetwork(since: Self.start))
    state.update(Self.task) { $0.enter(nil, at: seen) }
    #expect(state.record(of: Self.task).blocked == nil)
  }

  @Test func `is told in words that differ, and in codes that do`() {
    let reasons: [WaitingReason] = [
      .running(since: Self.start), .abandoned(since: Self.start), .notRegistered, .notSubmitted,
      .refused(.unavailable),
      .notYetDue(until: Self.start), .backingOff(until: Self.start, failures: 2),
      .waitingForExternalPower(since: Self.start), .waitingForNetwork(since: Self.start),
      .due(since: Self.start),
    ]
    #expect(Set(reasons.map(\.code)).count == reasons.count)
    #expect(Set(reasons.map { $0.words { _ in "noon" } }).count == reasons.count)
    #expect(
      WaitingReason.backingOff(until: Self.start, failures: 2).words { _ in "noon" }
        == "failed 2 times in a row, not again before noon")
  }

  @Test func `is in the audit for what is wrong, and for nothing else`() throws {
    func audit(
      _ state: SchedulerState, power: Bool = true, after: Duration
    ) -> [AuditFinding] {
      Self.machine.report(
        state, conditions: RunConditions(externalPower: power, network: true),
        at: Self.start.advanced(by: after)
      ).findings
    }
    let fresh = Self.state()
    #expect(audit(fresh, after: .hours(23)).isEmpty)
    #expect(
      audit(fresh, after: .hours(24)) == [.overdue(Self.task, since: Self.start)])
    #expect(audit(SchedulerState(), after: .zero) == [.neverActivated])
    var lost = SchedulerState()
    lost.update(Self.task) { $0.lastSubmit = Self.start }
    #expect(
      audit(lost, after: .zero) == [.registeredButNotPending(Self.task, refused: nil)])
    #expect(
      audit(Self.state([Self.request, .processing("old")]), after: .zero)
        == [.pendingButNotRegistered("old")])
    #expect(
      audit(fresh, power: false, after: .hours(30))
        == [.waitingForExternalPower(Self.task, since: Self.start)])

    var state = fresh
    for _ in 0..<3 {
      let begun = Self.machine.begin(&state, Self.task, owner: "a", at: Self.start)
      let run = try #require(begun)
      Self.machine.end(
        &state, run: run.number, .expired(.deadline), elapsed: .zero, at: Self.start)
    }
    #expect(
      audit(state, after: .zero)
        == [.expiring(Self.task, times: 3, last: .deadline)])
    #expect(
      AuditFinding.expiring(Self.task, times: 3, last: .deadline).words { _ in "" }
        == "diurnal.retrain was told to stop 3 times since it last succeeded, last because its time "
        + "was up")
    #expect(
      audit(state, after: .hours(-1)).contains(
        .ranInTheFuture(Self.task, at: Self.start)))

    let begun = state.begin(Self.task, owner: "a", at: Self.start)
    #expect(begun != nil)
    #expect(
      audit(state, after: .hours(2)).contains(
        .runningTooLong(Self.task, since: Self.start)))
  }
}
