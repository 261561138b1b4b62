import Dispatch
import LoopSimulation
import Synchronization
import Testing
import Time

@testable import Scheduling

@Suite struct `A plan` {
  static let start = Instant(milliseconds: 1_714_521_600_000)

  static func task(
    _ identifier: TaskIdentifier, every interval: Duration = .days(1), delay: Duration = .zero,
    power: Bool = false, allowance: Duration? = nil,
    work: @escaping @Sendable (TaskContext) async throws(TaskFailure) -> String = { _ in "" }
  ) -> PlannedTask {
    PlannedTask(
      TaskDeclaration(
        request: .processing(identifier, requiresExternalPower: power),
        schedule: .every(interval), initialDelay: delay, allowance: allowance), work: work)
  }

  private func environment(
    of scheduler: VirtualScheduler, _ store: MemoryPendingStore = MemoryPendingStore()
  ) -> LoopEnvironment {
    LoopEnvironment(
      store: store, time: scheduler.time, zone: .utc,
      owner: RunOwner(token: "test") { _, _ in true }, conditions: { scheduler.conditions })
  }

  @Test func `SCH_1: after start-up the retrain request waits, and three facts are kept apart`()
    async throws
  {
    let scheduler = VirtualScheduler(at: Self.start)
    let store = MemoryPendingStore()
    let plan = try BackgroundPlan([Self.task("retrain", delay: .hours(1), power: true)])
    let active = try plan.activate(on: scheduler, environment: environment(of: scheduler, store))
    #expect(await active.activated().isEmpty)
    #expect(scheduler.pendingRequests().map(\.identifier) == ["retrain"])
    let record = try await store.transaction { $0.record(of: "retrain") }
    #expect(record.lastSubmit == Self.start)
    #expect(record.lastSubmitError == nil)
    #expect(record.lastBegan == nil)
  }

  @Test func `SCH_2: enters what is refused in the record and tells it`() async throws {
    let scheduler = VirtualScheduler(at: Self.start)
    scheduler.setAvailable(false)
    let store = MemoryPendingStore()
    let plan = try BackgroundPlan([Self.task("a")])
    let active = try plan.activate(on: scheduler, environment: environment(of: scheduler, store))
    #expect(await active.activated() == ["a": .unavailable])
    #expect(try await store.transaction { $0.record(of: "a").lastSubmitError } == .unavailable)
    #expect(try await active.report().statuses.map(\.reason) == [.refused(.unavailable)])
    scheduler.setAvailable(true)
    #expect(await active.wake().isEmpty)
    #expect(scheduler.pendingRequests().map(\.identifier) == ["a"])
    #expect(try await store.transaction { $0.record(of: "a").lastSubmitError } == nil)
  }

  @Test func `SCH_4: declares each task once, and activates once`() async throws {
    #expect(throws: SchedulerError.alreadyRegistered("a")) {
      try BackgroundPlan([Self.task("a"), Self.task("a")])
    }
    let scheduler = VirtualScheduler(at: Self.start)
    let plan = try BackgroundPlan([Self.task("a")])
    _ = try plan.activate(on: scheduler, environment: environment(of: scheduler))
    #expect(throws: SchedulerError.alreadyRegistered("a")) {
      _ = try plan.activate(on: scheduler, environment: environment(of: scheduler))
    }
  }

  @Test func `SCH_5: launching every hour does not postpone a request that waits`() async throws {
    let scheduler = VirtualScheduler(at: Self.start)
    let store = MemoryPendingStore()
    let ran = Recorder<Instant>()
    for hour in 0..<26 {
      let plan = try BackgroundPlan([
        Self.task("retrain", every: .days(7), delay: .hours(24), power: true) { _ in
          ran.append(scheduler.now)
          return ""
        }
      ])
      let active = try plan.activate(
        on: scheduler, environment: environment(of: scheduler, store))
      await active.activated()
      for run in scheduler.launchEligible() { _ = await run.completion() }
      #expect(ran.elements.count == (hour < 24 ? 0 : 1))
      scheduler.kill()
      scheduler.advance(by: .hours(1))
    }
    #expect(ran.elements == [Self.start.advanced(by: .hours(24))])
  }

  @Test func `SCH_10: launching cancels what waits for a task that is gone`() async throws {
    let scheduler = VirtualScheduler(at: Self.start)
    let before = try BackgroundPlan([Self.task("old"), Self.task("retrain")])
    await (try before.activate(on: scheduler, environment: environment(of: scheduler)))
      .activated()
    scheduler.kill()
    let after = try BackgroundPlan([Self.task("retrain")])
    await (try after.activate(on: scheduler, environment: environment(of: scheduler)))
      .activated()
    #expect(scheduler.pendingRequests().map(\.identifier) == ["retrain"])
  }

  @Test func `SCH_7: a handler runs off the launching queue and reaches a store through its actor`()
    async throws
  {
    actor Days {
      var count = 0
      func add() {
        preconditionIsolated()
        count += 1
      }
    }
    let days = Days()
    let scheduler = VirtualScheduler(at: Self.start)
    let plan = try BackgroundPlan([
      Self.task("a") { _ in
        await days.add()
        return "one day"
      }
    ])
    let active = try await MainActor.run {
      try plan.activate(on: scheduler, environment: environment(of: scheduler))
    }
    await active.activated()
    let run = try #require(
      await withCheckedContinuation { continuation in
        DispatchQueue(label: "launch", qos: .background).async {
          continuation.resume(returning: scheduler.launchEligible().first)
        }
      })
    #expect(await run.completion().isSuccess)
    #expect(await days.count == 1)
  }

  @Test func `resubmits before it works, completes after it, and enters the note`() async throws {
    let scheduler = VirtualScheduler(at: Self.start)
    let store = MemoryPendingStore()
    let seen = Recorder<[TaskRequest]>()
    let plan = try BackgroundPlan([
      Self.task("a") { _ in
        seen.append(scheduler.pendingRequests())
        return "3 targets"
      }
    ])
    await (try plan.activate(on: scheduler, environment: environment(of: scheduler, store)))
      .activated()
    let run = try #require(scheduler.launchEligible().first)
    #expect(await run.completion().isSuccess)
    #expect(
      seen.elements == [
        [.processing("a", earliestBegin: Self.start.advanced(by: .days(1)))]
      ])
    let record = try await store.transaction { $0.record(of: "a") }
    #expect(record.lastOutcome == .succeeded(note: "3 targets"))
    #expect(record.lastBegan == Self.start)
  }

  @Test func `gives a task that throws back-off, and completes it as failed`() async throws {
    let scheduler = VirtualScheduler(at: Self.start)
    let plan = try BackgroundPlan([
      Self.task("a") { (_) throws(TaskFailure) in throw .failed(reason: "the folder is gone") }
    ])
    await (try plan.activate(on: scheduler, environment: environment(of: scheduler)))
      .activated()
    let run = try #require(scheduler.launchEligible().first)
    #expect(await !run.completion().isSuccess)
    #expect(
      scheduler.pendingRequests().map(\.earliestBegin)
        == [Self.start.advanced(by: .minutes(5))])
  }

  @Test func `SCH_6: work that ignores cancellation completes once, as failed, at its expiry`()
    async throws
  {
    let scheduler = VirtualScheduler(at: Self.start)
    let store = MemoryPendingStore()
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let (began, begin) = AsyncStream.makeStream(of: Void.self)
    let saved = Recorder<Bool>()
    let plan = try BackgroundPlan([
      Self.task("a", allowance: .seconds(1)) { context in
        begin.yield()
        // Not a word of cancellation: it waits for the gate in a task of its own.
        await Task.detached { for await _ in gate { break } }.value
        saved.append(context.budget.exhaustion() == nil)
        return "too late"
      }
    ])
    await (try plan.activate(on: scheduler, environment: environment(of: scheduler, store)))
      .activated()
    let run = try #require(scheduler.launchEligible().first)
    for await _ in began { break }
    scheduler.advance(by: .seconds(1))
    // Told to stop, it has the grace period.
    #expect(run.expired == .deadline && run.success == nil)
    while run.success == nil {
      scheduler.advance(by: .seconds(5))
      await Task.yield()
    }
    #expect(await run.completion() == .ended(.hung(.deadline)))
    #expect(saved.elements.isEmpty)
    let after = try await store.transaction { $0 }
    #expect(after.record(of: "a").lastOutcome == .hung(.deadline))
    #expect(after.record(of: "a").failuresInARow == 1)
    #expect(after.runs.isEmpty)
    open.yield()
    while saved.elements.isEmpty { await Task.yield() }
    for _ in 0..<100 { await Task.yield() }
    #expect(saved.elements == [false])
    #expect(try await store.transaction { $0 } == after)
    #expect(run.success == false)
    #expect(
      scheduler.pendingRequests().map(\.earliestBegin) == [after.record(of: "a").backOffUntil])
  }

  @Test(.timeLimit(.minutes(1)))
  func `does not begin work again that has not returned, and keeps its request`() async throws {
    let scheduler = VirtualScheduler(at: Self.start)
    let store = MemoryPendingStore()
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let (began, begin) = AsyncStream.makeStream(of: Void.self)
    let plan = try BackgroundPlan([
      Self.task("a", allowance: .seconds(1)) { _ in
        begin.yield()
        await Task.detached { for await _ in gate { break } }.value
        return ""
      }
    ])
    await (try plan.activate(on: scheduler, environment: environment(of: scheduler, store)))
      .activated()
    let first = try #require(scheduler.launchEligible().first)
    for await _ in began { break }
    scheduler.advance(by: .seconds(1))
    while first.success == nil {
      scheduler.advance(by: .seconds(5))
      await Task.yield()
    }
    scheduler.advance(by: .hours(6))
    let second = try #require(scheduler.launchEligible().first)
    #expect(await second.completion() == .declined)
    let state = await store.load()
    #expect(state.pending["a"] != nil && state.runs.isEmpty && state.history.count == 1)
    open.yield()
  }

  @Test(arguments: 0..<64) func `completes once when work and expiry race`(round: Int) async throws
  {
    let scheduler = VirtualScheduler(at: Self.start)
    let store = MemoryPendingStore()
    let plan = try BackgroundPlan([
      Self.task("a") { _ in
        for _ in 0..<(round % 8) { await Task.yield() }
        return "done"
      }
    ])
    await (try plan.activate(on: scheduler, environment: environment(of: scheduler, store)))
      .activated()
    let run = try #require(scheduler.launchEligible().first)
    for _ in 0..<(round / 8) { await Task.yield() }
    run.expire(.terminated)
    let success = await run.completion().isSuccess
    let record = try await store.transaction { $0.record(of: "a") }
    #expect(
      record.lastOutcome == (success ? .succeeded(note: "done") : .expired(.terminated)))
    #expect(scheduler.pendingRequests().count == 1)
  }
}
