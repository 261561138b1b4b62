internal import Scheduling
import Time

/// One process of the simulated machine: it activates the plan, runs what may run, and may die anywhere.
extension Simulation {
  /// Starts a process that dies after so many effects, if at all.
  mutating func launch(killedAfter: Int?) async {
    report.launches += 1
    processCount += 1
    let token = "p\(processCount)"
    livingProcesses.insert(token)
    let outerCountdown = effectsUntilKill
    effectsUntilKill = killedAfter
    do {
      try await activate()
      try await runEligible(token)
    } catch {
      if error == .killed {
        report.kills += 1
        note("killed", code: 20)
        // What a second process leaves behind is not the first one's.
        if livingProcesses.count == 1 { await world.processEnded() }
      }
    }
    livingProcesses.remove(token)
    oracle.running = oracle.running.filter { $0.value != token }
    effectsUntilKill = outerCountdown
  }

  private mutating func activate() async throws(SimulatedInterruption) {
    let abandoned = try await load().runs.filter { !livingProcesses.contains($0.owner) }
    // Their back-off begins when their end is noticed, which is now.
    for run in abandoned { oracle.began(run.identifier, at: uptime) }
    let (now, fault) = (now, fault)
    let machine = fault == .changedIntervalIgnored ? firstMachine : machine
    try await write { state in
      let waiting = state.pending
      machine.launch(&state, abandoned: abandoned.map(\.number), at: now)
      switch fault {
      case .submitLeftOut: state.pending = waiting
      case .keptRequestPostponedAtLaunch: state.postpone(waiting, machine, at: now)
      default: break
      }
    }
    try survive()
    // A date that a step of the clock left too far ahead is pulled back by the launch that sees it.
    if isUnsettled { oracle.settle(at: uptime) }
    // A second process leaves alone what the first is running, dates and all.
    if livingProcesses.count == 1 { isUnsettled = false }
    try await checkRequests(after: "activation")
  }

  private mutating func runEligible(_ token: String) async throws(SimulatedInterruption) {
    for task in SimulatedTask.allCases {
      let identifier = task.declaration.identifier
      let (moment, granted, machine, fault) = (now, conditions, machine, fault)
      let begun = try await write { (state) -> (run: ActiveRun, request: TaskRequest)? in
        let isTaken = fault == .otherProcessIgnored && state.run(of: identifier) != nil
        if isTaken { state.runs.removeAll { $0.identifier == identifier } }
        guard let request = state.pending[identifier],
          isTaken || request.obstacle(at: moment, under: granted) == nil
        else { return nil }
        return machine.begin(&state, identifier, owner: token, at: moment).map { ($0, request) }
      }
      try await checkProgress(of: task, began: begun != nil)
      guard let (run, request) = begun else { continue }
      try checkStart(run, request)
      report.runs += 1
      note("begins \(identifier) \(run.number)", code: 30 + task.rawValue)
      oracle.began(identifier, at: uptime)
      try survive()
      try await carryOut(run, task)
    }
  }

  private mutating func carryOut(
    _ run: ActiveRun, _ task: SimulatedTask
  ) async throws(SimulatedInterruption) {
    let began = uptime
    var hasEnded = false
    var isTerminated = false
    var part = 0
    parts: while true {
      pass(.seconds(1 + random.below(40)))
      if random.happens(perMille: 5) { setClock(by: .seconds(random.below(200_000) - 100_000)) }
      if random.happens(perMille: 8) {
        // The person, in another window.
        try await forget(day: today - random.below(5), metric: random.below(2))
      }
      if random.happens(perMille: 8), livingProcesses.count == 1 { await launch(killedAfter: nil) }
      if report.violation != nil { throw .violated }
      if !hasEnded, var outcome = interruption(of: task) {
        isTerminated = outcome == .expired(.terminated)
        // Some work stops when it is told to, some goes on as if nothing had been said.
        let goesOn = random.below(3) == 0
        if goesOn, case .expired(let cause) = outcome {
          pass(.seconds(5))
          outcome = .hung(cause)
        }
        try await end(run, outcome, elapsed: uptime - began)
        hasEnded = true
        if case .failed = outcome { break }
        if !goesOn { break }
        // Long enough for the next run to overtake it.
        if livingProcesses.count == 1, random.below(3) == 0 { await launch(killedAfter: nil) }
        if random.below(2) == 0 { try await forget(day: today - 1, metric: random.below(2)) }
        if report.violation != nil { throw .violated }
      }
      switch try await work(task, part, run) {
      case .done: part += 1
      case .nothingLeft: break parts
      case .refused where hasEnded: break parts
      case .refused:
        try await end(run, .failed(reason: "outdated"), elapsed: uptime - began)
        hasEnded = true
        break parts
      }
      try survive()
    }
    if !hasEnded || part == parts(of: task) {
      try await end(run, .succeeded(note: ""), elapsed: uptime - began, isLate: hasEnded)
    }
    if isTerminated { throw .killed }
  }

  /// What ends a run early: its time, a loss of power, a signal, or its own failure.
  private mutating func interruption(of task: SimulatedTask) -> RunOutcome? {
    let declaration = task.declaration
    if declaration.request.requiresExternalPower && conditions.externalPower != true {
      return .expired(.externalPowerLost)
    }
    switch random.below(100) {
    case 0..<2: return .expired(.deadline)
    case 2: return .expired(.terminated)
    case 3 where declaration.request.requiresExternalPower:
      conditions.externalPower = false
      return .expired(.externalPowerLost)
    case 4..<6: return .failed(reason: "planned")
    default: return nil
    }
  }

  private mutating func end(
    _ run: ActiveRun, _ outcome: RunOutcome, elapsed: Duration, isLate: Bool = false
  ) async throws(SimulatedInterruption) {
    note("ends \(run.number) \(outcome)", code: 40)
    let (machine, now, fault) = (machine, now, fault)
    if fault == .unwrittenEndCounts, random.happens(perMille: 20) {
      // Nothing is written, and that is not noticed.
      try await checkWritten(run, outcome)
      return
    }
    let counts = try await write { state in
      if isLate && fault == .completionTwice { state.enter(again: run) }
      let waiting = state.pending
      let counts = machine.end(&state, run: run.number, outcome, elapsed: elapsed, at: now)
      if case .expired = outcome, fault == .resubmissionAfterExpiryLeftOut {
        state.pending = waiting
      }
      if case .hung = outcome, fault == .hungDueAtOnce, counts,
        let request = state.pending[run.identifier]
      {
        state.pending.submit(request.beginning(at: now))
      }
      return counts
    }
    try survive()
    guard counts else { return }
    try await checkWritten(run, outcome)
    switch outcome {
    case .failed, .hung: oracle.failed(run.identifier, at: uptime)
    case .succeeded, .expired, .interrupted: break
    }
    switch outcome {
    case .succeeded: report.successes += 1
    case .failed, .interrupted: report.failures += 1
    case .expired, .hung: report.expirations += 1
    }
    oracle.running[run.identifier] = nil
    oracle.completions[run.number, default: 0] += 1
    try checkCompletion(of: run.number)
    if outcome.isSuccess, run.identifier == "retrain" { try await checkSaved(by: run) }
    if !isUnsettled { try await checkRequests(after: "the end of a run") }
  }

  func parts(of task: SimulatedTask) -> Int {
    switch task {
    case .refresh: inbox.count
    case .retrain: 4
    case .engagement: 3
    case .insight: 1
    }
  }

  private enum WorkStep {
    case done
    case nothingLeft
    case refused
  }

  /// Does one part of a task's work.
  private mutating func work(
    _ task: SimulatedTask, _ part: Int, _ run: ActiveRun
  ) async throws(SimulatedInterruption) -> WorkStep {
    do {
      switch (task, part) {
      case (.refresh, _):
        guard let entry = inbox.first else { return .nothingLeft }
        try await merge(entry)
        // Killed between the two, the same file is read again at the next launch.
        try survive()
        inbox.removeFirst()
      case (.retrain, 0..<4):
        if part == 0 { oracle.beganTraining(run.number) }
        let isKept = try await world.train(part: part, of: 4, run: run.number, day: today)
        try await checkModel()
        if !isKept { return .refused }
      case (.engagement, 0): try await world.drain(.symptom)
      case (.engagement, 1): try await world.drain(.checkIn)
      case (.engagement, 2):
        try await world.nudge(day: today, now: now)
        try await checkNudges()
      case (.insight, 0): break
      default: return .nothingLeft
      }
      return .done
    } catch let failure as SimulationFailure {
      try fail(failure)
    } catch let interruption as SimulatedInterruption {
      throw interruption
    } catch {
      try fail(SimulationFailure(reason: "an error of an unknown type"))
    }
  }

  /// Dies here if this is where the process is to be killed.
  private mutating func survive() throws(SimulatedInterruption) {
    guard let left = effectsUntilKill else { return }
    if left == 0 { throw .killed }
    effectsUntilKill = left - 1
  }

  /// A transaction of a process, which now and then finds the disk full or failing: then nothing of it is written, and
  /// the process says so and ends.
  private mutating func write<Value: Sendable>(
    _ change: @Sendable (inout SchedulerState) -> Value
  ) async throws(SimulatedInterruption) -> Value {
    if random.happens(perMille: 4) {
      note("cannot write", code: 21)
      throw .killed
    }
    return try await transaction(change)
  }

  /// The scheduler's state, read alone.
  mutating func load() async throws(SimulatedInterruption) -> SchedulerState {
    do {
      return try await world.store.load()
    } catch {
      try fail(SimulationFailure(reason: "the store: \(error)"))
    }
  }

  @discardableResult
  mutating func transaction<Value: Sendable>(
    _ change: @Sendable (inout SchedulerState) -> Value
  ) async throws(SimulatedInterruption) -> Value {
    do {
      return try await world.store.transaction { state in change(&state) }
    } catch {
      try fail(SimulationFailure(reason: "the store: \(error)"))
    }
  }
}

extension SchedulerState {
  /// The planted fault: a run that has ended is let end again.
  fileprivate mutating func enter(again run: ActiveRun) {
    if self.run(of: run.identifier) == nil { runs.append(run) }
  }

  /// The planted fault: a launch submits again what waited.
  fileprivate mutating func postpone(
    _ waiting: RequestQueue, _ machine: LoopMachine, at now: Instant
  ) {
    for request in waiting.requests where pending[request.identifier] == request {
      guard let task = machine.declaration(of: request.identifier) else { continue }
      pending.submit(request.beginning(at: task.schedule.next(after: now, in: machine.zone)))
    }
  }
}
