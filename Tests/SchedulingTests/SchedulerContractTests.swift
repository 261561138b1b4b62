import Testing

@testable import Scheduling

/// Rules that every scheduler of ours keeps, on virtual time: those of `BGTaskScheduler`.
@Suite struct `A scheduler` {
  static let start = Moment(milliseconds: 1_714_521_600_000)
  let scheduler = VirtualScheduler(at: start)

  private func register(
    _ identifier: TaskIdentifier, allowance: Duration = .seconds(30),
    launch: @escaping @Sendable (TaskRun) -> Void = { _ in }
  ) throws {
    try scheduler.register(
      TaskRegistration(identifier: identifier, allowance: allowance, launch: launch))
  }

  @Test func `C1: never runs a task that is registered and not submitted`() async throws {
    try register("a")
    #expect(await scheduler.pendingRequests().isEmpty)
    scheduler.advance(by: .days(30))
    #expect(scheduler.launchEligible().isEmpty)
  }

  @Test func `C2, SCH_4: reports a second handler, a late one and a submission without one`()
    async throws
  {
    try register("a")
    #expect(throws: SchedulerError.alreadyRegistered("a")) { try register("a") }
    await #expect(throws: SchedulerError.notRegistered("b")) {
      try await scheduler.submit(.processing("b"))
    }
    #expect(throws: SchedulerError.registeredTooLate("c")) { try register("c") }
    try await scheduler.submit(.processing("a"))
    #expect(scheduler.launchEligible().count == 1)
  }

  @Test func `C3: replaces date and conditions of a request with the same identifier`() async throws
  {
    try register("a")
    try await scheduler.submit(.processing("a", earliestBegin: Self.start))
    let later = TaskRequest.processing(
      "a", earliestBegin: Self.start.advanced(by: .hours(1)), requiresExternalPower: true)
    try await scheduler.submit(later)
    #expect(await scheduler.pendingRequests() == [later])
  }

  @Test
  func `C4, SCH_3: lets 1 refresh and 10 processing requests wait, a replaced one not counted`()
    async throws
  {
    let names = (0...10).map { TaskIdentifier(stringLiteral: "p\($0)") }
    for name in names { try register(name) }
    try register("r0")
    try register("r1")
    for name in names.prefix(10) { try await scheduler.submit(.processing(name)) }
    await #expect(throws: SchedulerError.tooManyPending(.processing)) {
      try await scheduler.submit(.processing(names[10]))
    }
    try await scheduler.submit(.processing(names[2], requiresNetwork: true))
    try await scheduler.submit(.refresh("r0"))
    await #expect(throws: SchedulerError.tooManyPending(.refresh)) {
      try await scheduler.submit(.refresh("r1"))
    }
    try await scheduler.submit(.refresh("r0", earliestBegin: Self.start))
    #expect(await scheduler.pendingRequests().count == 11)
  }

  @Test func `C5, SCH_2: looks at the permitted list, then at availability, then at the limit`()
    async throws
  {
    let scheduler = VirtualScheduler(at: Self.start, permitted: ["r0", "r1"])
    #expect(throws: SchedulerError.notPermitted("x")) {
      try scheduler.register(
        TaskRegistration(identifier: "x", allowance: .seconds(30)) { _ in })
    }
    for name in ["r0", "r1"] as [TaskIdentifier] {
      try scheduler.register(
        TaskRegistration(identifier: name, allowance: .seconds(30)) { _ in })
    }
    try await scheduler.submit(.refresh("r0"))
    let waiting = await scheduler.pendingRequests()
    scheduler.setAvailable(false)
    await #expect(throws: SchedulerError.notPermitted("x")) {
      try await scheduler.submit(.refresh("x"))
    }
    await #expect(throws: SchedulerError.unavailable) {
      try await scheduler.submit(.refresh("r1"))
    }
    // A replacement that is refused leaves the older request alone.
    await #expect(throws: SchedulerError.unavailable) {
      try await scheduler.submit(.refresh("r0", earliestBegin: Self.start))
    }
    scheduler.setAvailable(true)
    await #expect(throws: SchedulerError.tooManyPending(.refresh)) {
      try await scheduler.submit(.refresh("r1"))
    }
    #expect(await scheduler.pendingRequests() == waiting)
    #expect(SchedulerError.notPermitted("x").isFinal && SchedulerError.unavailable.isFinal)
    #expect(!SchedulerError.tooManyPending(.refresh).isFinal)
  }

  @Test func `C6: refuses a request without a handler, and goes on`() async throws {
    await #expect(throws: SchedulerError.notRegistered("a")) {
      try await scheduler.submit(.processing("a"))
    }
    #expect(await scheduler.pendingRequests().isEmpty)
    #expect(scheduler.launchEligible().isEmpty)
  }

  @Test func `C7: never begins before the date, and at any time after it`() async throws {
    try register("a")
    try await scheduler.submit(
      .processing("a", earliestBegin: Self.start.advanced(by: .hours(1))))
    scheduler.advance(by: .hours(1) - .milliseconds(1))
    #expect(scheduler.launchEligible().isEmpty)
    scheduler.advance(by: .days(3))
    #expect(await scheduler.pendingRequests().count == 1)
    #expect(scheduler.launchEligible().count == 1)
  }

  @Test func `C8: takes the request before the handler starts, and keeps what that submits`()
    async throws
  {
    let next = TaskRequest.processing("a", earliestBegin: Self.start.advanced(by: .hours(1)))
    let seen = Recorder<[TaskRequest]>()
    try register("a") { [scheduler] run in
      _ = Task {
        let waiting = await scheduler.pendingRequests()
        seen.append(waiting)
        try await scheduler.submit(next)
        run.complete(success: true)
      }
    }
    try await scheduler.submit(.processing("a"))
    let run = try #require(scheduler.launchEligible().first)
    #expect(await run.completion())
    #expect(seen.elements == [[]])
    #expect(await scheduler.pendingRequests() == [next])
    #expect(scheduler.launchEligible().isEmpty)
  }

  @Test func `C9: tells a run to stop once, waits for the grace period, then ends it as failed`()
    async throws
  {
    let told = Recorder<ExpirationCause>()
    try register("a") { run in
      run.setExpirationHandler { cause in told.append(cause) }
    }
    try await scheduler.submit(.processing("a"))
    let run = try #require(scheduler.launchEligible().first)
    scheduler.advance(by: .seconds(29))
    #expect(told.elements == [])
    scheduler.advance(by: .seconds(1))
    scheduler.advance(by: .seconds(4))
    scheduler.expire(run, .terminated)
    #expect(told.elements == [.deadline])
    #expect(run.success == nil)
    scheduler.advance(by: .seconds(5))
    #expect(run.success == false)
  }

  @Test func `C10: ends a run without an expiration handler as failed`() async throws {
    try register("a")
    try await scheduler.submit(.processing("a"))
    let run = try #require(scheduler.launchEligible().first)
    scheduler.advance(by: .seconds(30))
    #expect(run.success == false)
  }

  @Test func `C11: lets the first completion win, and none come after expiry`() {
    let completions = Recorder<Bool>()
    let run = TaskRun("a") { success in completions.append(success) }
    run.setExpirationHandler { _ in run.complete(success: false) }
    run.expire(.deadline)
    #expect(!run.complete(success: true))
    run.expire(.terminated)
    #expect(completions.elements == [false])
    #expect(run.success == false && run.expired == .deadline)
  }

  @Test func `C12: a run that needs external power expires when it goes, another does not`()
    async throws
  {
    try register("needs")
    try register("does-not")
    try await scheduler.submit(.processing("needs", requiresExternalPower: true))
    try await scheduler.submit(.processing("does-not"))
    scheduler.setExternalPower(false)
    #expect(scheduler.launchEligible().map(\.identifier) == ["does-not"])
    scheduler.setExternalPower(true)
    let run = try #require(scheduler.launchEligible().first)
    #expect(run.identifier == "needs" && run.expired == nil)
    scheduler.setExternalPower(false)
    #expect(run.expired == .externalPowerLost)
  }

  @Test func `C13: hands out copies of what waits`() async throws {
    try register("a")
    try await scheduler.submit(.processing("a", earliestBegin: Self.start.advanced(by: .days(1))))
    var copies = await scheduler.pendingRequests()
    copies[0] = copies[0].beginning(at: Self.start)
    #expect(scheduler.launchEligible().isEmpty)
    copies.removeAll()
    #expect(await scheduler.pendingRequests().count == 1)
  }

  @Test func `C14: keeps what waits and the last outcome between processes, never a handler`()
    async throws
  {
    var state = SchedulerState()
    let admission = RequestQueue.Admission(registered: ["a"])
    try state.pending.submit(.processing("a"), admission: admission)
    let environment = LoopEnvironment(
      store: MemoryPendingStore(try SchedulerState(json: state.json())),
      time: scheduler.time, clock: .utc, owner: RunOwner(token: "next") { _, _ in false },
      conditions: { RunConditions(externalPower: true, network: true) })
    let next = StoreScheduler(environment)
    #expect(try await next.pendingRequests() == [.processing("a")])
    #expect(try await next.runEligible().isEmpty)
    await #expect(throws: SchedulerError.notRegistered("a")) {
      try await next.submit(.processing("a"))
    }
  }
}
