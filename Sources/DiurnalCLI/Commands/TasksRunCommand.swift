internal import DayLog
internal import Dispatch
internal import Diurnal
internal import Scheduling
internal import Storage

/// `diurnal tasks run`: what a timer starts.
struct TasksRunCommand: Command {
  static let syntax = CommandSyntax(
    name: "tasks run", summary: "run the background tasks that are eligible now, once",
    discussion: "Retraining begins only on external power and stops when that is lost.",
    example: "diurnal tasks run")

  init(_ arguments: ParsedArguments) throws(Failure) {}

  func run(in context: Context) async throws {
    let journal = try context.journal()
    let outbox = Outbox()
    let loop = try await context.loop(journal, outbox)
    let signals = Termination.observe { loop.scheduler.terminate() }
    do {
      let reports = try await loop.runEligible()
      signals.cancel()
      let statuses = try await loop.active.report().statuses
      await journal.store.close()
      show(reports, statuses, outbox.take(), context)
      if Termination.wasAsked {
        throw Failure(
          .terminated, "stopped by SIGTERM: what was not finished goes on with the next tasks run")
      }
    } catch {
      // A nudge counts as sent once it is decided: what a run has said is not lost with what came after it.
      let messages = outbox.take()
      if !messages.isEmpty { show([], [], messages, context) }
      throw error
    }
  }

  private func show(
    _ reports: [RunReport], _ statuses: [TaskStatus], _ messages: [LoopMessage],
    _ context: Context
  ) {
    if context.isJSON {
      Terminal.result(
        .object([
          ("messages", .array(messages.map(\.json))), ("runs", .array(reports.map(Self.json))),
        ]))
      return
    }
    if reports.isEmpty, !statuses.isEmpty { Terminal.result("nothing is eligible now\n") }
    for report in reports {
      Terminal.result(
        "\(report.identifier) \(report.success ? "done" : "not done") in "
          + "\(Decimal.fixed(report.duration / .seconds(1), 2)) s"
          + ": \(Harmless.line(report.outcome.note))\n")
    }
    for status in statuses
    where !reports.contains(where: { $0.identifier == status.identifier }) {
      Terminal.result("\(status.identifier) did not run: \(status.reason.words(context.write))\n")
    }
    for message in messages { Terminal.result(message.text) }
  }

  private static func json(_ report: RunReport) -> JSONValue {
    .object([
      ("identifier", .string(report.identifier.name)), ("success", .bool(report.success)),
      ("expired", .string(report.expired?.rawValue)),
      ("seconds", .number(report.duration / .seconds(1))),
    ])
  }
}

extension RunOutcome {
  /// What the run said of itself.
  fileprivate var note: String {
    switch self {
    case .succeeded(let note): note
    case .failed(let reason): reason
    case .expired(let cause): "stopped: \(cause.rawValue)"
    case .hung: words
    case .interrupted: "its process ended in the middle of it"
    }
  }
}
