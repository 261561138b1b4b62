/// What launches tasks: `BGTaskScheduler` behind an adapter, ``StoreScheduler``, or one on virtual time.
///
/// It decides nothing: what waits is decided by the loop and kept in its state, and a scheduler mirrors it. An
/// application does not call it. ``BackgroundPlan/activate(on:environment:)`` registers and submits every task
/// of a plan, and nothing else can make a ``TaskRegistration``. So there is no way to register a task and forget to
/// submit it.
public protocol BackgroundScheduler: Sendable {
  /// Takes the handler of a task, while the process launches: before any request.
  ///
  /// - Throws: ``SchedulerError/notPermitted(_:)``, ``SchedulerError/alreadyRegistered(_:)`` or
  ///   ``SchedulerError/registeredTooLate(_:)``.
  func register(_ registration: TaskRegistration) throws(SchedulerError)

  /// Makes exactly these requests wait: cancels others of this application, leaves alone those that wait already,
  /// submits the rest. Called after every step of the loop, any number of times with the same requests.
  ///
  /// - Returns: the requests that were refused, and why; the others wait.
  func mirror(_ pending: [TaskRequest]) async -> [TaskIdentifier: SchedulerError]
}

/// The handler of a task on its way to a scheduler. Only a plan that submits the task too makes one.
public struct TaskRegistration: Sendable {
  /// What is asked for the task, but for its date.
  public let request: TaskRequest
  /// How long a run may take before it is told to stop.
  public let allowance: Duration
  /// Begins the work and returns at once; to be called on any thread.
  public let launch: @Sendable (TaskRun) -> Void

  init(
    request: TaskRequest, allowance: Duration, launch: @escaping @Sendable (TaskRun) -> Void
  ) {
    self.request = request
    self.allowance = allowance
    self.launch = launch
  }

  /// Which task the handler is for.
  public var identifier: TaskIdentifier { request.identifier }
}
