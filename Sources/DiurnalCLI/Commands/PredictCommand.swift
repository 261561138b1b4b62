internal import DayLog
internal import Diurnal
internal import Personalisation
internal import Storage

/// `diurnal predict`: what the models say about a day, with the naive baseline beside it.
struct PredictCommand: Command {
  static let syntax = CommandSyntax(
    name: "predict", summary: "predict a day, tomorrow unless another is named",
    options: [
      .value("--target", "NAME", repeats: true, "a trained target; all of them if none is named"),
      .value("--day", "DAY", "the day to predict, at most one day after the last in the log"),
    ],
    discussion: """
      The interval is meant to hold 9 outcomes in 10. While the gate is closed, the forecast has not shown
      that it is better than the best naive rule, and nothing is claimed.
      """,
    example: "diurnal predict --target mood")

  private let targets: [Target]
  private let day: CalendarDay?

  init(_ arguments: ParsedArguments) throws(Failure) {
    targets = try TargetOption.all(arguments, Self.syntax)
    day = try arguments.day("--day")
  }

  func run(in context: Context) async throws {
    let journal = try context.journal(.read)
    let today = try await context.today(journal)
    var predictions: [Prediction] = []
    for target in try await TargetOption.trained(targets, journal) {
      predictions.append(try await journal.predict(target, on: day, today: today))
    }
    await journal.store.close()
    if context.isJSON {
      let values = predictions.map(PredictionOutput.json)
      Terminal.result(.object([("predictions", .array(values))]))
      return
    }
    var table = TextTable([
      ("target", .left), ("day", .left), ("forecast", .right), ("interval", .left),
      ("baseline", .right), ("rule", .left), ("gate", .left),
    ])
    for prediction in predictions {
      let write = PredictionOutput.writer(prediction.target)
      let interval = prediction.interval.map {
        "\(write($0.lowerBound)) to \(write($0.upperBound))"
      }
      table.add([
        prediction.target.description, prediction.day.description, write(prediction.value),
        interval ?? "–", write(prediction.baseline.value), prediction.baseline.rule.name,
        prediction.gate.isOpen ? "open" : "closed",
      ])
    }
    Terminal.result(table.text)
    if predictions.contains(where: { !$0.gate.isOpen }) {
      Terminal.remark(
        "note: where the gate is closed the forecast has not been shown to beat the naive rule; nothing is claimed"
      )
    }
    if let day = predictions.first?.day, day <= today.advanced(by: -1), self.day == nil {
      Terminal.remark("note: the log ends the day before \(day)")
    }
  }
}

/// How predictions are written.
enum PredictionOutput {
  /// A value in its own unit, or a probability as a percentage.
  static func writer(_ target: Target) -> (Double) -> String {
    target.isBinary
      ? { Decimal.fixed(100 * $0, 1) + " %" }
      : { abs($0) >= 100 ? Decimal.fixed($0, 0) : Decimal.fixed($0, 2) }
  }

  /// The members that scripts rely on.
  static func json(_ prediction: Prediction) -> JSONValue {
    .object([
      ("target", .string(prediction.target.description)),
      ("day", .string(prediction.day.description)),
      (prediction.target.isBinary ? "probability" : "value", .number(prediction.value)),
      ("lower", .number(prediction.interval?.lowerBound)),
      ("upper", .number(prediction.interval?.upperBound)), ("model", .number(prediction.model)),
      ("baseline", .number(prediction.baseline.value)),
      ("baseline_rule", .string(prediction.baseline.rule.name)),
      ("gate", .string(prediction.gate.isOpen ? "open" : "closed")),
      ("weights", .object(prediction.weights.map { ($0.name, .number($0.weight)) })),
      ("intercept", .number(prediction.intercept)),
      (
        "contributions",
        .array(
          prediction.contributions.map {
            .object([("name", .string($0.name)), ("value", .number($0.value))])
          })
      ),
    ])
  }
}
