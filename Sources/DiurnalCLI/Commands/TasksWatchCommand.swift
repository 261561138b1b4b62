internal import Dispatch
internal import Diurnal
internal import Scheduling
internal import Storage

/// `diurnal tasks watch`: the loop in a process that stays, where no timer starts one.
struct TasksWatchCommand: Command {
  static let syntax = CommandSyntax(
    name: "tasks watch", summary: "stay, and run the background tasks whenever they are eligible",
    options: [.value("--every", "MINUTES", "how often to look; 15 unless given")],
    discussion: """
      Ends on SIGTERM, once the run that is going on has stopped. Intervals and quiet hours are read at its start.
      """,
    example: "diurnal tasks watch --every 15")

  private let interval: Duration

  init(_ arguments: ParsedArguments) throws(Failure) {
    interval = .seconds(60 * (try arguments.integer("--every", in: 1...1440) ?? 15))
  }

  func run(in context: Context) async throws {
    let journal = try context.journal()
    let outbox = Outbox()
    let loop = try await context.loop(journal, outbox, .goesOn)
    // A look that comes due during a long run is made once after it.
    let (looks, due) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    due.yield()
    let timer = Task { [interval] in
      while true {
        try await Task.sleep(for: interval)
        due.yield()
      }
    }
    let signals = Termination.observe {
      loop.scheduler.terminate()
      due.finish()
    }
    for await _ in looks {
      await look(loop, context)
      for message in outbox.take() {
        if context.isJSON { Terminal.result(message.json) } else { Terminal.result(message.text) }
      }
    }
    timer.cancel()
    signals.cancel()
    await journal.store.close()
  }

  /// Runs what is eligible. Where that fails, as on a log that another program keeps to itself, the next look
  /// tries again: nothing else would, if this process ended.
  private func look(_ loop: JournalLoop, _ context: Context) async {
    let refused = await loop.active.wake()
    do {
      for report in try await loop.scheduler.runEligible() { show(report, context) }
      for (task, error) in refused.sorted(by: { $0.key < $1.key }) {
        Terminal.remark("note: \(task) could not be submitted: \(error)")
      }
    } catch {
      Terminal.remark("note: nothing more was run, the next look tries again: \(error)")
    }
  }

  /// One line for one run.
  private func show(_ report: RunReport, _ context: Context) {
    let seconds = report.duration / .seconds(1)
    if context.isJSON {
      Terminal.result(
        .object([
          ("identifier", .string(report.identifier.name)), ("success", .bool(report.success)),
          ("expired", .string(report.expired?.rawValue)), ("seconds", .number(seconds)),
        ]))
      return
    }
    let outcome = report.success ? "done" : "not done"
    Terminal.result("\(report.identifier) \(outcome) in \(Decimal.fixed(seconds, 2)) s\n")
  }
}
