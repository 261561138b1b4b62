public import Personalisation

/// Which model: what it predicts, and how many days ahead. The store keeps it under this name.
public struct ModelName: Hashable, Sendable {
  /// What it predicts.
  public let target: Target
  /// 1 to 7 days.
  public let horizon: Int

  /// The model of a target so many days ahead.
  public init(_ target: Target, horizon: Int = 1) {
    self.target = target
    self.horizon = horizon
  }

  /// The name that ``description`` writes, or nil for any other text.
  public init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    var horizon = 1
    if words.count == 4, words[2] == "days", words[3] == "ahead" {
      guard let days = Int(words[1]), (2...7).contains(days) else { return nil }
      horizon = days
    } else if words.count != 1 {
      return nil
    }
    guard let target = Target(words[0]) else { return nil }
    self.init(target, horizon: horizon)
    guard description == text else { return nil }
  }
}

extension ModelName: CustomStringConvertible {
  /// `mood`, or `mood 3 days ahead`.
  public var description: String {
    horizon == 1 ? target.description : "\(target) \(horizon) days ahead"
  }
}
