#if canImport(BackgroundTasks) && !os(macOS)
  internal import Diurnal
  public import BackgroundTasks
  internal import Foundation
  public import Scheduling
  internal import Storage
  internal import Synchronization
  import Time

  /// Drives `BGTaskScheduler` from a plan: registers every task, keeps the system's list of requests equal to what the
  /// loop wants, and completes each run exactly once.
  ///
  /// Activate the plan on it before `application(_:didFinishLaunchingWithOptions:)` returns
  /// (``JournalLoop/activate(_:on:intervals:scheduler:)``): a handler that comes later ends the app.
  /// Info.plist lists the identifiers under `BGTaskSchedulerPermittedIdentifiers` and `fetch` and `processing` under
  /// `UIBackgroundModes`.
  ///
  /// Source: Apple's reference of `BGTaskScheduler` and `BGTask`.
  public final class AppleBackgroundScheduler: BackgroundScheduler {
    private let host: JournalHost?
    private let permitted: Set<String>
    private let ownedByApp: Set<String>
    private let isOnExternalPower: @Sendable () -> Bool?
    private let system: @Sendable () -> BGTaskScheduler
    private let state = Mutex(State())

    private struct State {
      var registered: Set<TaskIdentifier> = []
      var hasMirrored = false
      var last: Task<[TaskIdentifier: SchedulerError], Never>?
    }

    /// A scheduler of this app.
    ///
    /// - Parameters:
    ///   - host: whose journal's file is kept open while a task runs.
    ///   - ownedByApp: identifiers of tasks that the app registers and submits itself; their requests are left alone.
    ///   - permitted: the identifiers that Info.plist permits.
    ///   - isOnExternalPower: tells why a run that needs external power was stopped; nil where that is not known.
    ///   - system: the system's scheduler.
    public init(
      host: JournalHost? = nil, ownedByApp: Set<String> = [],
      permitted: Set<String> = AppleBackgroundScheduler.permitted,
      isOnExternalPower: @escaping @Sendable () -> Bool? = { nil },
      system: @escaping @Sendable () -> BGTaskScheduler = { .shared }
    ) {
      self.host = host
      self.ownedByApp = ownedByApp
      self.permitted = permitted
      self.isOnExternalPower = isOnExternalPower
      self.system = system
    }

    /// The identifiers that the app's Info.plist permits.
    public static var permitted: Set<String> {
      let listed = Bundle.main.object(
        forInfoDictionaryKey: "BGTaskSchedulerPermittedIdentifiers")
      return Set(listed as? [String] ?? [])
    }

    public func register(_ registration: TaskRegistration) throws(SchedulerError) {
      let identifier = registration.identifier
      // Apple's scheduler answers the first of these with false and ends the app on the others.
      guard permitted.contains(identifier.name) else { throw .notPermitted(identifier) }
      try state.withLock { (state) throws(SchedulerError) in
        guard !state.hasMirrored else { throw .registeredTooLate(identifier) }
        guard state.registered.insert(identifier).inserted else {
          throw .alreadyRegistered(identifier)
        }
      }
      let isTaken = system().register(
        forTaskWithIdentifier: identifier.name, using: DispatchQueue(label: identifier.name)
      ) { [host, isOnExternalPower] task in
        Self.begin(task, registration, host, isOnExternalPower)
      }
      guard isTaken else {
        state.withLock { _ = $0.registered.remove(identifier) }
        throw .notPermitted(identifier)
      }
    }

    /// One call after the other, so that an older list never replaces a newer one.
    public func mirror(_ pending: [TaskRequest]) async -> [TaskIdentifier: SchedulerError] {
      let turn = state.withLock { state in
        let before = state.last
        let turn = Task {
          _ = await before?.value
          return await self.replaceRequests(by: pending)
        }
        state.hasMirrored = true
        state.last = turn
        return turn
      }
      return await turn.value
    }

    private func replaceRequests(
      by pending: [TaskRequest]
    ) async -> [TaskIdentifier: SchedulerError] {
      let system = system()
      let registered = state.withLock { $0.registered }
      let waiting = await system.pendingTaskRequests()
      let wanted = Set(pending.map(\.identifier.name))
      // First what goes, for each kind has its limit. A request without a handler would end the app when it comes to
      // launch.
      for request in waiting
      where !wanted.contains(request.identifier) && !ownedByApp.contains(request.identifier) {
        system.cancel(taskRequestWithIdentifier: request.identifier)
      }
      let held = Set(waiting.compactMap(TaskRequest.init))
      var refused: [TaskIdentifier: SchedulerError] = [:]
      for request in pending where !held.contains(request) {
        guard registered.contains(request.identifier) else {
          refused[request.identifier] = .notRegistered(request.identifier)
          continue
        }
        do {
          try system.submit(request.forApple)
        } catch let error as BGTaskScheduler.Error {
          refused[request.identifier] = SchedulerError(error.code, of: request)
        } catch {
          refused[request.identifier] = .unavailable
        }
      }
      return refused
    }

    /// Begins a run on the queue that the system calls on, and returns at once.
    private static func begin(
      _ task: BGTask, _ registration: TaskRegistration, _ host: JournalHost?,
      _ isOnExternalPower: @escaping @Sendable () -> Bool?
    ) {
      let handle = TaskHandle(task: task)
      let opening = Task { () throws(StorageError) in
        try await host?.journal.store.resume()
      }
      let run = TaskRun(registration.identifier) { success in
        Task {
          // The system may put the app to sleep as soon as it knows that the task is done.
          if case .success = await opening.result { await host?.journal.store.suspend() }
          handle.task.setTaskCompleted(success: success)
        }
      }
      // Before the work begins: a task without this handler is ended in silence.
      task.expirationHandler = {
        let isPowerLost =
          registration.request.requiresExternalPower && isOnExternalPower() == false
        run.expire(isPowerLost ? .externalPowerLost : .deadline)
      }
      Task {
        switch await opening.result {
        case .success: registration.launch(run)
        case .failure(let error):
          run.complete(.unwritten(.storeFailed(reason: "\(error)")))
        }
      }
    }
  }

  /// A task of the system, which may be completed on any thread although its type does not say so.
  private struct TaskHandle: @unchecked Sendable {
    let task: BGTask
  }

  extension TaskRequest {
    /// The request as the system takes it; a date is told to the millisecond.
    fileprivate var forApple: BGTaskRequest {
      let request: BGTaskRequest
      switch kind {
      case .refresh: request = BGAppRefreshTaskRequest(identifier: identifier.name)
      case .processing:
        let processing = BGProcessingTaskRequest(identifier: identifier.name)
        processing.requiresExternalPower = requiresExternalPower
        processing.requiresNetworkConnectivity = requiresNetwork
        request = processing
      }
      request.earliestBeginDate = earliestBegin.map {
        Date(timeIntervalSince1970: Double($0.milliseconds) / 1000)
      }
      return request
    }

    /// A request of the system as ours; nil where its name is none of ours.
    fileprivate init?(_ request: BGTaskRequest) {
      guard let identifier = TaskIdentifier(request.identifier) else { return nil }
      let begin = request.earliestBeginDate.map {
        Instant(milliseconds: Int64(($0.timeIntervalSince1970 * 1000).rounded()))
      }
      if let processing = request as? BGProcessingTaskRequest {
        self = .processing(
          identifier, earliestBegin: begin,
          requiresExternalPower: processing.requiresExternalPower,
          requiresNetwork: processing.requiresNetworkConnectivity)
      } else {
        self = .refresh(identifier, earliestBegin: begin)
      }
    }
  }

  extension SchedulerError {
    fileprivate init(_ code: BGTaskScheduler.Error.Code, of request: TaskRequest) {
      switch code {
      case .notPermitted: self = .notPermitted(request.identifier)
      case .tooManyPendingTaskRequests: self = .tooManyPending(request.kind)
      default: self = .unavailable
      }
    }
  }
#endif
