public import Time

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
