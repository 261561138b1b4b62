internal import Synchronization

/// A plan at work: the asynchronous shell around ``LoopMachine``.
///
/// It decides nothing. It enters what happened into the state, in one transaction of the store, and then
/// does what the machine says, in order.
public final class ActivePlan: Sendable {
  private let machine: LoopMachine
  private let scheduler: any BackgroundScheduler
  private let environment: LoopEnvironment
  private let state = Mutex(State())

  private struct State {
    var activation: Task<[TaskIdentifier: SchedulerError], Never>?
    /// Runs of ours whose end could not be written: closed at the next look.
    var unwritten: [Int] = []
  }

  init(machine: LoopMachine, scheduler: any BackgroundScheduler, environment: LoopEnvironment) {
    self.machine = machine
    self.scheduler = scheduler
    self.environment = environment
  }

  func beginActivation() {
    let activation = Task { await reconcile(isLaunch: true) }
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
    return await reconcile(isLaunch: false)
  }

  /// Where each task stands now, and what is wrong with the loop.
  ///
  /// - Throws: ``SchedulerError/storeFailed(reason:)``.
  public func report() async throws(SchedulerError) -> (
    statuses: [TaskStatus], findings: [AuditFinding]
  ) {
    try await machine.report(on: scheduler, environment)
  }

  private func reconcile(isLaunch: Bool) async -> [TaskIdentifier: SchedulerError] {
    let now = environment.time.now()
    let unwritten = state.withLock { $0.unwritten }
    let step: LoopStep
    do {
      let admission = scheduler.sharedAdmission()
      let elsewhere = admission == nil ? try await scheduler.pendingRequests() : []
      step = try await environment.store.transaction { [machine, owner = environment.owner] in
        let abandoned = $0.runs.filter {
          unwritten.contains($0.number) || !owner.isAtWork($0, now)
        }.map(\.number)
        let pending = admission == nil ? elsewhere : $0.pending.requests
        return machine.step(
          &$0,
          isLaunch
            ? .launched(pending: pending, abandoned: abandoned)
            : .woke(pending: pending, abandoned: abandoned), sharing: admission, at: now)
      }
      state.withLock { $0.unwritten.removeAll { unwritten.contains($0) } }
    } catch {
      return Dictionary(uniqueKeysWithValues: machine.tasks.map { ($0.identifier, error) })
    }
    return await perform(step, of: nil)
  }

  /// Begins a run on a thread of the pool, whatever thread this is called on, and returns at once.
  func launch(_ run: TaskRun, _ task: PlannedTask) {
    let control = RunControl(budget: budget(of: task.declaration))
    let work = Task { await carryOut(run, task, control) }
    run.setExpirationHandler { cause in
      let number = control.expire(cause)
      work.cancel()
      guard let number else { return }
      Task { await self.end(run, number, .expired(cause), control) }
    }
  }

  private func carryOut(_ run: TaskRun, _ task: PlannedTask, _ control: RunControl) async {
    let now = environment.time.now()
    let begun: (number: Int, step: LoopStep)?
    do {
      let admission = scheduler.sharedAdmission()
      begun = try await environment.store.transaction { [machine, environment] state in
        let entered =
          if let number = run.number {
            state.runs.first { $0.number == number }
          } else {
            state.begin(run.identifier, owner: environment.owner.token, at: now)
          }
        guard let entered else { return nil }
        return (
          entered.number, machine.step(&state, .began(entered), sharing: admission, at: now)
        )
      }
    } catch {
      begun = nil
      if let number = run.number { state.withLock { $0.unwritten.append(number) } }
    }
    guard let begun else {
      // The request is gone and nothing could be entered: the next launch submits it again.
      run.complete(success: false)
      return
    }
    await perform(begun.step, of: run)
    let outcome =
      if let cause = control.begin(begun.number) {
        RunOutcome.expired(cause)
      } else {
        await work(task, control)
      }
    await end(run, begun.number, outcome, control)
  }

  private func work(_ task: PlannedTask, _ control: RunControl) async -> RunOutcome {
    let context = TaskContext(identifier: task.declaration.identifier, budget: control.budget)
    do {
      return .succeeded(note: try await task.work(context))
    } catch {
      switch error {
      case .stopped(let cause): return .expired(cause)
      case .failed(let reason): return .failed(reason: reason)
      }
    }
  }

  private func end(
    _ run: TaskRun, _ number: Int, _ outcome: RunOutcome, _ control: RunControl
  ) async {
    let now = environment.time.now()
    let elapsed = environment.time.elapsed() - control.started
    do {
      let admission = scheduler.sharedAdmission()
      let step = try await environment.store.transaction { [machine] in
        machine.step(
          &$0, .ended(run: number, outcome, elapsed: elapsed), sharing: admission, at: now)
      }
      await perform(step, of: run)
    } catch {
      // What cannot be written has not succeeded.
      state.withLock { $0.unwritten.append(number) }
      run.complete(success: false)
    }
  }

  @discardableResult
  private func perform(
    _ step: LoopStep, of run: TaskRun?
  ) async -> [TaskIdentifier: SchedulerError] {
    var refused = step.refused
    for effect in step.effects {
      switch effect {
      case .cancel(let identifier):
        do { try await scheduler.cancel(identifier) } catch { refused[identifier] = error }
      case .submit(let request):
        if let error = await submit(request) { refused[request.identifier] = error }
      case .complete(_, let success):
        run?.complete(success: success)
      case .work, .stop:
        // The caller works when this returns, and has told the work to stop before it called.
        break
      }
    }
    return refused
  }

  private func submit(_ request: TaskRequest) async -> SchedulerError? {
    var refusal: SchedulerError?
    do { try await scheduler.submit(request) } catch { refusal = error }
    let now = environment.time.now()
    do {
      try await environment.store.transaction { [machine, refusal] in
        _ = machine.step(&$0, .submitted(request.identifier, refused: refusal), at: now)
      }
    } catch {
      refusal = refusal ?? error
    }
    return refusal
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

/// What the work of a run and its expiration share.
private final class RunControl: Sendable {
  let budget: RunBudget
  let started: Duration
  private let state = Mutex((number: nil as Int?, expired: nil as ExpirationCause?))

  init(budget: RunBudget) {
    self.budget = budget
    started = budget.started
  }

  /// Enters that the run has begun; returns why it was told to stop before, if it was.
  func begin(_ number: Int) -> ExpirationCause? {
    state.withLock {
      $0.number = number
      return $0.expired
    }
  }

  /// Enters that the run is told to stop; returns its number if it has begun.
  func expire(_ cause: ExpirationCause) -> Int? {
    budget.stop(cause)
    return state.withLock {
      $0.expired = cause
      return $0.number
    }
  }
}
