import Dispatch
import FoundationEssentials
import LoopSimulation
import Testing
import Time

@testable import Scheduling

@Suite struct `The scheduler on the store` {
  static let start = Instant(milliseconds: 1_714_521_600_000)

  /// One process on a store: its plan, its scheduler, and hands on clock and power.
  private struct Launch {
    let scheduler: StoreScheduler
    let active: ActivePlan
    let power: Recorder<Bool>

    init(
      on store: MemoryPendingStore, at now: Instant = start, token: String = "a",
      living: Set<String> = [], grace: Duration = .seconds(60), _ tasks: [PlannedTask]
    ) throws {
      let power = Recorder<Bool>()
      let environment = LoopEnvironment(
        store: store, time: TimeSource(now: { now }), zone: .utc,
        owner: RunOwner(token: token) { run, _ in
          run.owner == token || living.contains(run.owner)
        },
        gracePeriod: grace,
        conditions: {
          RunConditions(externalPower: power.elements.last ?? true, network: true)
        })
      self.power = power
      scheduler = StoreScheduler(environment, powerInterval: .milliseconds(5))
      active = try BackgroundPlan(tasks).activate(on: scheduler, environment: environment)
    }
  }

  @Test func `runs what is eligible once, in the order of the plan, and then waits`() async throws {
    let store = MemoryPendingStore()
    let ran = Recorder<TaskIdentifier>()
    let tasks = (["b", "a", "c"] as [TaskIdentifier]).map { name in
      ActivePlanTestsTask.make(name) { context in
        ran.append(context.identifier)
        return ""
      }
    }
    let launch = try Launch(on: store, tasks)
    await launch.active.activated()
    #expect(try await launch.scheduler.runEligible().map(\.success) == [true, true, true])
    #expect(ran.elements == ["b", "a", "c"])
    #expect(try await launch.scheduler.runEligible().isEmpty)
    let later = try Launch(on: store, at: Self.start.advanced(by: .days(1)), token: "b", tasks)
    await later.active.activated()
    #expect(try await later.scheduler.runEligible().count == 3)
  }

  @Test(.timeLimit(.minutes(1)), arguments: [true, false])
  func `stops watching a run that has ended, whatever would end it now`(isLate: Bool) async throws {
    let launch = try Launch(on: MemoryPendingStore(), [])
    launch.power.append(false)
    let run = TaskRun("a")
    run.complete(.ended(.succeeded(note: "")))
    await launch.scheduler.watch(
      run, until: isLate ? .zero : .seconds(86_400), needsPower: !isLate)
    #expect(run.expired == nil)
  }

  @Test func `does not run in two processes at once`() async throws {
    let store = MemoryPendingStore()
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let (began, begin) = AsyncStream.makeStream(of: Void.self)
    let task = ActivePlanTestsTask.make("a") { _ in
      begin.yield()
      for await _ in gate { break }
      return "first"
    }
    let first = try Launch(on: store, token: "a", [task])
    await first.active.activated()
    async let reports = first.scheduler.runEligible()
    for await _ in began { break }

    let second = try Launch(on: store, token: "b", living: ["a"], [task])
    #expect(await second.active.activated().isEmpty)
    #expect(try await second.scheduler.runEligible().isEmpty)
    let report = try await second.active.report()
    #expect(report.statuses.map(\.reason) == [.running(since: Self.start)])
    #expect(report.findings.isEmpty)
    open.yield()
    #expect(try await reports.map(\.success) == [true])
  }

  @Test func `takes a run whose process is gone for interrupted, and gives it back-off`()
    async throws
  {
    let store = MemoryPendingStore()
    try await store.transaction { state in
      _ = state.begin("a", owner: "dead", at: Self.start)
    }
    let launch = try Launch(on: store, token: "b", [ActivePlanTestsTask.make("a")])
    await launch.active.activated()
    #expect(try await launch.scheduler.runEligible().isEmpty)
    let report = try await launch.active.report()
    let until = Self.start.advanced(by: .minutes(5))
    #expect(report.statuses.map(\.reason) == [.backingOff(until: until, failures: 1)])
    #expect(report.findings == [.failing("a", times: 1, last: .interrupted)])
    #expect(report.history.map(\.outcome) == [.interrupted])
  }

  @Test
  func `tells a run to stop when its time is up, and leaves a request that may begin at once`()
    async throws
  {
    let store = MemoryPendingStore()
    let launch = try Launch(
      on: store,
      [
        ActivePlanTestsTask.make("a", allowance: .milliseconds(20)) {
          (context) throws(TaskFailure) in
          while true {
            try context.budget.check()
            await Task.yield()
          }
        }
      ])
    await launch.active.activated()
    let report = try #require(try await launch.scheduler.runEligible().first)
    #expect(!report.success)
    let state = try await store.transaction { $0 }
    #expect(state.record(of: "a").lastOutcome == .expired(.deadline))
    #expect(state.pending["a"]?.earliestBegin == Self.start)
    #expect(try await launch.active.report().statuses.map(\.reason) == [.due(since: Self.start)])
  }

  @Test(.timeLimit(.minutes(1)))
  func `SCH_6: goes on without work that never stops`() async throws {
    let store = MemoryPendingStore()
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    defer { open.finish() }
    let tasks = [
      ActivePlanTestsTask.make("stuck", allowance: .milliseconds(20)) { _ in
        await Task.detached { for await _ in gate {} }.value
        return ""
      }, ActivePlanTestsTask.make("next"),
    ]
    let launch = try Launch(on: store, grace: .milliseconds(30), tasks)
    await launch.active.activated()
    let reports = try await launch.scheduler.runEligible()
    #expect(reports.map(\.outcome) == [.hung(.deadline), .succeeded(note: "")])
    // Not due again at once: it would hang again.
    #expect(
      await store.load().pending["stuck"]?.earliestBegin
        == Self.start.advanced(by: .minutes(5)))
  }

  /// More of them than there are threads for work that yields.
  @Test(.timeLimit(.minutes(1)))
  func `SCH_6: work that blocks its thread stops neither the loop nor the end`() async throws {
    let store = MemoryPendingStore()
    let gate = DispatchSemaphore(value: 0)
    let blocked = (0..<8).map { number in
      ActivePlanTestsTask.make(
        TaskIdentifier(stringLiteral: "stuck\(number)"), allowance: .milliseconds(5)
      ) { _ in
        gate.wait()
        return ""
      }
    }
    let launch = try Launch(
      on: store, grace: .milliseconds(5), blocked + [ActivePlanTestsTask.make("next")])
    await launch.active.activated()
    let reports = try await launch.scheduler.runEligible()
    #expect(reports.map(\.outcome).last == .succeeded(note: ""))
    #expect(reports.dropLast().allSatisfy { $0.outcome == .hung(.deadline) })
    #expect(reports.count == 9)
    for _ in blocked { gate.signal() }
  }

  @Test func `keeps the last hundred runs`() async throws {
    let store = MemoryPendingStore()
    for day in 0..<120 {
      let launch = try Launch(
        on: store, at: Self.start.advanced(by: .days(day)), [ActivePlanTestsTask.make("a")])
      await launch.active.activated()
      _ = try await launch.scheduler.runEligible()
    }
    let history = await store.load().history
    #expect(history.map(\.number) == Array(21...120))
    #expect(history.last?.began == Self.start.advanced(by: .days(119)))
  }

  @Test func `waits for the date and for what the task needs, and remembers what it waited for`()
    async throws
  {
    let store = MemoryPendingStore()
    let tasks = [
      ActivePlanTestsTask.make("power", power: true), ActivePlanTestsTask.make("none"),
    ]
    let launch = try Launch(on: store, tasks)
    launch.power.append(false)
    await launch.active.activated()
    #expect(try await launch.scheduler.runEligible().map(\.identifier) == ["none"])
    #expect(await store.load().record(of: "power").blocked?.obstacle == .externalPower)
    launch.power.append(true)
    #expect(try await launch.scheduler.runEligible().map(\.identifier) == ["power"])
    let early = try Launch(on: store, at: Self.start.advanced(by: .hours(23)), tasks)
    await early.active.activated()
    #expect(try await early.scheduler.runEligible().isEmpty)
  }

  @Test func `opens the state of an earlier version, in which runs left no history`() throws {
    let old = #"""
      {"lastRunNumber":3,"pending":{"requests":[{"earliestBegin":1714521600000,"identifier":"a","kind":"processing","requiresExternalPower":true,"requiresNetwork":false}]},"records":[{"expirationsInARow":0,"failuresInARow":0,"identifier":"a","lastBegan":1714500000000,"lastOutcome":{"succeeded":{"note":"done"}}}],"runs":[]}
      """#
    let state = try SchedulerState(json: Data(old.utf8))
    #expect(state.pending.requests.map(\.earliestBegin) == [Self.start])
    #expect(state.record(of: "a").lastOutcome == .succeeded(note: "done"))
    #expect(state.history.isEmpty && state.lastRunNumber == 3)
  }

  @Test(.timeLimit(.minutes(1)))
  func `C12: losing power in the middle expires a run that needs it`() async throws {
    let store = MemoryPendingStore()
    let (began, begin) = AsyncStream.makeStream(of: Void.self)
    let launch = try Launch(
      on: store,
      [
        ActivePlanTestsTask.make("a", power: true) { (context) throws(TaskFailure) in
          begin.yield()
          while true {
            try context.budget.check()
            await Task.yield()
          }
        }
      ])
    await launch.active.activated()
    async let reports = launch.scheduler.runEligible()
    for await _ in began { break }
    launch.power.append(false)
    #expect(try await reports.map(\.expired) == [.externalPowerLost])
    #expect(try await launch.scheduler.runEligible().isEmpty)
    #expect(
      try await launch.active.report().statuses.map(\.reason)
        == [.waitingForExternalPower(since: Self.start)])
  }

  @Test func `ends on SIGTERM: the run that goes on expires, and no other begins`() async throws {
    let store = MemoryPendingStore()
    let (began, begin) = AsyncStream.makeStream(of: Void.self)
    let tasks = [
      ActivePlanTestsTask.make("a") { (context) throws(TaskFailure) in
        begin.yield()
        while true {
          try context.budget.check()
          await Task.yield()
        }
      }, ActivePlanTestsTask.make("b"),
    ]
    let launch = try Launch(on: store, tasks)
    await launch.active.activated()
    async let reports = launch.scheduler.runEligible()
    for await _ in began { break }
    launch.scheduler.terminate()
    #expect(try await reports.map(\.expired) == [.terminated])
    let state = try await store.transaction { $0 }
    #expect(state.pending.requests.map(\.identifier) == ["a", "b"])
    #expect(state.runs.isEmpty)
  }
}

/// A task of a plan with a day's interval.
enum ActivePlanTestsTask {
  static func make(
    _ identifier: TaskIdentifier, power: Bool = false, allowance: Duration? = nil,
    work: @escaping @Sendable (TaskContext) async throws(TaskFailure) -> String = { _ in "" }
  ) -> PlannedTask {
    PlannedTask(
      TaskDeclaration(
        request: .processing(identifier, requiresExternalPower: power),
        schedule: .every(.days(1)), allowance: allowance), work: work)
  }
}
