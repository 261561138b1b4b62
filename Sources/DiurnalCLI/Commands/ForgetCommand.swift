internal import DayLog
internal import Diurnal
internal import Personalisation
internal import Storage
internal import Time

/// `diurnal forget`: out of the store, the file and the models.
struct ForgetCommand: Command {
  static let syntax = CommandSyntax(
    name: "forget", summary: "remove a day, or one metric of it, for good",
    operands: [
      Operand(name: "DAY", count: .one, help: DayWord.forms),
      Operand(name: "NAME", count: .optional, help: "one metric; the whole day if none is named"),
    ],
    options: [
      .flag("--yes", "forget without being asked"),
      .flag("--dry-run", "say what would go, and forget nothing"),
    ],
    discussion: """
      The values leave the rows, the write-ahead log and the file's free pages; no import or sync brings them
      back; the models are trained anew as if they had never been logged. What cannot be finished at once,
      because another program is reading the log, is finished by the next command.
      """,
    example: "diurnal forget 2026-01-05 mood")

  var isLaunch: Bool { !isDry }

  private let day: DayWord
  private let metric: Metric?
  private let isDry: Bool
  private let confirmation: Confirmation

  init(_ arguments: ParsedArguments) throws(Failure) {
    day = try ParsedArguments.day(arguments.operands[0], called: "DAY", Self.syntax)
    metric = arguments.operands.count > 1 ? Metric(arguments.operands[1]) : nil
    if arguments.operands.count > 1, metric == nil {
      throw .usage("“\(arguments.operands[1])” is no name of a metric", Self.syntax)
    }
    isDry = arguments.has("--dry-run")
    confirmation = Confirmation(isGiven: arguments.has("--yes"))
  }

  func run(in context: Context) async throws {
    let journal = try context.journal(isDry ? .read : .readWrite)
    let today = try await context.today(journal)
    let day = day.day(today: today)
    if let metric {
      let logged = Set(try await journal.metricSummaries().map(\.metric))
      guard logged.contains(metric) else { throw Failure.unknown(metric, among: logged) }
    }
    let shown = try await journal.store.days(from: day, to: day).flatMap(\.items).map(\.metric)
    let going = metric.map { one in shown.filter { $0 == one } } ?? shown
    let what = metric.map { "\($0) of \(day)" } ?? "\(day)"
    let names = going.map(\.name).joined(separator: ", ")
    let question =
      going.isEmpty
      ? "Nothing of \(what) is shown. What an import brings for it later would be kept out."
      : "\(names) of \(day) would be gone for good, from every source."
    if isDry {
      if context.isJSON {
        Terminal.result(
          .object([
            ("day", .string(day.description)), ("would_go", .array(going.map { .string($0.name) })),
          ]))
      } else {
        Terminal.result(question + "\n")
      }
      await journal.store.close()
      return
    }
    try confirmation.require(question, Self.syntax)
    let changed = try await journal.store.forget(day, metric, now: context.now)
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
