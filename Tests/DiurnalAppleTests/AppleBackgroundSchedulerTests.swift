import BackgroundTasks
import DiurnalApple
import Foundation
import LoopSimulation
import Testing
import Time

@testable import Scheduling

/// The adapter over a phone that keeps Apple's rules.
@Suite(.timeLimit(.minutes(1))) struct `The scheduler on a phone` {
  static let start = Instant(milliseconds: 1_714_521_600_000)
  static let all: Set = ["a", "b", "c", "r"]

  private static func scheduler(
    of phone: BGTaskScheduler.System, permitted: Set<String> = all, ownedByApp: Set<String> = [],
    power: Bool? = nil
  ) -> AppleBackgroundScheduler {
    AppleBackgroundScheduler(
      ownedByApp: ownedByApp, permitted: permitted, isOnExternalPower: { power },
      system: { BGTaskScheduler(phone) })
  }

  private static func registration(
    _ request: TaskRequest, launch: @escaping @Sendable (TaskRun) -> Void = { _ in }
  ) -> TaskRegistration {
    TaskRegistration(request: request, allowance: .seconds(30), launch: launch)
  }

  @Test
  func `names the identifier that Info.plist does not permit, and asks nothing of the system`()
    throws
  {
    let phone = BGTaskScheduler.System(permitted: Self.all)
    let scheduler = Self.scheduler(of: phone, permitted: ["a"])
    try scheduler.register(Self.registration(.processing("a")))
    #expect(throws: SchedulerError.notPermitted("b")) {
      try scheduler.register(Self.registration(.processing("b")))
    }
  }

  @Test func `refuses what would end the app: a second handler, and one after the launch`()
    async throws
  {
    let phone = BGTaskScheduler.System(permitted: Self.all)
    let scheduler = Self.scheduler(of: phone)
    try scheduler.register(Self.registration(.processing("a")))
    #expect(throws: SchedulerError.alreadyRegistered("a")) {
      try scheduler.register(Self.registration(.processing("a")))
    }
    #expect(await scheduler.mirror([.processing("a")]).isEmpty)
    #expect(throws: SchedulerError.registeredTooLate("b")) {
      try scheduler.register(Self.registration(.processing("b")))
    }
    #expect(phone.deaths.isEmpty)
  }

  @Test func `submits kind, date and conditions as they are wanted, and each only once`()
    async throws
  {
    let phone = BGTaskScheduler.System(permitted: Self.all)
    let scheduler = Self.scheduler(of: phone)
    // A date that no binary fraction of a second holds.
    let date = Self.start.advanced(by: .milliseconds(1))
    let wanted: [TaskRequest] = [
      .processing("a", earliestBegin: date, requiresExternalPower: true),
      .processing("b", requiresNetwork: true), .refresh("r", earliestBegin: date),
    ]
    for request in wanted { try scheduler.register(Self.registration(request)) }
    for _ in 0..<3 { #expect(await scheduler.mirror(wanted).isEmpty) }
    #expect(phone.submissions == 3)
    #expect(phone.pending.map(\.identifier) == ["a", "b", "r"])
    #expect(phone.pending.map(\.isProcessing) == [true, true, false])
    #expect(phone.pending.map(\.requiresExternalPower) == [true, false, false])
    #expect(phone.pending.map(\.requiresNetwork) == [false, true, false])
    #expect(phone.pending[0].earliestBegin?.timeIntervalSince1970 == 1_714_521_600.001)
    #expect(phone.pending[1].earliestBegin == nil)
  }

  @Test func `replaces what changed, cancels what is not wanted, leaves the app's own alone`()
    async throws
  {
    let phone = BGTaskScheduler.System(permitted: Self.all)
    try BGTaskScheduler(phone).submit(BGProcessingTaskRequest(identifier: "c"))
    let scheduler = Self.scheduler(of: phone, ownedByApp: ["c"])
    for name in ["a", "b"] as [TaskIdentifier] {
      try scheduler.register(Self.registration(.processing(name)))
    }
    _ = await scheduler.mirror([.processing("a"), .processing("b")])
    let later = TaskRequest.processing("b", earliestBegin: Self.start)
    #expect(await scheduler.mirror([later]).isEmpty)
    #expect(phone.pending.map(\.identifier) == ["c", "b"])
    #expect(phone.pending[1].earliestBegin?.timeIntervalSince1970 == 1_714_521_600)
  }

  @Test func `tells errors of the system as ours, and the others wait`() async throws {
    let phone = BGTaskScheduler.System(permitted: ["a", "b", "r"])
    let scheduler = Self.scheduler(of: phone)
    try scheduler.register(Self.registration(.refresh("a")))
    try scheduler.register(Self.registration(.refresh("b")))
    // Info.plist was read otherwise than the system reads it.
    #expect(throws: SchedulerError.notPermitted("c")) {
      try scheduler.register(Self.registration(.processing("c")))
    }
    #expect(
      await scheduler.mirror([.refresh("a"), .refresh("b"), .processing("r")]) == [
        "b": .tooManyPending(.refresh), "r": .notRegistered("r"),
      ])
    phone.setAvailable(false)
    #expect(
      await scheduler.mirror([.refresh("a"), .refresh("b")]) == ["b": .unavailable])
    #expect(phone.pending.map(\.identifier) == ["a"])
  }

  @Test func `completes a run once, on whatever thread`() async throws {
    let phone = BGTaskScheduler.System(permitted: Self.all)
    let scheduler = Self.scheduler(of: phone)
    try scheduler.register(
      Self.registration(.processing("a")) { run in
        Task.detached {
          run.complete(.ended(.succeeded(note: "")))
          run.complete(.ended(.failed(reason: "")))
        }
      })
    _ = await scheduler.mirror([.processing("a")])
    let launch = try #require(phone.launch("a"))
    try await wait { !launch.completions.isEmpty }
    launch.expire()
    #expect(launch.completions == [true])
  }

  private static let expirations: [(Bool, Bool?, ExpirationCause)] = [
    (true, false, .externalPowerLost), (true, true, .deadline), (true, nil, .deadline),
    (false, false, .deadline),
  ]

  @Test(arguments: expirations)
  func `hands an expiration to the run, with the cause that is seen`(
    needsPower: Bool, power: Bool?, cause: ExpirationCause
  ) async throws {
    let phone = BGTaskScheduler.System(permitted: Self.all)
    let scheduler = Self.scheduler(of: phone, power: power)
    let (runs, started) = AsyncStream.makeStream(of: TaskRun.self)
    let request = TaskRequest.processing("a", requiresExternalPower: needsPower)
    try scheduler.register(Self.registration(request) { started.yield($0) })
    _ = await scheduler.mirror([request])
    let launch = try #require(phone.launch("a"))
    for await run in runs {
      launch.expire()
      #expect(run.expired == cause)
      run.complete(.ended(.expired(cause)))
      break
    }
    try await wait { !launch.completions.isEmpty }
    #expect(launch.completions == [false])
  }

  @Test func `drives a plan: every task submitted at launch, and again by each of its runs`()
    async throws
  {
    let phone = BGTaskScheduler.System(permitted: Self.all)
    let store = MemoryPendingStore()
    let environment = LoopEnvironment(
      store: store,
      time: TimeSource(
        now: { Self.start }, elapsed: { .zero }, sleep: { _ in }, processorTime: { .zero }),
      zone: .utc, owner: RunOwner(token: "app") { _, _ in true },
      conditions: { RunConditions(externalPower: nil, network: nil) })
    let tasks = [TaskRequest.processing("a", requiresExternalPower: true), .refresh("r")].map {
      PlannedTask(TaskDeclaration(request: $0, schedule: .every(.days(1)))) { _ in "done" }
    }
    let active = try BackgroundPlan(tasks).activate(
      on: Self.scheduler(of: phone), environment: environment)
    phone.finishLaunching()
    #expect(await active.activated().isEmpty)
    #expect(phone.pending.map(\.identifier) == ["a", "r"])

    // The system has judged that there is power; that we do not know it changes nothing.
    let launch = try #require(phone.launch("a"))
    try await wait { !launch.completions.isEmpty }
    #expect(launch.completions == [true])
    #expect(Set(phone.pending.map(\.identifier)) == ["a", "r"])
    #expect(
      phone.pending.first { $0.identifier == "a" }?.earliestBegin?.timeIntervalSince1970
        == Double(Self.start.advanced(by: .days(1)).milliseconds) / 1000)
    #expect(await store.load().record(of: "a").lastOutcome == .succeeded(note: "done"))

    // The next launch keeps what waits: daily launches postpone nothing.
    phone.kill()
    let before = phone.submissions
    let next = try BackgroundPlan(tasks).activate(
      on: Self.scheduler(of: phone), environment: environment)
    #expect(await next.activated().isEmpty)
    #expect(phone.submissions == before)
    #expect(phone.deaths.isEmpty)
  }
}
