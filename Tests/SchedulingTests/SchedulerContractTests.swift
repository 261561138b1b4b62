import Testing
import Time

@testable import Scheduling

/// Rules that every scheduler of ours keeps, those of `BGTaskScheduler`: on virtual time and on the store.
@Suite struct `A scheduler` {
  static let start = SchedulerRig.start

  @Test(arguments: SchedulerKind.allCases)
  func `C1: never runs a task that is registered and not submitted`(kind: SchedulerKind)
    async throws
  {
    let rig = SchedulerRig(kind)
    try rig.register("a")
    #expect(try await rig.scheduler.pendingRequests().isEmpty)
    rig.hands.advance(by: .days(30))
    #expect(try await rig.launch().isEmpty)
  }

  @Test(arguments: SchedulerKind.allCases)
  func `C2, SCH_4: reports a second handler, a late one and a submission without one`(
    kind: SchedulerKind
  ) async throws {
    let rig = SchedulerRig(kind)
    let ran = Recorder<Int>()
    try rig.register("a") { run in
      ran.append(1)
      run.complete(success: true)
    }
    #expect(throws: SchedulerError.alreadyRegistered("a")) {
      try rig.register("a") { run in
        ran.append(2)
        run.complete(success: true)
      }
    }
    await #expect(throws: SchedulerError.notRegistered("b")) {
      try await rig.scheduler.submit(.processing("b"))
    }
    #expect(throws: SchedulerError.registeredTooLate("c")) { try rig.register("c") }
    try await rig.scheduler.submit(.processing("a"))
    #expect(try await rig.launch() == ["a"])
    // The first handler stays in its place.
    #expect(ran.elements == [1])
  }

  @Test(arguments: SchedulerKind.allCases)
  func `C3: replaces date and conditions of a request with the same identifier`(
    kind: SchedulerKind
  ) async throws {
    let rig = SchedulerRig(kind)
    try rig.register("a")
    try await rig.scheduler.submit(.processing("a", earliestBegin: Self.start))
    let later = TaskRequest.processing(
      "a", earliestBegin: Self.start.advanced(by: .hours(1)), requiresExternalPower: true)
    try await rig.scheduler.submit(later)
    #expect(try await rig.scheduler.pendingRequests() == [later])
  }

  @Test(arguments: SchedulerKind.allCases)
  func `C4, SCH_3: lets 1 refresh and 10 processing requests wait, a replaced one not counted`(
    kind: SchedulerKind
  ) async throws {
    let rig = SchedulerRig(kind)
    let scheduler = rig.scheduler
    let names = (0...10).map { TaskIdentifier(stringLiteral: "p\($0)") }
    for name in names { try rig.register(name) }
    try rig.register("r0")
    try rig.register("r1")
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
    #expect(try await scheduler.pendingRequests().count == 11)
  }

  @Test(arguments: SchedulerKind.allCases)
  func `C5, SCH_2: looks at the permitted list, then at availability, then at the limit`(
    kind: SchedulerKind
  ) async throws {
    let rig = SchedulerRig(kind, permitted: ["r0", "r1"])
    let scheduler = rig.scheduler
    #expect(throws: SchedulerError.notPermitted("x")) { try rig.register("x") }
    for name in ["r0", "r1"] as [TaskIdentifier] { try rig.register(name) }
    try await scheduler.submit(.refresh("r0"))
    let waiting = try await scheduler.pendingRequests()
    // The list is full and background work is off, and neither is what is told of an unknown name.
    rig.setAvailable(false)
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
    rig.setAvailable(true)
    await #expect(throws: SchedulerError.notPermitted("x")) {
      try await scheduler.submit(.refresh("x"))
    }
    await #expect(throws: SchedulerError.tooManyPending(.refresh)) {
      try await scheduler.submit(.refresh("r1"))
    }
    #expect(try await scheduler.pendingRequests() == waiting)
    #expect(SchedulerError.notPermitted("x").isFinal && SchedulerError.unavailable.isFinal)
    #expect(!SchedulerError.tooManyPending(.refresh).isFinal)
  }

  @Test(arguments: SchedulerKind.allCases)
  func `C6: refuses a request without a handler, and goes on`(kind: SchedulerKind) async throws {
    let rig = SchedulerRig(kind)
    await #expect(throws: SchedulerError.notRegistered("a")) {
      try await rig.scheduler.submit(.processing("a"))
    }
    #expect(try await rig.scheduler.pendingRequests().isEmpty)
    #expect(try await rig.launch().isEmpty)
  }

  @Test(arguments: SchedulerKind.allCases)
  func `C7: never begins before the date, and at any time after it`(kind: SchedulerKind)
    async throws
  {
    let rig = SchedulerRig(kind)
    try rig.register("a")
    try await rig.scheduler.submit(
      .processing("a", earliestBegin: Self.start.advanced(by: .hours(1))))
    rig.hands.advance(by: .hours(1) - .milliseconds(1))
    #expect(try await rig.launch().isEmpty)
    rig.hands.advance(by: .days(3))
    #expect(try await rig.scheduler.pendingRequests().count == 1)
    #expect(try await rig.launch() == ["a"])
  }

  @Test(arguments: SchedulerKind.allCases)
  func `C8: takes the request before the handler starts, and keeps what that submits`(
    kind: SchedulerKind
  ) async throws {
    let rig = SchedulerRig(kind)
    let next = TaskRequest.processing("a", earliestBegin: Self.start.advanced(by: .hours(1)))
    let seen = Recorder<[TaskRequest]>()
    try rig.register("a") { [scheduler = rig.scheduler] run in
      _ = Task {
        seen.append(try await scheduler.pendingRequests())
        try await scheduler.submit(next)
        run.complete(success: true)
      }
    }
    try await rig.scheduler.submit(.processing("a"))
    #expect(try await rig.launch() == ["a"])
    #expect(seen.elements == [[]])
    #expect(try await rig.scheduler.pendingRequests() == [next])
    #expect(try await rig.launch().isEmpty)
  }

  @Test(arguments: SchedulerKind.allCases)
  func `takes the network for a condition of the beginning, and power too`(kind: SchedulerKind)
    async throws
  {
    let rig = SchedulerRig(kind)
    for name in ["network", "power", "none"] as [TaskIdentifier] { try rig.register(name) }
    try await rig.scheduler.submit(.processing("network", requiresNetwork: true))
    try await rig.scheduler.submit(.processing("power", requiresExternalPower: true))
    try await rig.scheduler.submit(.processing("none"))
    rig.hands.setNetwork(false)
    rig.hands.setExternalPower(false)
    #expect(try await rig.launch() == ["none"])
    rig.hands.setNetwork(true)
    #expect(try await rig.launch() == ["network"])
    rig.hands.setExternalPower(true)
    #expect(try await rig.launch() == ["power"])
  }

  @Test func `C9: tells a run to stop once, waits for the grace period, then ends it as failed`()
    async throws
  {
    let rig = SchedulerRig(.virtual)
    let told = Recorder<ExpirationCause>()
    try rig.register("a") { run in run.setExpirationHandler { cause in told.append(cause) } }
    try await rig.scheduler.submit(.processing("a"))
    let run = try #require(rig.hands.launchEligible().first)
    rig.hands.advance(by: .seconds(29))
    #expect(told.elements == [])
    rig.hands.advance(by: .seconds(1))
    rig.hands.advance(by: .seconds(4))
    rig.hands.expire(run, .terminated)
    #expect(told.elements == [.deadline])
    #expect(run.success == nil)
    rig.hands.advance(by: .seconds(5))
    #expect(run.success == false)
  }

  @Test(.timeLimit(.minutes(1)))
  func `C9, C10: on the store, ends what does not answer, told or not, and goes on`() async throws {
    let rig = SchedulerRig(.store)
    let told = Recorder<ExpirationCause>()
    try rig.register("told", allowance: .milliseconds(20)) { run in
      run.setExpirationHandler { cause in told.append(cause) }
    }
    try rig.register("mute", allowance: .milliseconds(20)) { _ in }
    try rig.register("next")
    for name in ["told", "mute", "next"] as [TaskIdentifier] {
      try await rig.scheduler.submit(.processing(name))
    }
    let store = try #require(rig.scheduler as? StoreScheduler)
    let reports = try await store.runEligible()
    #expect(reports.map(\.identifier) == ["told", "mute", "next"])
    #expect(reports.map(\.success) == [false, false, true])
    #expect(told.elements == [.deadline])
  }

  @Test func `C10: ends a run without an expiration handler as failed`() async throws {
    let rig = SchedulerRig(.virtual)
    try rig.register("a") { _ in }
    try await rig.scheduler.submit(.processing("a"))
    let run = try #require(rig.hands.launchEligible().first)
    rig.hands.advance(by: .seconds(30))
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
    let rig = SchedulerRig(.virtual)
    try rig.register("needs") { _ in }
    try rig.register("does-not") { _ in }
    try await rig.scheduler.submit(.processing("needs", requiresExternalPower: true))
    try await rig.scheduler.submit(.processing("does-not"))
    let runs = rig.hands.launchEligible()
    #expect(runs.map(\.identifier) == ["needs", "does-not"])
    #expect(runs.allSatisfy { $0.expired == nil })
    rig.hands.setExternalPower(false)
    #expect(runs.map(\.expired) == [.externalPowerLost, nil])
  }

  @Test(arguments: SchedulerKind.allCases)
  func `C13: hands out copies of what waits`(kind: SchedulerKind) async throws {
    let rig = SchedulerRig(kind)
    try rig.register("a")
    try await rig.scheduler.submit(
      .processing("a", earliestBegin: Self.start.advanced(by: .days(1))))
    var copies = try await rig.scheduler.pendingRequests()
    copies[0] = copies[0].beginning(at: Self.start)
    #expect(try await rig.launch().isEmpty)
    copies.removeAll()
    #expect(try await rig.scheduler.pendingRequests().count == 1)
  }

  @Test func `C14: keeps what waits and the last outcome between processes, never a handler`()
    async throws
  {
    let state = MemoryPendingStore()
    let first = SchedulerRig(.store, on: state)
    try first.register("a")
    try await first.scheduler.submit(.processing("a"))
    let saved = try await state.load().json()
    // The next process has the bytes and nothing else.
    let next = SchedulerRig(.store, on: MemoryPendingStore(try SchedulerState(json: saved)))
    #expect(try await next.scheduler.pendingRequests() == [.processing("a")])
    #expect(try await next.launch().isEmpty)
    await #expect(throws: SchedulerError.notRegistered("a")) {
      try await next.scheduler.submit(.processing("a"))
    }
    // On virtual time too what waits outlives the process, and its handlers do not.
    let virtual = SchedulerRig(.virtual)
    try virtual.register("a")
    try await virtual.scheduler.submit(.processing("a"))
    virtual.hands.kill()
    #expect(try await virtual.scheduler.pendingRequests() == [.processing("a")])
    #expect(try await virtual.launch().isEmpty)
    await #expect(throws: SchedulerError.notRegistered("a")) {
      try await virtual.scheduler.submit(.processing("a"))
    }
  }
}
