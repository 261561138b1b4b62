internal import Scheduling
import Time

/// The invariants, each where it can first be broken.
extension Simulation {
  /// Every task waits or runs, and no longer than its state of things allows.
  mutating func checkRequests(after what: String) async throws(SimulatedInterruption) {
    let state = try await load()
    report.checks += 1
    for task in machine.tasks where state.run(of: task.identifier) == nil {
      guard let request = state.pending[task.identifier] else {
        try violate(.everyTaskWaits, "\(task.identifier) does not wait after \(what)")
      }
      guard let date = request.earliestBegin else { continue }
      let record = state.record(of: task.identifier)
      var latest = task.schedule.next(after: now, in: machine.zone)
      if let began = record.lastBegan, began <= now {
        switch record.lastOutcome {
        case .expired: latest = min(latest, now)
        case .failed, .interrupted, .hung:
          latest = min(latest, now.advanced(by: task.backOff.longest))
        case .succeeded, nil: break
        }
      }
      if date > latest {
        let excess = latest.duration(to: date)
        try violate(.dateIsNear, "\(task.identifier) waits \(excess) too long after \(what)")
      }
    }
  }

  /// Who could have begun long ago has begun now.
  mutating func checkProgress(of task: SimulatedTask, began: Bool)
    async throws(SimulatedInterruption)
  {
    guard let declaration = machine.declaration(of: task.declaration.identifier) else { return }
    let since = oracle.waitingSince(declaration.identifier, firstSeen: uptime)
    guard !began, !isUnsettled else { return }
    let request = declaration.request
    guard request.obstacle(at: now, under: conditions) == nil else { return }
    let interval: Duration =
      if case .every(let interval) = declaration.schedule { interval } else { .days(2) }
    let waited = uptime - since
    guard waited > interval + declaration.backOff.longest else { return }
    let isRunning = try await load().run(of: declaration.identifier) != nil
    if !isRunning {
      try violate(
        .noTaskStarves, "\(declaration.identifier) has been waiting for \(waited)")
    }
  }

  mutating func checkStart(_ run: ActiveRun, _ request: TaskRequest) throws(SimulatedInterruption) {
    report.checks += 1
    if oracle.running.updateValue(run.owner, forKey: run.identifier) != nil {
      try violate(.oneRunAtOnce, "\(run.identifier) began while it was running")
    }
    if request.obstacle(at: now, under: conditions) != nil {
      try violate(.conditionsHold, "\(run.identifier) began too early")
    }
    if !isUnsettled, let wait = oracle.sinceFailure(of: run.identifier, at: uptime),
      wait < BackOff.standard.first
    {
      try violate(.conditionsHold, "\(run.identifier) began \(wait) after it had failed")
    }
  }

  /// How a run ended is in the store once that counts.
  mutating func checkWritten(
    _ run: ActiveRun, _ outcome: RunOutcome
  ) async throws(SimulatedInterruption) {
    let state = try await load()
    guard state.history.contains(where: { $0.number == run.number && $0.outcome == outcome })
    else { try violate(.endIsWritten, "the end of run \(run.number) is not in the store") }
  }

  mutating func checkCompletion(of run: Int) throws(SimulatedInterruption) {
    if oracle.completions[run, default: 0] > 1 {
      try violate(.oneCompletion, "run \(run) completed twice")
    }
  }

  mutating func checkValue(day: Int, metric: Int) async throws(SimulatedInterruption) {
    report.checks += 1
    let seen: Int?
    let open: Int
    do {
      seen = try await world.value(day: day, metric: metric)
      open = try await world.openDay(calendarDay: today)
    } catch { try fail(error) }
    if seen != oracle.log.value(.init(day: day, metric: metric)) {
      try violate(.logIsWhole, "metric \(metric) of day \(day) is not what was logged")
    }
    let today = today
    if open != today { try violate(.openDayIsToday, "the open day is \(open), not \(today)") }
  }

  mutating func checkPayload(_ payload: SimulatedPayload) async throws(SimulatedInterruption) {
    report.checks += 1
    let fate: (applied: Int, isQueued: Bool)
    do { fate = try await world.fate(of: payload) } catch { try fail(error) }
    if fate.applied + (fate.isQueued ? 1 : 0) != 1
      || (payload.kind == .unknown && !fate.isQueued)
    {
      try violate(
        .payloadIsKept,
        "payload \(payload.number) was applied \(fate.applied) time(s), waits: \(fate.isQueued)")
    }
  }

  mutating func checkModel() async throws(SimulatedInterruption) {
    report.checks += 1
    let model: SimulatedModel?
    do { model = try await world.model() } catch { try fail(error) }
    guard let model else {
      if oracle.modelTraining > 0 { try violate(.modelIsGood, "there is no model any more") }
      return
    }
    let training = oracle.trainings[model.run] ?? 0
    if training <= oracle.forgottenTraining {
      try violate(.forgottenIsGone, "the model of run \(model.run) knows what was forgotten")
    }
    if !model.isWhole { try violate(.modelIsGood, "the model of run \(model.run) is not whole") }
    if training < oracle.modelTraining {
      try violate(.modelIsGood, "the model of run \(model.run) is older than the one before it")
    }
    if training > oracle.modelTraining, model.lastDay >= today {
      try violate(.openDayIsNotTrained, "the model of run \(model.run) has seen the open day")
    }
    oracle.modelTraining = training
  }

  /// A training that says it succeeded has saved its model, which holds until something is forgotten.
  mutating func checkSaved(by run: ActiveRun) async throws(SimulatedInterruption) {
    let model: SimulatedModel?
    do { model = try await world.model() } catch { try fail(error) }
    if model?.run != run.number,
      oracle.trainings[run.number] ?? 0 > oracle.forgottenTraining
    {
      try violate(.modelIsGood, "run \(run.number) succeeded and saved no model")
    }
  }

  mutating func checkNudges() async throws(SimulatedInterruption) {
    report.checks += 1
    let count: Int
    do { count = try await world.nudgeCount(day: today) } catch { try fail(error) }
    if count > 1 { try violate(.oneNudgeADay, "\(count) nudges were sent on one day") }
  }

  /// After an event: what was touched since the last look, and the latest payloads.
  mutating func checkDay() async throws(SimulatedInterruption) {
    try await checkModel()
    let touched = oracle.touched.sorted()
    oracle.touched.removeAll(keepingCapacity: true)
    for cell in touched { try await checkValue(day: cell.day, metric: cell.metric) }
    for payload in oracle.payloads.suffix(6) { try await checkPayload(payload) }
  }

  /// Everything that was ever logged or delivered, compared once more: slow, for the end.
  mutating func checkAll() async throws(SimulatedInterruption) {
    for cell in oracle.log.cells.keys.sorted() {
      try await checkValue(day: cell.day, metric: cell.metric)
    }
    for payload in oracle.payloads { try await checkPayload(payload) }
  }
}
