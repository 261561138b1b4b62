internal import DayLog
internal import Diurnal
internal import Personalisation
internal import Storage

/// `diurnal forget`: out of the store, the file and the models.
struct ForgetCommand: Command {
  static let syntax = CommandSyntax(
    name: "forget", summary: "remove a day, or one metric of it, for good",
    operands: [
      Operand(name: "DAY", count: .one, help: "yyyy-MM-dd, today or yesterday"),
      Operand(name: "NAME", count: .optional, help: "one metric; the whole day if none is named"),
    ],
    discussion: """
      The values leave the rows, the write-ahead log and the file's free pages; no import or sync brings them
      back; the models are trained anew as if they had never been logged. What cannot be finished at once,
      because another program is reading the log, is finished by the next command.
      """,
    example: "diurnal forget 2026-01-05 mood")

  var isLaunch: Bool { true }

  private let day: String
  private let metric: Metric?

  init(_ arguments: ParsedArguments) throws(Failure) {
    day = arguments.operands[0]
    metric = arguments.operands.count > 1 ? Metric(arguments.operands[1]) : nil
    if arguments.operands.count > 1, metric == nil {
      throw .usage("“\(arguments.operands[1])” is no name of a metric", Self.syntax)
    }
  }

  func run(in context: Context) async throws {
    let journal = try context.journal()
    let today = try await context.today(journal)
    let day = try context.day(day, today: today, Self.syntax)
    let changed = try await journal.store.forget(day, metric, now: context.now)
    let what = metric.map { "\($0) of \(day)" } ?? "\(day)"
    if !context.isJSON {
      Terminal.result("\(what) is forgotten\(changed.isEmpty ? "; nothing of it was shown" : "")\n")
    }
    let finished = try await PendingOutput(finishing: journal, today: today, now: context.now)
    await journal.store.close()
    if context.isJSON {
      Terminal.result(
        .object(
          [
            ("day", .string(day.description)), ("changed", .bool(!changed.isEmpty)),
          ] + finished.json))
    } else {
      Terminal.result(finished.text)
    }
    finished.remark(context)
  }
}
