internal import DayLog
internal import Diurnal
internal import Personalisation
internal import Storage
import Time

/// `diurnal explain`: what a prediction is made of.
struct ExplainCommand: Command {
  static let syntax = CommandSyntax(
    name: "explain", summary: "take a prediction apart",
    options: ModelOptions.asking + [
      .value("--day", "DAY", "the day predicted; the last that can be if none is named")
    ],
    discussion: """
      The contributions and the value of an average day add up to what the plain regression says, in the
      target's unit, or in log-odds for a yes/no target. The weights say how much each rule and regression
      counts in the forecast that is shown. The days listed last moved the plain regression most: by so much
      its value for that day would differ, had it not been trained on it. The first four weeks of a log and days
      with more than a quarter of the features missing are left out there.
      """,
    example: "diurnal explain --target mood")

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
    let closed = try await journal.personalLog(through: today.advanced(by: -1))
    await journal.store.close()
    var predictions: [JSONValue] = []
    for (place, model) in models.enumerated() {
      let prediction = try model.predict(day, from: log)
      let days = try model.influentialDays(in: closed)
      if context.isJSON {
        predictions.append(PredictionOutput.json(prediction, influentialDays: days))
      } else {
        Terminal.result((place > 0 ? "\n" : "") + Self.text(prediction, days))
      }
    }
    if context.isJSON { Terminal.result(.object([("predictions", .array(predictions))])) }
  }

  private static let shownContributions = 10

  private static func text(_ prediction: Prediction, _ days: [InfluentialDay]) -> String {
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
    let places = places(beside: prediction.intercept)
    func signed(_ value: Double) -> String {
      (value >= 0 ? "+" : "") + Decimal.fixed(value, places)
    }
    var table = TextTable([("contribution", .left), ("", .right)])
    table.add(["an average day", signed(prediction.intercept)])
    for part in ordered.prefix(shownContributions) { table.add([part.name, signed(part.value)]) }
    if !rest.isEmpty {
      table.add(["\(rest.count) others together", signed(rest.reduce(0) { $0 + $1.value })])
    }
    text += table.text
    var moved = TextTable([
      ("day that moved the regression most", .left), ("its value there by", .right),
    ])
    for day in days { moved.add([day.day.description, signed(day.shift)]) }
    guard !moved.isEmpty else { return text }
    return text + "\n" + moved.text
      + "(left out: the first four weeks, and days with much missing)\n"
  }

  /// How many decimal places say enough beside a number of this size.
  private static func places(beside value: Double) -> Int {
    switch abs(value) {
    case 1000...: 0
    case 100...: 1
    case 10...: 2
    default: 3
    }
  }
}
