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
    let reports = try await loop.runEligible()
    signals.cancel()
    let state = try await loop.active.report()
    await journal.store.close()
    let messages = outbox.take()
    if context.isJSON {
      Terminal.result(
        .object([
          ("messages", .array(messages.map(\.json))),
          (
            "runs",
            .array(
              reports.map {
                .object([
                  ("identifier", .string($0.identifier.name)), ("success", .bool($0.success)),
                  ("expired", .string($0.expired?.rawValue)),
                  ("seconds", .number($0.duration / .seconds(1))),
                ])
              })
          ),
        ]))
      return
    }
    if reports.isEmpty { Terminal.result("nothing is eligible now\n") }
    for report in reports {
      let outcome = state.statuses.first { $0.identifier == report.identifier }?.record.lastOutcome
      Terminal.result(
        "\(report.identifier) \(report.success ? "done" : "not done") in "
          + "\(Decimal.fixed(report.duration / .seconds(1), 2)) s"
          + (outcome.map { ": " + $0.note } ?? "") + "\n")
    }
    for status in state.statuses
    where !reports.contains(where: { $0.identifier == status.identifier }) {
      Terminal.result("\(status.identifier) did not run: \(status.reason.words(context.write))\n")
    }
    for message in messages { Terminal.result(message.text) }
  }
}

extension RunOutcome {
  /// What the run said of itself.
  fileprivate var note: String {
    switch self {
    case .succeeded(let note): note
    case .failed(let reason): reason
    case .expired(let cause): "stopped: \(cause.rawValue)"
    case .interrupted: "its process ended in the middle of it"
    }
  }
}
