import LoopSimulation
import Testing
import Time

@testable import Scheduling

/// The rules of `BGTaskScheduler`, as the scheduler on virtual time keeps them.
@Suite struct `The scheduler on virtual time` {
  static let start = SchedulerRig.start

  @Test func `C1: never runs a task that is registered and not submitted`() async throws {
    let rig = SchedulerRig()
    try rig.register("a")
    #expect(rig.scheduler.pendingRequests().isEmpty)
    rig.hands.advance(by: .days(30))
    #expect(try await rig.launch().isEmpty)
  }

  @Test func `C2, SCH_4: reports a second handler, a late one and a submission without one`()
    async throws
  {
    let rig = SchedulerRig()
    let ran = Recorder<Int>()
    try rig.register("a") { run in
      ran.append(1)
      run.complete(.ended(.succeeded(note: "")))
    }
    #expect(throws: SchedulerError.alreadyRegistered("a")) {
      try rig.register("a") { run in
        ran.append(2)
        run.complete(.ended(.succeeded(note: "")))
      }
    }
    #expect(throws: SchedulerError.notRegistered("b")) {
      try rig.scheduler.submit(.processing("b"))
    }
    #expect(throws: SchedulerError.registeredTooLate("c")) { try rig.register("c") }
    try rig.scheduler.submit(.processing("a"))
    #expect(try await rig.launch() == ["a"])
    // The first handler stays in its place.
    #expect(ran.elements == [1])
  }

  @Test func `C3: replaces date and conditions of a request with the same identifier`() async throws
  {
    let rig = SchedulerRig()
    try rig.register("a")
    try rig.scheduler.submit(.processing("a", earliestBegin: Self.start))
    let later = TaskRequest.processing(
      "a", earliestBegin: Self.start.advanced(by: .hours(1)), requiresExternalPower: true)
    try rig.scheduler.submit(later)
    #expect(rig.scheduler.pendingRequests() == [later])
  }

  @Test
  func `C4, SCH_3: lets 1 refresh and 10 processing requests wait, a replaced one not counted`()
    async throws
  {
    let rig = SchedulerRig()
    let scheduler = rig.scheduler
    let names = (0...10).map { TaskIdentifier(stringLiteral: "p\($0)") }
    for name in names { try rig.register(name) }
    try rig.register("r0")
    try rig.register("r1")
    for name in names.prefix(10) { try scheduler.submit(.processing(name)) }
    #expect(throws: SchedulerError.tooManyPending(.processing)) {
      try scheduler.submit(.processing(names[10]))
    }
    try scheduler.submit(.processing(names[2], requiresNetwork: true))
    try scheduler.submit(.refresh("r0"))
    #expect(throws: SchedulerError.tooManyPending(.refresh)) {
      try scheduler.submit(.refresh("r1"))
    }
    try scheduler.submit(.refresh("r0", earliestBegin: Self.start))
    #expect(scheduler.pendingRequests().count == 11)
  }

  @Test func `C5, SCH_2: looks at the permitted list, then at availability, then at the limit`()
    async throws
  {
    let rig = SchedulerRig(permitted: ["r0", "r1"])
    let scheduler = rig.scheduler
    #expect(throws: SchedulerError.notPermitted("x")) { try rig.register("x") }
    for name in ["r0", "r1"] as [TaskIdentifier] { try rig.register(name) }
    try scheduler.submit(.refresh("r0"))
    let waiting = scheduler.pendingRequests()
    // The list is full and background work is off, and neither is what is told of an unknown name.
    rig.setAvailable(false)
    #expect(throws: SchedulerError.notPermitted("x")) {
      try scheduler.submit(.refresh("x"))
    }
    #expect(throws: SchedulerError.unavailable) {
      try scheduler.submit(.refresh("r1"))
    }
    // A replacement that is refused leaves the older request alone.
    #expect(throws: SchedulerError.unavailable) {
      try scheduler.submit(.refresh("r0", earliestBegin: Self.start))
    }
    rig.setAvailable(true)
    #expect(throws: SchedulerError.notPermitted("x")) {
      try scheduler.submit(.refresh("x"))
    }
    #expect(throws: SchedulerError.tooManyPending(.refresh)) {
      try scheduler.submit(.refresh("r1"))
    }
    #expect(scheduler.pendingRequests() == waiting)
  }

  @Test func `C6: refuses a request without a handler, and goes on`() async throws {
    let rig = SchedulerRig()
    #expect(throws: SchedulerError.notRegistered("a")) {
      try rig.scheduler.submit(.processing("a"))
    }
    #expect(rig.scheduler.pendingRequests().isEmpty)
    #expect(try await rig.launch().isEmpty)
  }

  @Test func `C7: never begins before the date, and at any time after it`() async throws {
    let rig = SchedulerRig()
    try rig.register("a")
    try rig.scheduler.submit(
      .processing("a", earliestBegin: Self.start.advanced(by: .hours(1))))
    rig.hands.advance(by: .hours(1) - .milliseconds(1))
    #expect(try await rig.launch().isEmpty)
    rig.hands.advance(by: .days(3))
    #expect(rig.scheduler.pendingRequests().count == 1)
    #expect(try await rig.launch() == ["a"])
  }

  @Test func `C8: takes the request before the handler starts, and keeps what that submits`()
    async throws
  {
    let rig = SchedulerRig()
    let next = TaskRequest.processing("a", earliestBegin: Self.start.advanced(by: .hours(1)))
    let seen = Recorder<[TaskRequest]>()
    try rig.register("a") { [scheduler = rig.scheduler] run in
      _ = Task {
        seen.append(scheduler.pendingRequests())
        try scheduler.submit(next)
        run.complete(.ended(.succeeded(note: "")))
      }
    }
    try rig.scheduler.submit(.processing("a"))
    #expect(try await rig.launch() == ["a"])
    #expect(seen.elements == [[]])
    #expect(rig.scheduler.pendingRequests() == [next])
    #expect(try await rig.launch().isEmpty)
  }

  @Test func `takes the network for a condition of the beginning, and power too`() async throws {
    let rig = SchedulerRig()
    for name in ["network", "power", "none"] as [TaskIdentifier] { try rig.register(name) }
    try rig.scheduler.submit(.processing("network", requiresNetwork: true))
    try rig.scheduler.submit(.processing("power", requiresExternalPower: true))
    try rig.scheduler.submit(.processing("none"))
    rig.hands.setNetwork(false)
    rig.hands.setExternalPower(false)
    #expect(try await rig.launch() == ["none"])
    rig.hands.setNetwork(true)
    #expect(try await rig.launch() == ["network"])
    rig.hands.setExternalPower(true)
    #expect(try await rig.launch() == ["power"])
  }

  @Test func `C9: tells a run to stop once, and takes its completion`()
    async throws
  {
    let rig = SchedulerRig()
    let told = Recorder<ExpirationCause>()
    try rig.register("a") { run in run.setExpirationHandler { cause in told.append(cause) } }
    try rig.scheduler.submit(.processing("a"))
    let run = try #require(rig.hands.launchEligible().first)
    rig.hands.advance(by: .seconds(29))
    #expect(told.elements == [])
    rig.hands.advance(by: .seconds(1))
    rig.hands.advance(by: .seconds(4))
    run.expire(.terminated)
    #expect(told.elements == [.deadline])
    #expect(run.success == nil)
    run.complete(.ended(.expired(.deadline)))
    #expect(run.success == false)
  }

  @Test func `C11: lets the first completion win, and none come after expiry`() {
    let completions = Recorder<Bool>()
    let run = TaskRun("a") { success in completions.append(success) }
    run.setExpirationHandler { _ in run.complete(.ended(.failed(reason: ""))) }
    run.expire(.deadline)
    #expect(!run.complete(.ended(.succeeded(note: ""))))
    run.expire(.terminated)
    #expect(completions.elements == [false])
    #expect(run.success == false && run.expired == .deadline)
  }

  @Test func `C12: a run that needs external power expires when it goes, another does not`()
    async throws
  {
    let rig = SchedulerRig()
    try rig.register("needs") { _ in }
    try rig.register("does-not") { _ in }
    try rig.scheduler.submit(.processing("needs", requiresExternalPower: true))
    try rig.scheduler.submit(.processing("does-not"))
    let runs = rig.hands.launchEligible()
    #expect(runs.map(\.identifier) == ["needs", "does-not"])
    #expect(runs.allSatisfy { $0.expired == nil })
    rig.hands.setExternalPower(false)
    #expect(runs.map(\.expired) == [.externalPowerLost, nil])
  }

  @Test func `C13: hands out copies of what waits`() async throws {
    let rig = SchedulerRig()
    try rig.register("a")
    try rig.scheduler.submit(
      .processing("a", earliestBegin: Self.start.advanced(by: .days(1))))
    var copies = rig.scheduler.pendingRequests()
    copies[0] = copies[0].beginning(at: Self.start)
    #expect(try await rig.launch().isEmpty)
    copies.removeAll()
    #expect(rig.scheduler.pendingRequests().count == 1)
  }

  @Test func `C14: keeps what waits between processes, never a handler`() throws {
    let rig = SchedulerRig()
    try rig.register("a")
    try rig.scheduler.submit(.processing("a"))
    rig.hands.kill()
    #expect(rig.scheduler.pendingRequests() == [.processing("a")])
    #expect(rig.hands.launchEligible().isEmpty)
    #expect(throws: SchedulerError.notRegistered("a")) {
      try rig.scheduler.submit(.processing("a"))
    }
  }

  @Test
  func `mirrors what is to wait: cancels the rest, keeps, replaces and tells what it refuses`()
    async throws
  {
    let rig = SchedulerRig()
    for name in ["kept", "moved", "gone"] as [TaskIdentifier] { try rig.register(name) }
    let first: [TaskRequest] = [.processing("gone"), .processing("kept"), .processing("moved")]
    #expect(await rig.scheduler.mirror(first).isEmpty)
    #expect(rig.scheduler.pendingRequests() == first)
    let wanted: [TaskRequest] = [
      .processing("kept"), .processing("moved", earliestBegin: Self.start),
    ]
    #expect(
      await rig.scheduler.mirror(wanted + [.processing("other")])
        == ["other": .notRegistered("other")])
    #expect(rig.scheduler.pendingRequests() == wanted)
  }
}
