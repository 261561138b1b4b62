/// Launches tasks some time after they were requested: `BGTaskScheduler`, the scheduler on the store, the
/// one on virtual time.
///
/// An application does not call it: ``BackgroundPlan/activate(on:environment:)`` registers and submits
/// every task of a plan, and nothing else can make a ``TaskRegistration``. So there is no way to register
/// a task and forget to submit it.
public protocol BackgroundScheduler: Sendable {
  /// Takes the handler of a task, while the process launches: before any request.
  ///
  /// - Throws: ``SchedulerError/notPermitted(_:)``, ``SchedulerError/alreadyRegistered(_:)`` or
  ///   ``SchedulerError/registeredTooLate(_:)``.
  func register(_ registration: TaskRegistration) throws(SchedulerError)

  /// Makes a request wait, in place of the one that waits for the same task; that one stays when the new
  /// one is refused.
  ///
  /// - Throws: ``SchedulerError/notPermitted(_:)``, ``SchedulerError/notRegistered(_:)``,
  ///   ``SchedulerError/unavailable`` or ``SchedulerError/tooManyPending(_:)``, looked for in this order,
  ///   or ``SchedulerError/storeFailed(reason:)``.
  func submit(_ request: TaskRequest) async throws(SchedulerError)

  /// Takes back the request that waits for a task; nothing happens where none does.
  func cancel(_ identifier: TaskIdentifier) async throws(SchedulerError)

  /// Copies of the requests that wait.
  func pendingRequests() async throws(SchedulerError) -> [TaskRequest]

  /// The rules for requests that wait in the plan's own store: what happened and the requests that follow
  /// from it are then written in one transaction. Nil for a scheduler that keeps them elsewhere, as
  /// Apple's does; what it refuses comes back later.
  func sharedAdmission() -> RequestQueue.Admission?
}

extension BackgroundScheduler {
  /// Nothing: such a scheduler judges requests where nobody else can see it.
  public func sharedAdmission() -> RequestQueue.Admission? { nil }
}

/// The handler of a task on its way to a scheduler. Only a plan that submits the task too makes one.
public struct TaskRegistration: Sendable {
  /// Which task the handler is for.
  public let identifier: TaskIdentifier
  /// How long a run may take before it is told to stop.
  public let allowance: Duration
  /// Begins the work and returns at once; to be called on any thread.
  public let launch: @Sendable (TaskRun) -> Void

  init(
    identifier: TaskIdentifier, allowance: Duration,
    launch: @escaping @Sendable (TaskRun) -> Void
  ) {
    self.identifier = identifier
    self.allowance = allowance
    self.launch = launch
  }
}
