internal import DayLog
internal import Diurnal
internal import Personalisation
internal import Scheduling
internal import Storage

/// `diurnal train`: models of the log's days.
struct TrainCommand: Command {
  static let syntax = CommandSyntax(
    name: "train", summary: "train the models on all days before today",
    options: [
      .value("--target", "NAME", repeats: true, "a metric, or a yes/no such as 'mood<=4'"),
      .flag("--full", "choose the penalty anew and compute everything"),
    ],
    discussion: """
      With no target named, every metric with enough days is one. Where there is a model already only what
      changed is computed, with the same penalty.
      """,
    example: "diurnal train --target mood --target 'sleep_hours<6'")

  private let targets: [Target]
  private let isFull: Bool

  init(_ arguments: ParsedArguments) throws(Failure) {
    targets = try TargetOption.all(arguments, Self.syntax)
    isFull = arguments.has("--full")
  }

  func run(in context: Context) async throws {
    let journal = try context.journal()
    let today = try await context.today(journal)
    let begin = ContinuousClock.now
    let trained = try await journal.train(
      targets, today: today, now: context.now, full: isFull)
    let seconds = begin.duration(to: .now) / .seconds(1)
    // The first start of the loop: from here on the retraining waits for its time.
    _ = await (try context.loop(journal)).active.activated()
    await journal.store.close()
    if context.isJSON {
      Terminal.result(
        .object([
          ("targets", .array(trained.map { json($0, seconds / Double(max(1, trained.count))) }))
        ]))
    } else {
      Terminal.result(text(trained, seconds))
    }
  }

  private func text(_ trained: [TrainedTarget], _ seconds: Double) -> String {
    guard !trained.isEmpty else {
      return
        "no metric has the \(TrainingOptions().leastDays) days that a model needs yet; nothing to train\n"
    }
    var table = TextTable([
      ("target", .left), ("rows", .right), ("features", .right), ("lambda", .right),
      ("mode", .left),
      ("gate", .left),
    ])
    var remarks = ""
    for target in trained {
      switch target.result {
      case .trained(let model, let mode, _):
        table.add([
          target.target.description, String(model.report.rows), String(model.report.features),
          Decimal.short(model.report.lambda), mode.rawValue,
          model.report.gate.isOpen ? "open" : "closed",
        ])
      case .paused(let share):
        remarks += "\(target.target): paused at \(Decimal.fixed(100 * share, 0)) %\n"
      case .refused(let error): remarks += "\(target.target): \(error)\n"
      case .outdated:
        remarks +=
          "\(target.target): a later training was faster, or values were forgotten meanwhile\n"
      }
    }
    return (table.isEmpty ? "" : table.text) + remarks
      + "in \(Decimal.fixed(seconds, 2)) s\n"
  }

  private func json(_ trained: TrainedTarget, _ seconds: Double) -> JSONValue {
    var members: [(String, JSONValue)] = [("target", .string(trained.target.description))]
    switch trained.result {
    case .trained(let model, let mode, let changed):
      members += [
        ("rows", .integer(model.report.rows)), ("features", .integer(model.report.features)),
        ("lambda", .number(model.report.lambda)), ("seconds", .number(seconds)),
        ("mode", .string(mode == .resumed ? "full" : mode.rawValue)),
        ("changed_rows", .integer(changed)),
      ]
    case .paused(let share): members += [("mode", .string("paused")), ("share", .number(share))]
    case .refused(let error): members += [("mode", .null), ("reason", .string("\(error)"))]
    case .outdated: members += [("mode", .null), ("reason", .string("outdated"))]
    }
    return .object(members)
  }
}

/// The option `--target` of several commands.
enum TargetOption {
  /// The targets named; wrong usage where a text is none.
  static func all(
    _ arguments: ParsedArguments, _ syntax: CommandSyntax
  ) throws(Failure) -> [Target] {
    var targets: [Target] = []
    for text in arguments.texts("--target") {
      guard let target = Target(text) else {
        throw .usage(
          "--target takes a metric or a comparison such as 'mood<=4', not “\(text)”", syntax)
      }
      targets.append(target)
    }
    return targets
  }

  /// The targets named, or those that have a model; a failure where there are none.
  static func trained(_ named: [Target], _ journal: Journal) async throws -> [Target] {
    if !named.isEmpty { return named }
    let trained = try await journal.trainedTargets()
    if trained.isEmpty {
      throw Failure(.failed, "nothing is trained yet; run: diurnal train")
    }
    return trained
  }
}
