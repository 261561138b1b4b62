internal import Diurnal
internal import Personalisation
internal import Synchronization

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The messages of the loop, on their way to the person: printed by the command that runs the loop, and shown
/// on the desktop too, where there is one: a nudge in full, of a week that it can be read.
final class Outbox: Sendable {
  private let messages = Mutex<[LoopMessage]>([])
  private let notifier = DesktopNotifier(environment: ProcessInfo.processInfo.environment)

  /// Takes a message in, to be printed; returns how it is shown.
  func deliver(_ message: LoopMessage) async -> LoopDelivery {
    messages.withLock { $0.append(message) }
    let isPrinted = Terminal.hasReader
    guard let notifier else { return isPrinted ? LoopDelivery("printed") : .none }
    do {
      try await notifier.show(title: "Diurnal", body: message.headline)
      return LoopDelivery((isPrinted ? "printed, and " : "") + "shown by notify-send")
    } catch {
      return LoopDelivery((isPrinted ? "printed" : "not shown") + "; \(error)")
    }
  }

  /// Hands over what came since the last call.
  func take() -> [LoopMessage] {
    messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}

extension LoopMessage {
  /// The message in the one line that a notification has room for.
  fileprivate var headline: String {
    switch self {
    case .nudge(let nudge): nudge.text
    case .week(let report):
      "A look back on week \(report.week): diurnal insights --week \(report.week.first)"
    }
  }

  /// The message as people read it.
  var text: String {
    switch self {
    case .nudge(let nudge): "\n\(nudge.text)\n  \(nudge.reason)\n"
    case .week(let report): "\n" + InsightsOutput.text(report, listsAll: false)
    }
  }

  /// The message as scripts read it.
  var json: JSONValue {
    switch self {
    case .nudge(let nudge):
      .object([
        ("kind", .string("nudge")), ("target", .string(nudge.target.description)),
        ("day", .string("\(nudge.day)")), ("text", .string(nudge.text)),
        ("why", .string(nudge.reason)),
      ])
    case .week(let report):
      .object([("kind", .string("week")), ("report", InsightsOutput.json(report))])
    }
  }
}
