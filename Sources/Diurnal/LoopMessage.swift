public import Personalisation

/// What the loop has to say to the person.
public enum LoopMessage: Sendable {
  /// The day's nudge, at most one a day.
  case nudge(Nudge)
  /// The week that is over, and what holds of the log.
  case week(InsightReport)
}

/// What became of a message.
public struct LoopDelivery: Hashable, Sendable {
  /// How it was shown, or why it could not be; kept in the log, so it holds nothing of the message.
  public let words: String

  /// A delivery in words such as `printed`.
  public init(_ words: String) { self.words = words }

  /// Nobody was there to show it.
  public static let none = LoopDelivery("not shown: nothing here shows messages")
}
