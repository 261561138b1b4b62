internal import DayLog
internal import Diurnal
internal import Personalisation
internal import Storage

/// `diurnal train`: models of the log's days.
struct TrainCommand: Command {
  static let syntax = CommandSyntax(
    name: "train", summary: "train the models on all days before today",
    operands: ModelOptions.operands,
    options: ModelOptions.options + [
      .flag("--full", "choose the penalty anew and compute everything")
    ],
    discussion: """
      With no target named, those of the setting targets are trained, else what people rate, symptoms, sleep, the
      heart at rest, steps and scores, as far as they have four weeks of days. A target without a value for four
      weeks rests. Where there is a model already only what
      changed is computed, with the same penalty; once there are a quarter more days the penalty is chosen anew.
      """,
    example: "diurnal train mood 'sleep_hours<6'")

  var isLaunch: Bool { true }

  private let options: ModelOptions
  private let isFull: Bool

  init(_ arguments: ParsedArguments) throws(Failure) {
    options = try ModelOptions(arguments, Self.syntax)
    isFull = arguments.has("--full")
  }

  func run(in context: Context) async throws {
    let journal = try context.journal()
    let today = try await context.today(journal)
    let begin = ContinuousClock.now
    let trained = try await journal.train(
      options.targets, horizon: options.horizon, today: today, now: context.now, full: isFull)
    let seconds = begin.duration(to: .now) / .seconds(1)
    let log = try await journal.personalLog(through: today.advanced(by: -1))
    await journal.store.close()
    if !"\(log.leftOut)".isEmpty { Terminal.remark("note: \(log.leftOut)") }
    let others = options.targets.isEmpty ? UntrainedTargets(trained, in: log, today: today) : nil
    if context.isJSON {
      Terminal.result(
        .object([
          ("targets", .array(trained.map { json($0, seconds / Double(max(1, trained.count))) })),
          ("left_out", .array(others?.json ?? [])),
        ]))
    } else {
      show(trained, seconds)
      Terminal.result(
        trained.isEmpty ? YoungLog(log, today: today).text + "\n" : others?.text ?? "")
    }
    let outdated = trained.filter { if case .outdated = $0.result { true } else { false } }
    guard outdated.isEmpty else {
      throw Failure(
        .failed,
        "not trained: \(outdated.map(\.name.description).joined(separator: ", ")): the log was changed again and again meanwhile; run: diurnal train"
      )
    }
  }

  private func show(_ trained: [TrainedTarget], _ seconds: Double) {
    guard !trained.isEmpty else { return }
    var table = TextTable([
      ("target", .left), ("rows", .right), ("features", .right), ("penalty", .right),
      ("mode", .left), ("gate", .left),
    ])
    var remarks = ""
    for target in trained {
      if let reason = target.fullBecause {
        remarks += "\(target.name): everything was computed anew, as \(reason)\n"
      }
      switch target.result {
      case .trained(let model, let mode, _):
        table.add([
          target.name.description, String(model.report.rows), String(model.report.features),
          Decimal.short(model.report.lambda), mode.rawValue,
          model.report.gate.isOpen ? "open" : "closed",
        ])
      case .paused(let share):
        remarks += "\(target.name): paused at \(Decimal.fixed(100 * share, 0)) %\n"
      case .refused(.tooFewDays(let needed, let days)):
        remarks += "\(target.name) \(TargetStanding.tooFewDays(days, of: needed).clause)\n"
      case .refused(let error): remarks += "\(target.name): \(error)\n"
      case .outdated:
        remarks +=
          "\(target.name): not trained, as values were forgotten meanwhile\n"
      }
    }
    if !table.isEmpty { Terminal.result(table) }
    Terminal.result(remarks + "in \(Decimal.fixed(seconds, 2)) s\n")
  }

  private func json(_ trained: TrainedTarget, _ seconds: Double) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("target", .string(trained.target.description)), ("horizon", .integer(trained.name.horizon)),
    ]
    switch trained.result {
    case .trained(let model, let mode, let changed):
      members += [
        ("rows", .integer(model.report.rows)), ("features", .integer(model.report.features)),
        ("lambda", .number(model.report.lambda)), ("seconds", .number(seconds)),
        ("mode", .string(mode == .resumed ? "full" : mode.rawValue)),
        ("changed_rows", .integer(changed)), ("full_because", .string(trained.fullBecause)),
      ]
    case .paused(let share): members += [("mode", .string("paused")), ("share", .number(share))]
    case .refused(let error): members += [("mode", .null), ("reason", .string("\(error)"))]
    case .outdated: members += [("mode", .null), ("reason", .string("outdated"))]
    }
    return .object(members)
  }
}
