/// What a handler is told, and asks while it works.
public struct TaskContext: Sendable {
  /// Which task runs.
  public let identifier: TaskIdentifier
  /// The time and processor time that are left; to be checked between chunks of work.
  public let budget: RunBudget
}

/// Why a handler did not do its work.
public enum TaskFailure: Error, Hashable, Sendable {
  /// It stopped because it was told to, having kept what was finished.
  case stopped(ExpirationCause)
  /// It could not be done. The reason is written to the store and shown: it holds no logged value.
  case failed(reason: String)
}

/// A task of a plan: what is asked of the scheduler, and what is done when it comes to that.
public struct PlannedTask: Sendable {
  /// What is asked of the scheduler.
  public let declaration: TaskDeclaration
  /// Does the work on no actor in particular, whatever thread the launch came on, and returns one sentence
  /// on what was done. It is called again from the beginning after it was stopped.
  public let work: @Sendable (TaskContext) async throws(TaskFailure) -> String

  /// A task that does this work.
  public init(
    _ declaration: TaskDeclaration,
    work: @escaping @Sendable (TaskContext) async throws(TaskFailure) -> String
  ) {
    self.declaration = declaration
    self.work = work
  }
}

/// All background tasks of an application, each declared once.
public struct BackgroundPlan: Sendable {
  /// The tasks, in the order in which they run when several may.
  public let tasks: [PlannedTask]

  /// A plan of these tasks.
  ///
  /// - Throws: ``SchedulerError/alreadyRegistered(_:)`` for an identifier that comes twice, and
  ///   ``SchedulerError/tooManyPending(_:)`` for more tasks of a kind than may ever wait.
  public init(_ tasks: [PlannedTask]) throws(SchedulerError) {
    var seen: Set<TaskIdentifier> = []
    var counts: [TaskKind: Int] = [:]
    for task in tasks {
      let request = task.declaration.request
      guard seen.insert(request.identifier).inserted else {
        throw .alreadyRegistered(request.identifier)
      }
      counts[request.kind, default: 0] += 1
      guard counts[request.kind, default: 0] <= request.kind.pendingLimit else {
        throw .tooManyPending(request.kind)
      }
    }
    self.tasks = tasks
  }

  /// Registers every task before it returns, and begins to submit them all: to be called while the process
  /// launches, once.
  ///
  /// A request that already waits with an earlier date is kept. What the scheduler refuses is entered in
  /// the task's record and told by ``ActivePlan/activated()``.
  ///
  /// - Throws: what ``BackgroundScheduler/register(_:)`` throws. What was registered before that is
  ///   submitted all the same: nothing is left registered only.
  public func activate(
    on scheduler: any BackgroundScheduler, environment: LoopEnvironment
  ) throws(SchedulerError) -> ActivePlan {
    let active = ActivePlan(
      machine: LoopMachine(tasks: tasks.map(\.declaration), zone: environment.zone),
      scheduler: scheduler, environment: environment)
    // Also when registering throws half way.
    defer { active.beginActivation() }
    for task in tasks {
      try scheduler.register(
        TaskRegistration(request: task.declaration.request, allowance: task.declaration.allowance) {
          active.launch($0, task)
        })
    }
    return active
  }

  /// Where each task stands on a store, and what is wrong with the loop, before anything is activated:
  /// nothing is registered, submitted, mended or written.
  ///
  /// - Throws: ``SchedulerError/storeFailed(reason:)``.
  public func inspect(_ environment: LoopEnvironment) async throws(SchedulerError) -> PlanReport {
    try await LoopMachine(tasks: tasks.map(\.declaration), zone: environment.zone)
      .report(environment)
  }
}
