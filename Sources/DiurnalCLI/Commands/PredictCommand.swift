internal import DayLog
internal import Diurnal
internal import Personalisation
internal import Storage
import Time

/// `diurnal predict`: what the models say about a day, with the naive baseline beside it.
struct PredictCommand: Command {
  static let syntax = CommandSyntax(
    name: "predict", summary: "predict a day, tomorrow unless another is named",
    options: ModelOptions.asking + [
      .value("--day", "DAY", "the day to predict, at most the horizon after the last in the log")
    ],
    discussion: """
      The interval is meant to hold 9 outcomes in 10. While the gate is closed, the forecast has not shown
      that it is better than the best naive rule, and nothing is claimed.
      """,
    example: "diurnal predict --target mood")

  private let options: ModelOptions
  private let day: CalendarDay?

  init(_ arguments: ParsedArguments) throws(Failure) {
    options = try ModelOptions(arguments, Self.syntax)
    day = try arguments.day("--day")
  }

  func run(in context: Context) async throws {
    let journal = try context.journal(.read)
    let today = try await context.today(journal)
    let models = try await options.models(of: journal)
    let log = try await journal.personalLog(through: today)
    await journal.store.close()
    let predictions = try models.map { try $0.predict(day, from: log) }
    if context.isJSON {
      let values = predictions.map { PredictionOutput.json($0) }
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
