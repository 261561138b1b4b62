internal import DayLog
internal import Diurnal
internal import Personalisation
internal import Scheduling
internal import Storage

/// `diurnal tasks status`: what is pending, and why each task has not run.
struct TasksStatusCommand: Command {
  static let isReading = true

  static let syntax = CommandSyntax(
    name: "tasks status", summary: "what waits in the background, and why",
    options: [.flag("--history", "list the last hundred runs too, the latest first")],
    example: "diurnal tasks status --history")

  var finishesPendingWork: Bool { false }

  private let showsHistory: Bool

  init(_ arguments: ParsedArguments) throws(Failure) { showsHistory = arguments.has("--history") }

  func run(in context: Context) async throws {
    let journal = try context.journal(.read)
    let report = try await context.inspect(journal)
    let unfinished = try await UnfinishedFiles(journal.store).paths()
    let findings =
      report.findings.map { $0.advice(context.write) }
      + unfinished.map { "\($0) was not read to its end in the time of a run: it is tried last" }
    let nudges = Array(try await NudgeLedger(journal.store).entries().prefix(Self.nudgeCount))
    let texts = try await journal.store.nudges(limit: .max)
    await journal.store.close()
    if context.isJSON {
      Terminal.result(
        .object([
          ("tasks", .array(report.statuses.map { json($0, context) })),
          ("nudges", .array(nudges.map { json($0, texts, context) })),
          ("findings", .array(findings.map { .string($0) })),
          (
            "history",
            showsHistory ? .array(report.history.reversed().map { json($0, context) }) : .null
          ),
        ]))
      return
    }
    var table = TextTable([
      ("task", .left), ("registered", .left), ("pending", .left), ("last run", .left),
      ("outcome", .left), ("now", .left),
    ])
    for status in report.statuses {
      table.add([
        status.identifier.name, status.declaration == nil ? "no" : "yes",
        status.pending == nil ? "no" : "yes", status.record.lastBegan.map(context.write) ?? "never",
        status.record.lastOutcome.map(words) ?? "–", status.reason.words(context.write),
      ])
    }
    Terminal.result(table)
    for finding in findings { Terminal.result("! \(Harmless.line(finding))\n") }
    if !nudges.isEmpty {
      Terminal.result("\n")
      Terminal.result(Self.table(nudges, texts))
    }
    if showsHistory {
      Terminal.result("\n")
      Terminal.result(historyTable(report.history, context))
    }
  }

  private func historyTable(_ history: [RunRecord], _ context: Context) -> TextTable {
    var table = TextTable([("run of", .left), ("began", .left), ("took", .right), ("", .left)])
    for run in history.reversed() {
      table.add([
        run.identifier.name, context.write(run.began),
        Decimal.fixed(Double(run.milliseconds) / 1000, 2) + " s",
        Harmless.line(words(run.outcome)),
      ])
    }
    return table
  }

  private func json(_ run: RunRecord, _ context: Context) -> JSONValue {
    .object([
      ("identifier", .string(run.identifier.name)), ("began", .string(context.write(run.began))),
      ("seconds", .number(Double(run.milliseconds) / 1000)),
      ("success", .bool(run.outcome.isSuccess)), ("outcome", .string(words(run.outcome))),
    ])
  }

  /// How many days of nudges are listed.
  private static let nudgeCount = 7

  private static func table(_ entries: [NudgeLedger.Entry], _ texts: [NudgeRecord]) -> TextTable {
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
    return table
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
    case .hung: "hung: \(outcome.words)"
    case .interrupted: "interrupted"
    }
  }

  private func json(_ status: TaskStatus, _ context: Context) -> JSONValue {
    .object([
      ("identifier", .string(status.identifier.name)),
      ("registered", .bool(status.declaration != nil)),
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
