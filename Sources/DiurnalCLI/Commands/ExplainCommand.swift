internal import DayLog
internal import Diurnal
internal import Personalisation
internal import Storage

/// `diurnal explain`: what a prediction is made of.
struct ExplainCommand: Command {
  static let syntax = CommandSyntax(
    name: "explain", summary: "take a prediction apart",
    options: [
      .value("--target", "NAME", repeats: true, "a trained target; all of them if none is named"),
      .value(
        "--day", "DAY", "the day predicted; the day after the last in the log if none is named"),
    ],
    discussion: """
      The contributions and the value of an average day add up to what the plain regression says, in the
      target's unit, or in log-odds for a yes/no target. The weights say how much each rule and regression
      counts in the forecast that is shown.
      """,
    example: "diurnal explain --target mood")

  private let targets: [Target]
  private let day: CalendarDay?

  init(_ arguments: ParsedArguments) throws(Failure) {
    targets = try TargetOption.all(arguments, Self.syntax)
    day = try arguments.day("--day")
  }

  func run(in context: Context) async throws {
    let journal = try context.journal(.read)
    let today = try await context.today(journal)
    var predictions: [JSONValue] = []
    for target in try await TargetOption.trained(targets, journal) {
      let prediction = try await journal.predict(target, on: day, today: today)
      if context.isJSON {
        predictions.append(PredictionOutput.json(prediction))
      } else {
        Terminal.result(Self.text(prediction))
      }
    }
    await journal.store.close()
    if context.isJSON { Terminal.result(.object([("predictions", .array(predictions))])) }
  }

  private static let shownContributions = 10

  private static func text(_ prediction: Prediction) -> String {
    let write = PredictionOutput.writer(prediction.target)
    var text = "\(prediction.target) on \(prediction.day): forecast \(write(prediction.value)), "
    text += "regression \(write(prediction.model)), \(prediction.baseline.rule.name) "
    text +=
      "\(write(prediction.baseline.value)), gate \(prediction.gate.isOpen ? "open" : "closed")\n"
    let weights = prediction.weights.filter { $0.weight >= 0.005 }.sorted { $0.weight > $1.weight }
    text += "weights: "
    text +=
      weights.map { "\($0.name) \(Decimal.fixed($0.weight, 2))" }.joined(separator: ", ") + "\n"
    let ordered = prediction.contributions.sorted { abs($0.value) > abs($1.value) }
    let rest = ordered.dropFirst(shownContributions)
    var table = TextTable([("contribution", .left), ("", .right)])
    table.add(["an average day", signed(prediction.intercept)])
    for part in ordered.prefix(shownContributions) { table.add([part.name, signed(part.value)]) }
    if !rest.isEmpty {
      table.add(["\(rest.count) others together", signed(rest.reduce(0) { $0 + $1.value })])
    }
    return text + table.text + "\n"
  }

  private static func signed(_ value: Double) -> String {
    (value >= 0 ? "+" : "") + Decimal.fixed(value, 3)
  }
}
