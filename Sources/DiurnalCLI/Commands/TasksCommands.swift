internal import DayLog
internal import Dispatch
internal import Diurnal
internal import Scheduling
internal import Storage

/// `diurnal tasks status`: what is pending, and why each task has not run.
struct TasksStatusCommand: Command {
  static let syntax = CommandSyntax(
    name: "tasks status", summary: "what waits in the background, and why",
    example: "diurnal tasks status")

  init(_ arguments: ParsedArguments) throws(Failure) {}

  func run(in context: Context) async throws {
    let journal = try context.journal(.read)
    let (statuses, findings) = try await context.inspect(journal)
    await journal.store.close()
    if context.isJSON {
      Terminal.result(.object([("tasks", .array(statuses.map { json($0, context) }))]))
      return
    }
    var table = TextTable([
      ("task", .left), ("registered", .left), ("pending", .left), ("last run", .left),
      ("outcome", .left), ("now", .left),
    ])
    for status in statuses {
      table.add([
        status.identifier.name, status.isRegistered ? "yes" : "no",
        status.pending == nil ? "no" : "yes", status.record.lastBegan.map(context.write) ?? "never",
        status.record.lastOutcome.map(words) ?? "–", status.reason.words(context.write),
      ])
    }
    Terminal.result(table.text)
    for finding in findings { Terminal.result("! \(finding.words(context.write))\n") }
  }

  private func words(_ outcome: RunOutcome) -> String {
    switch outcome {
    case .succeeded(let note): "done: \(note)"
    case .failed(let reason): "failed: \(reason)"
    case .expired(let cause): "stopped: \(cause.rawValue)"
    case .interrupted: "interrupted"
    }
  }

  private func json(_ status: TaskStatus, _ context: Context) -> JSONValue {
    .object([
      ("identifier", .string(status.identifier.name)), ("registered", .bool(status.isRegistered)),
      ("pending", .bool(status.pending != nil)),
      ("earliest", .string(status.pending?.earliestBegin.map(context.write))),
      ("last_submit", .string(status.record.lastSubmit.map(context.write))),
      ("last_submit_error", .string(status.record.lastSubmitError.map { "\($0)" })),
      ("last_run", .string(status.record.lastBegan.map(context.write))),
      ("outcome", .string(status.record.lastOutcome.map(words))),
      ("reason", .string(status.reason.code)),
      ("reason_text", .string(status.reason.words(context.write))),
    ])
  }
}

/// `diurnal tasks run`: what a timer starts.
struct TasksRunCommand: Command {
  static let syntax = CommandSyntax(
    name: "tasks run", summary: "run the background tasks that are eligible now, once",
    discussion: "Retraining begins only on external power and stops when that is lost.",
    example: "diurnal tasks run")

  init(_ arguments: ParsedArguments) throws(Failure) {}

  func run(in context: Context) async throws {
    let journal = try context.journal()
    let loop = try await context.loop(journal)
    let signals = Termination.observe { loop.scheduler.terminate() }
    let reports = try await loop.runEligible()
    signals.cancel()
    let state = try await loop.active.report()
    await journal.store.close()
    if context.isJSON {
      Terminal.result(
        .object([
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
          )
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
