internal import DayLog
internal import Diurnal
internal import Personalisation
internal import Storage
internal import Time

/// `diurnal predict`: what the models say about a day, with the naive baseline beside it.
struct PredictCommand: Command {
  static let isReading = true

  static let syntax = CommandSyntax(
    name: "predict", summary: "predict the day after each target's last value",
    operands: ModelOptions.operands,
    options: ModelOptions.options + [
      .value("--day", "DAY", "the day to predict, at most the horizon after the last in the log"),
      .flag("--contributions", "with --json, what each feature adds too, as explain tells it"),
    ],
    discussion: """
      The interval is meant to hold 9 outcomes in 10. The baseline is what the best simple rule says, such as the
      mean of the last week (backtest --help names them all). The gate is open where the forecast has been shown to beat every such rule on past
      days; while it is closed nothing is claimed. A target without a value for four weeks rests.
      """,
    example: "diurnal predict mood")

  private let options: ModelOptions
  private let day: DayWord?
  private let tellsContributions: Bool

  init(_ arguments: ParsedArguments) throws(Failure) {
    options = try ModelOptions(arguments, Self.syntax)
    day = try arguments.day("--day")
    tellsContributions = arguments.has("--contributions")
  }

  func run(in context: Context) async throws {
    let journal = try context.journal(.read)
    let today = try await context.today(journal)
    let models = try await options.models(of: journal, today: today)
    let log = try await journal.personalLog(through: today)
    await journal.store.close()
    let asked = AskedModels(
      models, log: log, today: today, day: day?.day(today: today, isAhead: true))
    let predictions = try asked.days.map { try $0.model.predict($0.day, from: log) }
    if context.isJSON {
      Terminal.result(
        .object([
          (
            "predictions",
            .array(
              predictions.map {
                PredictionOutput.json(
                  $0, today: today, withContributions: tellsContributions)
              })
          ), ("resting", .array(asked.restingJSON)),
        ]))
    } else {
      show(predictions, asked, today)
    }
    if predictions.isEmpty { throw Failure(.failed, "every target rests: nothing is forecast") }
  }

  private func show(_ predictions: [Prediction], _ asked: AskedModels, _ today: CalendarDay) {
    // The day that all of them share is told once, which leaves room for the rest.
    let days = Set(predictions.map(\.day))
    let shared = days.count == 1 ? days.first : nil
    if let shared {
      Terminal.result("Forecasts of \(PredictionOutput.day(shared, today: today))\n")
    }
    var table = TextTable(
      [("target", .left)] + (shared == nil ? [("day", .left)] : []) + [
        ("forecast", .right), ("interval", .left), ("baseline", .right), ("rule", .left),
        ("gate", .left),
      ])
    for prediction in predictions {
      let write = PredictionOutput.writer(prediction.target)
      let interval = prediction.interval.map {
        "\(write($0.lowerBound)) to \(write($0.upperBound))"
      }
      let day = shared == nil ? [PredictionOutput.day(prediction.day, today: today)] : []
      table.add(
        [prediction.target.description] + day + [
          write(prediction.value), interval ?? "–", write(prediction.baseline.value),
          prediction.baseline.rule.name, prediction.gate.isOpen ? "open" : "closed",
        ])
    }
    if !table.isEmpty { Terminal.result(table) }
    if predictions.contains(where: { !$0.gate.isOpen }) {
      Terminal.remark(
        "note: where the gate is closed the forecast has not been shown to beat the simple rules; nothing is claimed"
      )
    }
    for remark in asked.remarks { Terminal.remark(remark) }
  }
}

/// Which day each model is asked about: one that was named, else the day after the target's own last value. A
/// target that rests is not asked.
struct AskedModels {
  private(set) var days: [(model: PersonalModel, day: CalendarDay)] = []
  private(set) var remarks: [String] = []
  private(set) var restingJSON: [JSONValue] = []

  init(_ models: [PersonalModel], log: PersonalLog, today: CalendarDay, day: CalendarDay?) {
    for model in models {
      guard let last = model.target.lastDay(in: log) else {
        remarks.append("note: \(model.target) has no value any more: it is not forecast")
        continue
      }
      if let day {
        days.append((model, day))
        continue
      }
      guard !model.target.isResting(in: log, today: today) else {
        let age = Self.age(last.distance(to: today))
        remarks.append(
          "note: \(model.target) rests: its last value is of \(last), \(age) ago; it is forecast again when it comes back"
        )
        restingJSON.append(
          .object([
            ("target", .string(model.target.description)), ("last_day", .string(last.description)),
          ]))
        continue
      }
      days.append((model, last.advanced(by: model.horizon)))
      if last < today.advanced(by: -1) {
        remarks.append(
          "note: the last value of \(model.target) is \(Self.age(last.distance(to: today))) old (\(last))"
        )
      }
    }
  }

  /// A number of days as people say it.
  static func age(_ days: Int) -> String {
    switch days {
    case ..<28: counted(days, "day")
    case ..<61: "\(days / 7) weeks"
    case ..<730: "\((days + 15) / 30) months"
    default: "\((days + 182) / 365) years"
    }
  }
}
