internal import Scheduling
import Time

/// The loop, driven through what can happen to it: the same machine, queue and state as in the product,
/// under power cuts, kills between any two effects, expirations, failures, clock jumps, zone changes,
/// second processes, late imports, edits and deliveries, and checked after every step.
///
/// A seed decides everything: two simulations of one seed, fault and world go the same way step by step.
package struct Simulation<World: SimulationWorld> {
  /// What it works on.
  public internal(set) var world: World
  let seed: UInt64
  let fault: SimulatedFault?
  let keepsTrace: Bool
  var report = SimulationReport()

  var machine: LoopMachine
  var random: SimulationRandom
  private var events: SimulatedEvents

  /// The wall clock, which is set, and the time that has truly passed, which is not.
  var now = Instant(milliseconds: 1_714_521_600_000)
  var uptime = Duration.zero
  var utcOffset = 0
  /// How often tasks are wanted where the person has changed it, by the task's number.
  private var intervals: [Int: Duration] = [:]
  /// The loop with the intervals it began with, for the planted fault.
  var firstMachine: LoopMachine { Self.machine(utcOffset: utcOffset) }
  var conditions = RunConditions(externalPower: true, network: true)

  var oracle = SimulationOracle()
  /// The folder that the refresh reads.
  var inbox: [SimulatedEntry] = []
  var processCount = 0
  var livingProcesses: Set<String> = []
  var effectsUntilKill: Int?
  /// True from a step of the clock or the zone until the next launch has looked at it.
  var isUnsettled = false

  /// A simulation of this seed in a fresh world, with one safeguard left out where a fault is named; faults
  /// of the world's own part are the world's to commit.
  public init(seed: UInt64, fault: SimulatedFault? = nil, world: World, keepsTrace: Bool = false) {
    self.seed = seed
    self.fault = fault
    self.world = world
    self.keepsTrace = keepsTrace
    events = SimulatedEvents(seed: seed)
    random = SimulationRandom(seed: ~seed)
    machine = Self.machine(utcOffset: 0)
  }

  /// Simulates so many days of true time, or fewer where an invariant does not hold.
  public mutating func run(days: Int) async -> SimulationReport {
    let end = uptime + .days(days)
    while report.violation == nil {
      let (wait, event) = events.next()
      guard uptime + wait < end else {
        uptime = end
        break
      }
      pass(wait)
      report.events += 1
      note("\(event)", code: event.code)
      do {
        try await happen(event)
        try await checkDay()
      } catch {
        // A violation: the report has it, and the loop ends.
      }
    }
    if report.violation == nil {
      do { try await checkAll() } catch {
        // As above.
      }
    }
    report.days = Int(uptime.components.seconds / 86_400)
    return report
  }

  var today: Int { machine.zone.day(of: now).number }

  mutating func pass(_ duration: Duration) {
    uptime += duration
    now = now.advanced(by: duration)
  }

  /// An as-of moment that no other entry has: one device's edits are ordered even when its clock is not.
  private mutating func stamp(age: Duration) -> Instant {
    oracle.uniqueStamp(now.advanced(by: .zero - age))
  }

  private mutating func happen(_ event: SimulatedEvent) async throws(SimulatedInterruption) {
    switch event {
    case .launch(let killedAfter):
      await launch(killedAfter: killedAfter)
    case .externalPower(let isOn):
      conditions.externalPower = isOn
    case .network(let isOn):
      conditions.network = isOn
    case .clockJump(let jump):
      setClock(by: jump)
    case .zone(let offset):
      utcOffset = offset
      machine = Self.machine(utcOffset: offset, intervals)
      unsettle()
    case .interval(let task, let interval):
      intervals[task] = interval
      machine = Self.machine(utcOffset: utcOffset, intervals)
      unsettle()
    case .type(let daysBack, let metric, let value):
      let day = today - daysBack
      oracle.type(value, .init(day: day, metric: metric), now: now)
      do { try await world.type(value, day: day, metric: metric, now: now) } catch {
        try fail(error)
      }
      try await checkValue(day: day, metric: metric)
    case .sync(let daysBack, let metric, let value, let age):
      try await merge(
        SimulatedEntry(
          day: today - daysBack, metric: metric, source: .typedElsewhere,
          asOf: stamp(age: age), value: value))
    case .importOffered(let daysBack, let metric, let value, let age):
      inbox.append(
        SimulatedEntry(
          day: today - daysBack, metric: metric, source: .imported, asOf: stamp(age: age),
          value: value))
    case .forget(let daysBack, let metric):
      try await forget(day: today - daysBack, metric: metric)
    case .payload(let kind):
      try await deliver(SimulatedPayload(number: oracle.payloads.count, kind: kind, at: now))
    case .payloadAgain(let places):
      guard places < oracle.payloads.count else { return }
      try await deliver(oracle.payloads[oracle.payloads.count - 1 - places])
    }
  }

  mutating func setClock(by jump: Duration) {
    now = now.advanced(by: jump)
    unsettle()
  }

  private mutating func unsettle() {
    isUnsettled = true
    oracle.settle(at: uptime)
  }

  /// Merges an entry into the world and into what is expected of it, and compares.
  mutating func merge(_ entry: SimulatedEntry) async throws(SimulatedInterruption) {
    oracle.merge(entry)
    do { try await world.merge(entry) } catch { try fail(error) }
    try await checkValue(day: entry.day, metric: entry.metric)
  }

  /// Forgets a value, in this process or in another one while this one works.
  mutating func forget(day: Int, metric: Int) async throws(SimulatedInterruption) {
    oracle.forget(.init(day: day, metric: metric), now: now)
    do { try await world.forget(day: day, metric: metric, now: now) } catch { try fail(error) }
    try await checkValue(day: day, metric: metric)
    try await checkModel()
  }

  private mutating func deliver(_ payload: SimulatedPayload) async throws(SimulatedInterruption) {
    if payload.number == oracle.payloads.count { oracle.payloads.append(payload) }
    do { try await world.deliver(payload) } catch { try fail(error) }
    try await checkPayload(payload)
  }

  mutating func fail(_ failure: SimulationFailure) throws(SimulatedInterruption) -> Never {
    try violate(.worldWorks, failure.reason)
  }

  mutating func violate(
    _ invariant: LoopInvariant, _ detail: String
  ) throws(SimulatedInterruption) -> Never {
    let day = Int(uptime.components.seconds / 86_400)
    report.violation = SimulationViolation(
      invariant: invariant, detail: detail, seed: seed, day: day)
    throw .violated
  }

  mutating func note(_ step: @autoclosure () -> String, code: Int) {
    report.enter(code)
    guard keepsTrace else { return }
    if report.trace.count >= 400 { report.trace.removeFirst(200) }
    report.trace.append("\(now.milliseconds) \(step())")
  }

  private static func machine(
    utcOffset: Int, _ intervals: [Int: Duration] = [:]
  ) -> LoopMachine {
    LoopMachine(
      tasks: SimulatedTask.allCases.map { $0.declaration(every: intervals[$0.rawValue]) },
      zone: Zone(name: "simulation", utcOffset: utcOffset))
  }
}

extension Simulation where World == MemoryWorld {
  /// A simulation of the loop alone, in memory.
  package init(seed: UInt64, fault: SimulatedFault? = nil, keepsTrace: Bool = false) {
    self.init(
      seed: seed, fault: fault, world: MemoryWorld(fault: fault), keepsTrace: keepsTrace)
  }
}

/// The four tasks of the loop, as a simulation has them.
enum SimulatedTask: Int, CaseIterable {
  case refresh
  case retrain
  case engagement
  case insight

  var declaration: TaskDeclaration { Self.declarations[rawValue] }

  /// The task, wanted as often as given instead.
  func declaration(every interval: Duration?) -> TaskDeclaration {
    guard let interval else { return declaration }
    return TaskDeclaration(request: declaration.request, schedule: .every(interval))
  }

  init?(_ identifier: TaskIdentifier) {
    guard let task = Self.allCases.first(where: { $0.declaration.identifier == identifier })
    else { return nil }
    self = task
  }

  private static let declarations: [TaskDeclaration] = [
    TaskDeclaration(request: .refresh("refresh"), schedule: .every(.hours(4))),
    TaskDeclaration(
      request: .processing("retrain", requiresExternalPower: true), schedule: .every(.days(7))),
    TaskDeclaration(request: .processing("engagement"), schedule: .daily(hour: 8, minute: 30)),
    TaskDeclaration(
      request: .processing("insight", requiresNetwork: true), schedule: .every(.days(7))),
  ]
}

extension SimulatedEvent {
  /// A number for the fingerprint: which kind of event it is.
  fileprivate var code: Int {
    switch self {
    case .launch: 1
    case .externalPower: 2
    case .network: 3
    case .clockJump: 4
    case .zone: 5
    case .interval: 12
    case .type: 6
    case .sync: 7
    case .importOffered: 8
    case .forget: 9
    case .payload: 10
    case .payloadAgain: 11
    }
  }
}

/// Why a process of a simulation ended before its time.
///
/// It stands outside the generic type: an error type that depends on a type parameter ends the optimiser of
/// Swift 6.3.
enum SimulatedInterruption: Error {
  case killed
  case violated
}
