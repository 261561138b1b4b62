public import Time

/// The requests that wait, under the rules of `BGTaskScheduler`: a value without clock, file or handler.
///
/// At most one request waits for an identifier, and at most ``TaskKind/pendingLimit`` of a kind.
public struct RequestQueue: Codable, Hashable, Sendable {
  /// The waiting requests, by identifier.
  public private(set) var requests: [TaskRequest] = []

  /// A queue in which nothing waits.
  public init() {}

  /// The request that waits for a task, if any.
  public subscript(identifier: TaskIdentifier) -> TaskRequest? {
    requests.first { $0.identifier == identifier }
  }

  /// Makes the request wait, in place of one that waits for the same task.
  ///
  /// - Throws: what `admission` refuses, then ``SchedulerError/tooManyPending(_:)``, counted as if the
  ///   replaced request were gone; the queue is then unchanged, and so is the older request.
  public mutating func submit(
    _ request: TaskRequest, admission: Admission
  ) throws(SchedulerError) {
    try admission.check(request.identifier)
    let rivals = requests.count { $0.kind == request.kind && $0.identifier != request.identifier }
    guard rivals < request.kind.pendingLimit else { throw .tooManyPending(request.kind) }
    remove(request.identifier)
    let place = requests.firstIndex { $0.identifier > request.identifier } ?? requests.endIndex
    requests.insert(request, at: place)
  }

  /// Takes out and returns the request that waits for a task: it runs at most once.
  @discardableResult
  public mutating func remove(_ identifier: TaskIdentifier) -> TaskRequest? {
    guard let place = requests.firstIndex(where: { $0.identifier == identifier }) else {
      return nil
    }
    return requests.remove(at: place)
  }

  /// Who may submit at all: the permitted list first, then a handler, then the machine's own switch.
  public struct Admission: Sendable {
    /// The identifiers the application was built for; nil where there is no such list.
    public var permitted: Set<TaskIdentifier>?
    /// The tasks that have a handler in this process.
    public var registered: Set<TaskIdentifier>
    /// Whether background work is switched on.
    public var isAvailable: Bool

    /// Admission of the tasks that are permitted and registered while background work is available.
    public init(
      permitted: Set<TaskIdentifier>? = nil, registered: Set<TaskIdentifier> = [],
      isAvailable: Bool = true
    ) {
      self.permitted = permitted
      self.registered = registered
      self.isAvailable = isAvailable
    }

    func check(_ identifier: TaskIdentifier) throws(SchedulerError) {
      if let permitted, !permitted.contains(identifier) { throw .notPermitted(identifier) }
      if !registered.contains(identifier) { throw .notRegistered(identifier) }
      if !isAvailable { throw .unavailable }
    }
  }
}

/// What a machine grants at a moment.
public struct RunConditions: Hashable, Sendable {
  /// Whether the machine is on external power; nil where that is not known, which grants none.
  public var externalPower: Bool?
  /// Whether there is a network; nil where that is not known, which grants none.
  public var network: Bool?

  /// The conditions with or without external power and network.
  public init(externalPower: Bool?, network: Bool?) {
    self.externalPower = externalPower
    self.network = network
  }
}

extension TaskRequest {
  /// What keeps the request from beginning at `now`, the date before the conditions; nil when nothing
  /// does.
  public func obstacle(at now: Instant, under conditions: RunConditions) -> Obstacle? {
    if let earliestBegin, now < earliestBegin { return .notYetDue }
    if requiresExternalPower && conditions.externalPower != true { return .externalPower }
    if requiresNetwork && conditions.network != true { return .network }
    return nil
  }

  /// What a waiting request waits for.
  public enum Obstacle: String, Codable, Hashable, Sendable {
    /// For its date.
    case notYetDue
    /// For external power, which it needs.
    case externalPower
    /// For a network, which it needs.
    case network
  }
}
