// Stands in for Apple's BackgroundTasks where there is none: what DiurnalApple calls, with the rules that Apple documents.
// No product reaches it. What only tests use is in extensions marked so.

public import Dispatch
public import Foundation
internal import Synchronization

/// As Apple's: one for an app; not declared to be `Sendable`, and callable from any thread.
public final class BGTaskScheduler {
  /// The errors of `submit`, with Apple's numbers.
  public struct Error: Swift.Error {
    public enum Code: Int, Sendable {
      case unavailable = 1
      case tooManyPendingTaskRequests = 2
      case notPermitted = 3
      case immediateRunIneligible = 4
    }

    public let code: Code
  }

  public static var shared: BGTaskScheduler {
    BGTaskScheduler(System(permitted: []))
  }

  private let system: System

  /// Only in the stand-in: an app on a made-up phone.
  public init(_ system: System) { self.system = system }

  /// False for an identifier that Info.plist does not permit. A second handler, or one after the launch, ends the app.
  public func register(
    forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
    launchHandler: @escaping @Sendable (BGTask) -> Void
  ) -> Bool {
    system.register(identifier, queue ?? DispatchQueue(label: "system"), launchHandler)
  }

  /// Looks at the permitted list, then at availability, then at the limit, a request of the same name not counted.
  public func submit(_ request: BGTaskRequest) throws {
    try system.submit(System.Pending(request))
  }

  public func cancel(taskRequestWithIdentifier identifier: String) { system.cancel(identifier) }

  /// Copies: changing one changes nothing until it is submitted.
  public func pendingTaskRequests() async -> [BGTaskRequest] { system.pending.map(\.request) }
}

open class BGTaskRequest {
  public let identifier: String
  public var earliestBeginDate: Date?

  fileprivate init(identifier: String) { self.identifier = identifier }
}

public final class BGAppRefreshTaskRequest: BGTaskRequest {
  public override init(identifier: String) { super.init(identifier: identifier) }
}

public final class BGProcessingTaskRequest: BGTaskRequest {
  public var requiresNetworkConnectivity = false
  public var requiresExternalPower = false

  public override init(identifier: String) { super.init(identifier: identifier) }
}

/// As Apple's: not declared to be `Sendable`. The handler is let go once it ran, and on completion.
public final class BGTask {
  private let launch: BGTaskScheduler.Launch

  fileprivate init(_ launch: BGTaskScheduler.Launch) { self.launch = launch }

  public var identifier: String { launch.identifier }

  public var expirationHandler: (@Sendable () -> Void)? {
    get { launch.state.withLock { $0.handler } }
    set { launch.state.withLock { $0.handler = newValue } }
  }

  public func setTaskCompleted(success: Bool) {
    launch.state.withLock {
      $0.completions.append(success)
      $0.handler = nil
    }
  }
}

// MARK: - Only in the stand-in

extension BGTaskScheduler {
  /// One run, as the system sees it.
  public final class Launch: Sendable {
    fileprivate struct State {
      var handler: (@Sendable () -> Void)?
      var completions: [Bool] = []
    }

    public let identifier: String
    fileprivate let state = Mutex(State())

    fileprivate init(_ identifier: String) { self.identifier = identifier }

    /// What `setTaskCompleted` was called with, each time.
    public var completions: [Bool] { state.withLock { $0.completions } }

    /// Tells the run to stop. Without a handler the system marks the run as failed, with no warning.
    public func expire() {
      let handler = state.withLock { state in
        defer { state.handler = nil }
        if state.handler == nil, state.completions.isEmpty { state.completions.append(false) }
        return state.handler
      }
      handler?()
    }
  }

  /// What the phone keeps: requests outlive the process, handlers do not.
  public final class System: Sendable {
    /// A request as a value.
    public struct Pending: Hashable, Sendable {
      public let identifier: String
      public let earliestBegin: Date?
      public let isProcessing: Bool
      public let requiresExternalPower: Bool
      public let requiresNetwork: Bool

      fileprivate init(_ request: BGTaskRequest) {
        identifier = request.identifier
        earliestBegin = request.earliestBeginDate
        let processing = request as? BGProcessingTaskRequest
        isProcessing = processing != nil
        requiresExternalPower = processing?.requiresExternalPower ?? false
        requiresNetwork = processing?.requiresNetworkConnectivity ?? false
      }

      fileprivate var request: BGTaskRequest {
        guard isProcessing else {
          let request = BGAppRefreshTaskRequest(identifier: identifier)
          request.earliestBeginDate = earliestBegin
          return request
        }
        let request = BGProcessingTaskRequest(identifier: identifier)
        request.earliestBeginDate = earliestBegin
        request.requiresExternalPower = requiresExternalPower
        request.requiresNetworkConnectivity = requiresNetwork
        return request
      }
    }

    private struct Handler {
      let queue: DispatchQueue
      let launch: @Sendable (BGTask) -> Void
    }

    private struct State {
      var pending: [Pending] = []
      var handlers: [String: Handler] = [:]
      var hasLaunched = false
      var isAvailable = true
      var submissions = 0
      var deaths: [String] = []
    }

    private let permitted: Set<String>
    private let state = Mutex(State())

    /// A phone whose app lists these identifiers in Info.plist.
    public init(permitted: Set<String>) { self.permitted = permitted }

    public var pending: [Pending] { state.withLock { $0.pending } }
    /// How often a request was taken.
    public var submissions: Int { state.withLock { $0.submissions } }
    /// What would have ended the app, in words of the exception.
    public var deaths: [String] { state.withLock { $0.deaths } }

    /// The app has finished launching: no handler comes after that.
    public func finishLaunching() { state.withLock { $0.hasLaunched = true } }

    /// The person's switch for background refresh.
    public func setAvailable(_ isOn: Bool) { state.withLock { $0.isAvailable = isOn } }

    /// The process is gone: handlers with it, requests not.
    public func kill() {
      state.withLock {
        $0.handlers = [:]
        $0.hasLaunched = false
      }
    }

    /// Launches a task whose request waits, on the queue of its handler; the request is taken out first. Nil where none
    /// waits or no handler is there, which ends the app.
    public func launch(_ identifier: String) -> Launch? {
      let handler: Handler? = state.withLock { state in
        guard let place = state.pending.firstIndex(where: { $0.identifier == identifier }) else {
          return nil
        }
        state.pending.remove(at: place)
        if state.handlers[identifier] == nil {
          state.deaths.append("No launch handler registered for task with identifier \(identifier)")
        }
        return state.handlers[identifier]
      }
      guard let handler else { return nil }
      let launch = Launch(identifier)
      handler.queue.async { handler.launch(BGTask(launch)) }
      return launch
    }

    fileprivate func register(
      _ identifier: String, _ queue: DispatchQueue, _ launch: @escaping @Sendable (BGTask) -> Void
    ) -> Bool {
      state.withLock { state in
        guard permitted.contains(identifier) else { return false }
        if state.handlers[identifier] != nil {
          state.deaths.append("Launch handler for task \(identifier) has already been registered")
        }
        if state.hasLaunched {
          state.deaths.append(
            "All launch handlers must be registered before application finishes launching")
        }
        state.handlers[identifier] = Handler(queue: queue, launch: launch)
        return true
      }
    }

    fileprivate func submit(_ request: Pending) throws {
      try state.withLock { state in
        guard permitted.contains(request.identifier) else { throw Error(code: .notPermitted) }
        guard state.isAvailable else { throw Error(code: .unavailable) }
        let others = state.pending.filter { $0.identifier != request.identifier }
        guard
          others.count(where: { $0.isProcessing == request.isProcessing })
            < (request.isProcessing ? 10 : 1)
        else { throw Error(code: .tooManyPendingTaskRequests) }
        state.pending = others + [request]
        state.submissions += 1
      }
    }

    fileprivate func cancel(_ identifier: String) {
      state.withLock { $0.pending.removeAll { $0.identifier == identifier } }
    }
  }
}
