internal import DayLog
internal import Diurnal
internal import Personalisation
internal import Scheduling
internal import Storage

/// `diurnal tasks status`: what is pending, and why each task has not run.
struct TasksStatusCommand: Command {
  static let syntax = CommandSyntax(
    name: "tasks status", summary: "what waits in the background, and why",
    example: "diurnal tasks status")

  var finishesPendingWork: Bool { false }

  init(_ arguments: ParsedArguments) throws(Failure) {}

  func run(in context: Context) async throws {
    let journal = try context.journal(.read)
    let (statuses, findings) = try await context.inspect(journal)
    let nudges = Array(try await NudgeLedger(journal.store).entries().prefix(Self.nudgeCount))
    let texts = try await journal.store.nudges()
    await journal.store.close()
    if context.isJSON {
      Terminal.result(
        .object([
          ("tasks", .array(statuses.map { json($0, context) })),
          ("nudges", .array(nudges.map { json($0, texts, context) })),
          ("findings", .array(findings.map { .string($0.words(context.write)) })),
        ]))
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
    for finding in findings {
      Terminal.result("! \(Harmless.line(finding.words(context.write)))\n")
    }
    if !nudges.isEmpty { Terminal.result("\n" + Self.table(nudges, texts)) }
  }

  /// How many days of nudges are listed.
  private static let nudgeCount = 7

  private static func table(_ entries: [NudgeLedger.Entry], _ texts: [NudgeRecord]) -> String {
    var table = TextTable([("nudge of", .left), ("sent", .left), ("", .left)])
    for entry in entries {
      switch entry.outcome {
      case .suppressed(let reason): table.add(["\(entry.day)", "no", "\(reason)"])
      case .sent:
        let said = text(of: entry, texts)?.split(separator: "\n").first.map(String.init)
        table.add([
          "\(entry.day)", entry.delivery ?? "perhaps",
          said ?? "forgotten with a day that it may speak of",
        ])
      }
    }
    return table.text
  }

  private static func text(of entry: NudgeLedger.Entry, _ texts: [NudgeRecord]) -> String? {
    texts.first { $0.id == "\(entry.day)" }?.text
  }

  private func json(
    _ entry: NudgeLedger.Entry, _ texts: [NudgeRecord], _ context: Context
  ) -> JSONValue {
    var reason: String?
    if case .suppressed(let why) = entry.outcome { reason = why.rawValue }
    return .object([
      ("day", .string("\(entry.day)")),
      ("at", .string(context.write(entry.at))),
      ("sent", .bool(reason == nil)), ("reason", .string(reason)),
      ("delivery", .string(entry.delivery)), ("text", .string(Self.text(of: entry, texts))),
    ])
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
