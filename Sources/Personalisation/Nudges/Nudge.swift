import DayLog
public import Time

/// A short message about a day ahead.
public struct Nudge: Hashable, Sendable {
  /// Tells it from every other: the target and the day that it speaks of.
  public let id: String
  /// What is forecast.
  public let target: Target
  /// The day that it speaks of.
  public let day: CalendarDay
  /// What is said, one sentence. It holds values of the log: for the person's eyes alone.
  public let text: String
  /// Why it is said, one sentence.
  public let reason: String
}

/// Whether a nudge is shown, and if not, why.
public enum NudgeDecision: Hashable, Sendable {
  case send(Nudge)
  case suppressed(NudgeSuppression)
}

/// Why no nudge is shown. The first that applies is told, in this order.
public enum NudgeSuppression: String, Hashable, Sendable, CaseIterable {
  /// The person switched notifications off.
  case notificationsOff = "notifications-off"
  /// One was sent on this calendar day, or less than ``NudgePolicy/leastHours`` hours ago.
  case alreadySent = "already-sent"
  /// The clock on the wall is in the quiet hours.
  case quietHours = "quiet-hours"
  /// No target has a model that says anything.
  case noModel = "no-model"
  /// What the models say is not about today or a day to come: the log has not been kept up.
  case outOfDate = "out-of-date"
  /// No forecast has shown that it is better than the naive rules.
  case gateClosed = "gate-closed"
  /// What is forecast is about what the person is used to, or what a simple rule says anyway.
  case nothingNoteworthy = "nothing-noteworthy"
}

extension NudgeSuppression: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch self {
    case .notificationsOff: "notifications are switched off"
    case .alreadySent: "a nudge was sent today or in the last hours"
    case .quietHours: "these are quiet hours"
    case .noModel: "there is no model yet"
    case .outOfDate: "the log ends too early to say anything about today or tomorrow"
    case .gateClosed: "no forecast has been shown to beat the naive rules"
    case .nothingNoteworthy: "nothing out of the ordinary is forecast"
    }
  }
}
