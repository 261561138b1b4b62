import Testing
import Time

@testable import Scheduling

@Suite struct `The loop, as a machine` {
  static let retrain: TaskIdentifier = "diurnal.retrain"
  static let start = Instant(milliseconds: 1_714_521_600_000)  // 2024-05-01T00:00:00Z
  static let far = Instant(milliseconds: 4_039_372_800_000)  // 2098-01-01
  static let machine = LoopMachine(
    tasks: [
      TaskDeclaration(
        request: .processing(retrain, requiresExternalPower: true), schedule: .every(.days(7)))
    ], zone: .utc)

  private func begin(
    _ state: inout SchedulerState, owner: String = "a", at now: Instant
  ) throws -> ActiveRun {
    let run = Self.machine.begin(&state, Self.retrain, owner: owner, at: now)
    return try #require(run)
  }

  /// Ends a run; returns when the next may begin.
  private func end(
    _ state: inout SchedulerState, _ run: ActiveRun, _ outcome: RunOutcome, at now: Instant
  ) -> Instant? {
    Self.machine.end(&state, run: run.number, outcome, elapsed: .zero, at: now)
    return state.pending[Self.retrain]?.earliestBegin
  }

  /// When the task may begin after a launch.
  private func launch(
    _ state: inout SchedulerState, abandoned: [Int] = [], at now: Instant
  ) -> Instant? {
    Self.machine.launch(&state, abandoned: abandoned, at: now)
    return state.pending[Self.retrain]?.earliestBegin
  }

  @Test func `submits at the first launch what does not wait`() {
    var state = SchedulerState()
    #expect(launch(&state, at: Self.start) == Self.start)
    #expect(
      state.pending.requests == [
        .processing(Self.retrain, earliestBegin: Self.start, requiresExternalPower: true)
      ])
    #expect(state.record(of: Self.retrain).lastSubmit == Self.start)
  }

  @Test func `SCH_10: cancels what waits and is in no plan, and leaves the rest as it is`() {
    var state = SchedulerState()
    _ = launch(&state, at: Self.start)
    let before = state
    state.pending.submit(.processing("old"))
    #expect(launch(&state, at: Self.start.advanced(by: .hours(1))) == Self.start)
    #expect(state == before)
  }

  @Test func `replaces a request that asks for other conditions, and keeps its date`() {
    var state = SchedulerState()
    let date = Self.start.advanced(by: .hours(3))
    state.pending.submit(.processing(Self.retrain, earliestBegin: date))
    #expect(launch(&state, at: Self.start) == date)
    #expect(state.pending[Self.retrain]?.requiresExternalPower == true)
  }

  @Test func `submits the next request in the step in which a run begins`() throws {
    var state = SchedulerState()
    _ = try begin(&state, at: Self.start)
    #expect(
      state.pending[Self.retrain]?.earliestBegin == Self.start.advanced(by: .days(7)))
    #expect(Self.machine.begin(&state, Self.retrain, owner: "b", at: Self.start) == nil)
    #expect(Self.machine.begin(&state, "other", owner: "b", at: Self.start) == nil)
  }

  @Test func `lets an expired task begin at once`() throws {
    var state = SchedulerState()
    let run = try begin(&state, at: Self.start)
    let later = Self.start.advanced(by: .minutes(10))
    #expect(end(&state, run, .expired(.deadline), at: later) == later)
    #expect(state.record(of: Self.retrain).expirationsInARow == 1)
    #expect(state.record(of: Self.retrain).failuresInARow == 0)
  }

  @Test(arguments: [RunOutcome.failed(reason: "no data"), .hung(.deadline), .interrupted])
  func `waits longer after each failure in a row, and not after a success`(
    outcome: RunOutcome
  ) throws {
    var state = SchedulerState()
    var now = Self.start
    var waits: [Duration] = []
    for _ in 0..<9 {
      let run = try begin(&state, at: now)
      let next = try #require(end(&state, run, outcome, at: now))
      waits.append(now.duration(to: next))
      now = next
    }
    #expect(waits == [5, 10, 20, 40, 80, 160, 300, 300, 300].map { Duration.minutes($0) })
    let run = try begin(&state, at: now)
    _ = end(&state, run, .succeeded(note: ""), at: now)
    #expect(state.record(of: Self.retrain).failuresInARow == 0)
    #expect(state.record(of: Self.retrain).backOffUntil == nil)
  }

  @Test func `lets the first end of a run count and no other`() throws {
    var state = SchedulerState()
    let run = try begin(&state, at: Self.start)
    _ = end(&state, run, .expired(.terminated), at: Self.start)
    let after = state
    #expect(
      !Self.machine.end(
        &state, run: run.number, .succeeded(note: "late"), elapsed: .zero, at: Self.start))
    #expect(state == after)
  }

  @Test func `gives a run whose process is gone back-off at the next launch`() throws {
    var state = SchedulerState()
    let run = try begin(&state, owner: "gone", at: Self.start)
    let now = Self.start.advanced(by: .hours(1))
    #expect(launch(&state, abandoned: [run.number], at: now) == now.advanced(by: .minutes(5)))
    #expect(state.record(of: Self.retrain).lastOutcome == .interrupted)
  }

  @Test func `leaves alone a task that runs in another process`() throws {
    var state = SchedulerState()
    _ = try begin(&state, owner: "other", at: Self.start)
    let before = state
    _ = launch(&state, at: Self.start.advanced(by: .days(30)))
    #expect(state == before)
  }

  @Test func `keeps what the scheduler refused, until it takes it`() {
    var state = SchedulerState()
    _ = launch(&state, at: Self.start)
    Self.machine.mirrored(&state, refused: [Self.retrain: .unavailable])
    #expect(state.record(of: Self.retrain).lastSubmitError == .unavailable)
    #expect(state.pending[Self.retrain] != nil)
    Self.machine.mirrored(&state, refused: [:])
    #expect(state.record(of: Self.retrain).lastSubmitError == nil)
  }

  @Test func `SCH_8: a last run in the future counts as none, and its request is pulled back`()
    throws
  {
    var state = SchedulerState()
    let run = try begin(&state, at: Self.far)
    _ = end(&state, run, .succeeded(note: ""), at: Self.far)
    #expect(launch(&state, at: Self.start) == Self.start.advanced(by: .days(7)))
    #expect(launch(&state, at: Self.start) == Self.start.advanced(by: .days(7)))
    // 30 days ahead: one run, and the next a week after that.
    let ahead = Self.start.advanced(by: .days(30))
    _ = try begin(&state, at: ahead)
    #expect(state.pending[Self.retrain]?.earliestBegin == ahead.advanced(by: .days(7)))
  }

  @Test
  func `SCH_8: a task whose last run is in the future, and that does not wait, is due at once`()
    throws
  {
    var state = SchedulerState()
    let run = try begin(&state, at: Self.far)
    _ = end(&state, run, .succeeded(note: ""), at: Self.far)
    state.pending.remove(Self.retrain)
    #expect(launch(&state, at: Self.start) == Self.start)
  }

  @Test func `SCH_8: a back-off set while the clock was ahead is no longer than the longest`()
    throws
  {
    var state = SchedulerState()
    let run = try begin(&state, at: Self.start)
    _ = end(&state, run, .failed(reason: ""), at: Self.start.advanced(by: .days(3)))
    let now = Self.start.advanced(by: .hours(1))
    #expect(launch(&state, at: now) == now.advanced(by: .hours(5)))
  }

  @Test func `reads back what it writes, to the byte`() throws {
    var state = SchedulerState()
    let run = try begin(&state, at: Self.start)
    _ = end(&state, run, .hung(.externalPowerLost), at: Self.start)
    Self.machine.mirrored(&state, refused: [Self.retrain: .notPermitted(Self.retrain)])
    _ = state.begin("other", owner: "b", at: Self.start)
    let bytes = try state.json()
    let read = try SchedulerState(json: bytes)
    #expect(read == state)
    #expect(try read.json() == bytes)
  }
}
