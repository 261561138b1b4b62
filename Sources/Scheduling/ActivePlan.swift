internal import Synchronization
internal import Time

/// A plan at work: the asynchronous shell around ``LoopMachine``.
///
/// It decides nothing. It takes a step of the machine in one transaction of the store, lets the scheduler mirror what
/// waits then, and runs work on a thread of its own.
public final class ActivePlan: Sendable {
  private let machine: LoopMachine
  private let scheduler: any BackgroundScheduler
  private let environment: LoopEnvironment
  private let state = Mutex(State())

  private struct State {
    var activation: Task<[TaskIdentifier: SchedulerError], Never>?
    /// Runs of ours whose end could not be written: closed at the next look.
    var unwritten: [Int] = []
    /// The tasks whose work has not returned, though its run may be over: not begun a second time.
    var working: Set<TaskIdentifier> = []
  }

  init(machine: LoopMachine, scheduler: any BackgroundScheduler, environment: LoopEnvironment) {
    self.machine = machine
    self.scheduler = scheduler
    self.environment = environment
  }

  func beginActivation() {
    let activation = Task { await reconcile() }
    state.withLock { $0.activation = activation }
  }

  /// Waits until every task of the plan has been submitted or kept, and returns what was refused.
  @discardableResult
  public func activated() async -> [TaskIdentifier: SchedulerError] {
    await state.withLock { $0.activation }?.value ?? [:]
  }

  /// Looks at the clock and the list again, in a process that stays: closes runs whose process is gone,
  /// pulls dates back that a step of the clock left too far ahead, and submits what does not wait. Returns
  /// what was refused.
  @discardableResult
  public func wake() async -> [TaskIdentifier: SchedulerError] {
    await activated()
    return await reconcile()
  }

  /// Where each task stands now, what is wrong with the loop, and what ran last.
  ///
  /// - Throws: ``SchedulerError/storeFailed(reason:)``.
  public func report() async throws(SchedulerError) -> PlanReport {
    try await machine.report(environment)
  }

  private func reconcile() async -> [TaskIdentifier: SchedulerError] {
    let now = environment.time.now()
    let unwritten = state.withLock { $0.unwritten }
    do {
      try await environment.store.transaction { [machine, owner = environment.owner] state in
        let abandoned = state.runs.filter {
          unwritten.contains($0.number) || !owner.isAtWork($0, now)
        }
        machine.launch(&state, abandoned: abandoned.map(\.number), at: now)
      }
      state.withLock { $0.unwritten.removeAll { unwritten.contains($0) } }
      return try await mirror()
    } catch {
      return Dictionary(uniqueKeysWithValues: machine.tasks.map { ($0.identifier, error) })
    }
  }

  /// Hands the scheduler what waits, and enters what it refused.
  @discardableResult
  private func mirror() async throws(SchedulerError) -> [TaskIdentifier: SchedulerError] {
    let state = try await environment.store.load()
    let refused = await scheduler.mirror(state.pending.requests)
    var entered = state
    machine.mirrored(&entered, refused: refused)
    if entered != state {
      try await environment.store.transaction { [machine] in
        machine.mirrored(&$0, refused: refused)
      }
    }
    return refused
  }

  /// Begins a run, whatever thread this is called on, and returns at once.
  func launch(_ run: TaskRun, _ task: PlannedTask) {
    Task { await carryOut(run, task) }
  }

  private func carryOut(_ run: TaskRun, _ task: PlannedTask) async {
    let identifier = task.declaration.identifier
    guard state.withLock({ $0.working.insert(identifier).inserted }) else {
      run.complete(.declined)
      return
    }
    let begun: ActiveRun?
    do {
      begun = try await begin(run)
    } catch {
      state.withLock { _ = $0.working.remove(identifier) }
      run.complete(.unwritten(error))
      return
    }
    guard let begun else {
      state.withLock { _ = $0.working.remove(identifier) }
      run.complete(.declined)
      return
    }
    let started = environment.time.elapsed()
    let outcome = await work(run, task)
    let elapsed = environment.time.elapsed() - started
    do {
      let now = environment.time.now()
      try await environment.store.transaction { [machine] in
        _ = machine.end(&$0, run: begun.number, outcome, elapsed: elapsed, at: now)
      }
      try await mirror()
      run.complete(.ended(outcome))
    } catch {
      // What cannot be written has not succeeded.
      state.withLock { $0.unwritten.append(begun.number) }
      run.complete(.unwritten(error))
    }
  }

  /// Enters the run, and lets its next request wait; nil where it may not begin.
  private func begin(_ run: TaskRun) async throws(SchedulerError) -> ActiveRun? {
    let now = environment.time.now()
    let begun = try await environment.store.transaction {
      [machine, token = environment.owner.token, run] state -> ActiveRun? in
      if let conditions = run.conditions {
        guard run.expired == nil, let request = state.pending[run.identifier] else { return nil }
        let obstacle = request.obstacle(at: now, under: conditions)
        guard obstacle == nil else {
          state.update(run.identifier) { $0.enter(obstacle, at: now) }
          return nil
        }
      }
      return machine.begin(&state, run.identifier, owner: token, at: now)
    }
    if begun != nil { try await mirror() }
    return begun
  }

  /// Does the work on a thread of its own; returns when it has ended, or had not by the end of the grace period after
  /// it was told to stop.
  private func work(_ run: TaskRun, _ task: PlannedTask) async -> RunOutcome {
    let declaration = task.declaration
    let (outcomes, end) = AsyncStream.makeStream(
      of: RunOutcome.self, bufferingPolicy: .bufferingOldest(1))
    let budget = budget(of: declaration)
    let context = TaskContext(identifier: declaration.identifier, budget: budget)
    let work = Task(executorPreference: WorkQueue(declaration.identifier)) {
      let outcome = await Self.outcome(of: task, context)
      self.state.withLock { _ = $0.working.remove(declaration.identifier) }
      end.yield(outcome)
    }
    run.setExpirationHandler { [environment] cause in
      budget.stop(cause)
      work.cancel()
      Task {
        await environment.time.sleep(environment.gracePeriod)
        end.yield(.hung(cause))
      }
    }
    for await outcome in outcomes { return outcome }
    return .interrupted
  }

  private static func outcome(of task: PlannedTask, _ context: TaskContext) async -> RunOutcome {
    do {
      return .succeeded(note: try await task.work(context))
    } catch {
      switch error {
      case .stopped(let cause): return .expired(cause)
      case .failed(let reason): return .failed(reason: reason)
      }
    }
  }

  private func budget(of task: TaskDeclaration) -> RunBudget {
    // As on a phone: what asks for external power is not watched, and nothing is while there is some.
    let isWatched =
      !task.request.requiresExternalPower && environment.conditions().externalPower != true
    return RunBudget(
      allowance: task.allowance, limit: isWatched ? .onBattery : nil,
      elapsed: environment.time.elapsed, processorTime: environment.time.processorTime)
  }
}
