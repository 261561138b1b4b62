import Testing
import Time

@testable import Scheduling

@Suite struct `The loop, as a machine` {
  static let retrain: TaskIdentifier = "diurnal.retrain"
  static let start = Instant(milliseconds: 1_714_521_600_000)  // 2024-05-01T00:00:00Z
  static let machine = LoopMachine(
    tasks: [
      TaskDeclaration(
        request: .processing(retrain, requiresExternalPower: true), schedule: .every(.days(7)))
    ], zone: .utc)

  private func pending(_ effects: [LoopEffect]) -> [TaskRequest] {
    effects.compactMap { if case .submit(let request) = $0 { request } else { nil } }
  }

  private func begin(
    _ state: inout SchedulerState, owner: String = "a", at now: Instant
  ) throws -> ActiveRun {
    let run = state.begin(Self.retrain, owner: owner, at: now)
    return try #require(run)
  }

  @Test func `submits at the first launch what does not wait`() {
    var state = SchedulerState()
    let effects = Self.machine.step(
      &state, .launched(pending: [], abandoned: []), at: Self.start)
    #expect(
      effects == [
        .submit(
          .processing(Self.retrain, earliestBegin: Self.start, requiresExternalPower: true))
      ])
  }

  @Test func `SCH_10: cancels what waits and is no longer registered`() {
    var state = SchedulerState()
    let old = TaskRequest.processing("old")
    let waiting = TaskRequest.processing(
      Self.retrain, earliestBegin: Self.start, requiresExternalPower: true)
    let effects = Self.machine.step(
      &state, .launched(pending: [old, waiting], abandoned: []), at: Self.start)
    #expect(effects == [.cancel("old")])
  }

  @Test func `replaces a request that asks for other conditions, and keeps its date`() {
    var state = SchedulerState()
    let waiting = TaskRequest.processing(
      Self.retrain, earliestBegin: Self.start.advanced(by: .hours(3)))
    let effects = Self.machine.step(
      &state, .launched(pending: [waiting], abandoned: []), at: Self.start)
    #expect(
      effects == [
        .submit(
          .processing(
            Self.retrain, earliestBegin: Self.start.advanced(by: .hours(3)),
            requiresExternalPower: true))
      ])
  }

  @Test func `submits the next request before it works`() throws {
    var state = SchedulerState()
    let run = try begin(&state, at: Self.start)
    let effects = Self.machine.step(&state, .began(run), at: Self.start)
    #expect(pending(effects).first?.earliestBegin == Self.start.advanced(by: .days(7)))
    #expect(effects.last == .work(run: run.number))
  }

  @Test func `lets an expired task begin at once, and submits that before it completes`() throws {
    var state = SchedulerState()
    let run = try begin(&state, at: Self.start)
    let later = Self.start.advanced(by: .minutes(10))
    let effects = Self.machine.step(
      &state, .ended(run: run.number, .expired(.deadline), elapsed: .minutes(10)), at: later)
    #expect(effects.first == .stop(run: run.number))
    #expect(pending(effects).map(\.earliestBegin) == [later])
    #expect(effects.last == .complete(run: run.number, success: false))
    #expect(state.record(of: Self.retrain).expirationsInARow == 1)
    #expect(state.record(of: Self.retrain).failuresInARow == 0)
  }

  @Test func `waits longer after each failure in a row, and not after a success`() throws {
    var state = SchedulerState()
    var now = Self.start
    var waits: [Duration] = []
    for _ in 0..<9 {
      let run = try begin(&state, at: now)
      let effects = Self.machine.step(
        &state, .ended(run: run.number, .failed(reason: "no data"), elapsed: .zero), at: now)
      let next = try #require(pending(effects).first?.earliestBegin)
      waits.append(now.duration(to: next))
      now = next
    }
    #expect(
      waits
        == [5, 10, 20, 40, 80, 160, 300, 300, 300].map { Duration.minutes($0) })
    let run = try begin(&state, at: now)
    _ = Self.machine.step(
      &state, .ended(run: run.number, .succeeded(note: ""), elapsed: .zero), at: now)
    #expect(state.record(of: Self.retrain).failuresInARow == 0)
    #expect(state.record(of: Self.retrain).backOffUntil == nil)
  }

  @Test func `lets the first end of a run count and no other`() throws {
    var state = SchedulerState()
    let run = try begin(&state, at: Self.start)
    _ = Self.machine.step(
      &state, .ended(run: run.number, .expired(.terminated), elapsed: .zero), at: Self.start)
    let after = state
    let effects = Self.machine.step(
      &state, .ended(run: run.number, .succeeded(note: "late"), elapsed: .zero), at: Self.start)
    #expect(effects.isEmpty)
    #expect(state == after)
  }

  @Test func `gives a run whose process is gone back-off at the next launch`() throws {
    var state = SchedulerState()
    let run = try begin(&state, owner: "gone", at: Self.start)
    let now = Self.start.advanced(by: .hours(1))
    let effects = Self.machine.step(
      &state, .launched(pending: [], abandoned: [run.number]), at: now)
    #expect(state.record(of: Self.retrain).lastOutcome == .interrupted)
    #expect(pending(effects).map(\.earliestBegin) == [now.advanced(by: .minutes(5))])
  }

  @Test func `submits nothing for a task that runs in another process`() throws {
    var state = SchedulerState()
    _ = try begin(&state, owner: "other", at: Self.start)
    let effects = Self.machine.step(
      &state, .launched(pending: [], abandoned: []), at: Self.start)
    #expect(effects.isEmpty)
  }

  @Test func `leaves what was finally refused until the next launch, and tries the rest again`() {
    var state = SchedulerState()
    _ = Self.machine.step(
      &state, .submitted(Self.retrain, refused: .unavailable), at: Self.start)
    #expect(
      Self.machine.step(&state, .woke(pending: [], abandoned: []), at: Self.start).isEmpty)
    #expect(
      Self.machine.step(&state, .launched(pending: [], abandoned: []), at: Self.start).count == 1)
    _ = Self.machine.step(
      &state, .submitted(Self.retrain, refused: .tooManyPending(.processing)), at: Self.start)
    #expect(
      Self.machine.step(&state, .woke(pending: [], abandoned: []), at: Self.start).count == 1)
  }

  @Test func `SCH_8: a last run in the future counts as none, and its request is pulled back`()
    throws
  {
    var state = SchedulerState()
    let far = Instant(milliseconds: 4_039_372_800_000)  // 2098-01-01
    let run = try begin(&state, at: far)
    var waiting = pending(Self.machine.step(&state, .began(run), at: far))
    _ = Self.machine.step(
      &state, .ended(run: run.number, .succeeded(note: ""), elapsed: .zero), at: far)

    let effects = Self.machine.step(
      &state, .launched(pending: waiting, abandoned: []), at: Self.start)
    waiting = pending(effects)
    #expect(waiting.map(\.earliestBegin) == [Self.start.advanced(by: .days(7))])
    #expect(
      Self.machine.step(&state, .launched(pending: waiting, abandoned: []), at: Self.start)
        .isEmpty)

    // 30 days ahead: one run, and the next a week after that.
    let ahead = Self.start.advanced(by: .days(30))
    let catchUp = try begin(&state, at: ahead)
    let next = pending(Self.machine.step(&state, .began(catchUp), at: ahead))
    #expect(next.map(\.earliestBegin) == [ahead.advanced(by: .days(7))])
  }

  @Test
  func `SCH_8: a task whose last run is in the future, and that does not wait, is due at once`()
    throws
  {
    var state = SchedulerState()
    let far = Instant(milliseconds: 4_039_372_800_000)  // 2098-01-01
    let run = try begin(&state, at: far)
    _ = Self.machine.step(
      &state, .ended(run: run.number, .succeeded(note: ""), elapsed: .zero), at: far)
    let effects = Self.machine.step(&state, .launched(pending: [], abandoned: []), at: Self.start)
    #expect(pending(effects).map(\.earliestBegin) == [Self.start])
  }

  @Test func `SCH_8: a back-off set while the clock was ahead is no longer than the longest`()
    throws
  {
    var state = SchedulerState()
    let run = try begin(&state, at: Self.start)
    let ahead = Self.start.advanced(by: .days(3))
    let failed = Self.machine.step(
      &state, .ended(run: run.number, .failed(reason: ""), elapsed: .zero), at: ahead)
    let now = Self.start.advanced(by: .hours(1))
    let effects = Self.machine.step(
      &state, .launched(pending: pending(failed), abandoned: []), at: now)
    #expect(pending(effects).map(\.earliestBegin) == [now.advanced(by: .hours(5))])
  }

  @Test func `reads back what it writes, to the byte`() throws {
    var state = SchedulerState()
    let run = try begin(&state, at: Self.start)
    _ = Self.machine.step(
      &state, .ended(run: run.number, .expired(.externalPowerLost), elapsed: .seconds(3)),
      at: Self.start)
    _ = Self.machine.step(
      &state, .submitted(Self.retrain, refused: .notPermitted(Self.retrain)), at: Self.start)
    _ = state.begin("other", owner: "b", at: Self.start)
    let bytes = try state.json()
    let read = try SchedulerState(json: bytes)
    #expect(read == state)
    #expect(try read.json() == bytes)
  }
}
