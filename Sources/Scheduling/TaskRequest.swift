public import Time

/// The name of a background task, such as `diurnal.retrain`: the same text at every launch.
///
/// It is 1 to 128 bytes of ASCII letters, digits, `.`, `-` and `_`, so that it stands unquoted in a
/// property list, a unit file and a JSON document.
public struct TaskIdentifier: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The text.
  public let name: String

  /// The identifier with this name, or nil where the name breaks the rule above.
  public init?(_ name: some StringProtocol) {
    guard (1...128).contains(name.utf8.count), name.utf8.allSatisfy(Self.isAllowed) else {
      return nil
    }
    self.name = String(name)
  }

  public var description: String { name }

  public static func < (left: Self, right: Self) -> Bool {
    left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    (97...122).contains(byte) || (65...90).contains(byte) || (48...57).contains(byte)
      || byte == 46 || byte == 45 || byte == 95
  }
}

extension TaskIdentifier: ExpressibleByStringLiteral {
  /// The identifier written in the source; a name that breaks the rule traps.
  public init(stringLiteral name: String) {
    guard let identifier = TaskIdentifier(name) else {
      preconditionFailure("'\(name)' is not a task identifier: use ASCII letters, digits, . - _")
    }
    self = identifier
  }
}

extension TaskIdentifier: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let identifier = TaskIdentifier(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no task identifier")
    }
    self = identifier
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}

/// What a task may use: the two kinds that phones know.
public enum TaskKind: String, Codable, Hashable, Sendable, CaseIterable {
  /// Short: seconds of work, on battery too.
  case refresh
  /// Long: minutes of work, when the machine can spare them.
  case processing

  /// How many requests of this kind may wait at once; documented for `BGTaskScheduler`.
  public var pendingLimit: Int { self == .refresh ? 1 : 10 }
}

/// A request to be launched once, not before a moment and only under its conditions.
///
/// It is a value: changing a copy of a waiting request changes nothing until it is submitted again.
public struct TaskRequest: Codable, Hashable, Sendable {
  /// Which task is to be launched.
  public let identifier: TaskIdentifier
  /// How long a run it is for.
  public let kind: TaskKind
  /// The task never begins before this moment; it promises nothing about when it does. Nil: no delay.
  public let earliestBegin: Instant?
  /// Whether the task begins only on external power and ends when that is lost.
  public let requiresExternalPower: Bool
  /// Whether the task begins only while there is a network.
  public let requiresNetwork: Bool

  private init(
    _ identifier: TaskIdentifier, _ kind: TaskKind, _ earliestBegin: Instant?, _ power: Bool,
    _ network: Bool
  ) {
    self.identifier = identifier
    self.kind = kind
    self.earliestBegin = earliestBegin
    requiresExternalPower = power
    requiresNetwork = network
  }

  /// A request for a refresh, which can ask for no conditions.
  public static func refresh(
    _ identifier: TaskIdentifier, earliestBegin: Instant? = nil
  ) -> TaskRequest {
    TaskRequest(identifier, .refresh, earliestBegin, false, false)
  }

  /// A request for processing.
  public static func processing(
    _ identifier: TaskIdentifier, earliestBegin: Instant? = nil,
    requiresExternalPower: Bool = false, requiresNetwork: Bool = false
  ) -> TaskRequest {
    TaskRequest(identifier, .processing, earliestBegin, requiresExternalPower, requiresNetwork)
  }

  /// The same request with another earliest begin.
  public func beginning(at moment: Instant?) -> TaskRequest {
    TaskRequest(identifier, kind, moment, requiresExternalPower, requiresNetwork)
  }

  /// Whether the request differs from `other` in nothing but its begin date.
  func asksTheSame(as other: TaskRequest) -> Bool {
    beginning(at: nil) == other.beginning(at: nil)
  }
}
