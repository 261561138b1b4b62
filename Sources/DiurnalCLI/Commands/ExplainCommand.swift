internal import DayLog
internal import Diurnal
internal import Personalisation
internal import Storage
import Time

/// `diurnal explain`: what a prediction is made of.
struct ExplainCommand: Command {
  static let isReading = true

  static let syntax = CommandSyntax(
    name: "explain", summary: "take a prediction apart",
    operands: ModelOptions.operands,
    options: ModelOptions.options + [
      .value(
        "--day", "DAY", "the day predicted; the day after the target's last value if none is named")
    ],
    discussion: """
      The lines add up to the forecast that is shown: the value of an average day, what each feature adds to it in
      the plain regression, and what the other regressions and the simple rules move that by; in the
      target's unit, or in log-odds for a yes/no target. The weights say how much each rule and regression
      counts. The days listed last moved the plain regression most: by so much
      its value for that day would differ, had it not been trained on it. The first four weeks of a log and days
      with more than a quarter of the features missing are left out there.

      In the names, lag 2 is the value of two days before; mean 7 d the mean of seven days; deviation 28 d the last
      value less the mean of the 28 days before it, and score 28 d the same in standard deviations; half-life 28 d
      of 224 d is a mean over 224 days in which a day counts half as much as one 28 days later; weekday 1 is Monday.
      """,
    example: "diurnal explain mood")

  private let options: ModelOptions
  private let day: DayWord?

  init(_ arguments: ParsedArguments) throws(Failure) {
    options = try ModelOptions(arguments, Self.syntax)
    day = try arguments.day("--day")
  }

  func run(in context: Context) async throws {
    let journal = try context.journal(.read)
    let today = try await context.today(journal)
    let models = try await options.models(of: journal, today: today)
    let log = try await journal.personalLog(through: today)
    let closed = try await journal.personalLog(through: today.advanced(by: -1))
    await journal.store.close()
    var predictions: [JSONValue] = []
    let asked = AskedModels(
      models, log: log, today: today, day: day?.day(today: today, isAhead: true))
    for (place, (model, day)) in asked.days.enumerated() {
      let prediction = try model.predict(day, from: log)
      let days = try model.influentialDays(in: closed)
      if context.isJSON {
        predictions.append(PredictionOutput.json(prediction, today: today, influentialDays: days))
      } else {
        Terminal.result((place > 0 ? "\n" : "") + Self.text(prediction, days, today: today))
      }
    }
    if context.isJSON { Terminal.result(.object([("predictions", .array(predictions))])) }
    for remark in asked.remarks { Terminal.remark(remark) }
    if asked.days.isEmpty {
      throw Failure(.failed, "every target rests: there is nothing to explain")
    }
  }

  private static let shownContributions = 10

  private static func text(
    _ prediction: Prediction, _ days: [InfluentialDay], today: CalendarDay
  ) -> String {
    let write = PredictionOutput.writer(prediction.target)
    let gate = prediction.gate.isOpen ? "open" : "closed"
    var text = "\(prediction.target) on \(PredictionOutput.day(prediction.day, today: today)): "
    text += "forecast \(write(prediction.value)), gate \(gate)\n"
    text += "the best simple rule (\(prediction.baseline.rule.name)) says "
    text += "\(write(prediction.baseline.value)), the plain regression \(write(prediction.model))\n"
    let weights = prediction.weights.filter { $0.weight >= 0.05 }.sorted { $0.weight > $1.weight }
    let others = 1 - weights.reduce(0) { $0 + $1.weight }
    let named = weights.map { "\($0.name) \(Decimal.fixed($0.weight, 2))" }
    text += "weights: \(named.joined(separator: ", ")), all others \(Decimal.fixed(others, 2))\n"
    let sum = ContributionSum(prediction, shown: shownContributions)
    var table = TextTable([
      ("contribution", .left), (prediction.target.isBinary ? "log-odds" : "", .right),
    ])
    for (name, value) in sum.lines { table.add([name, value]) }
    text += table.text(width: Terminal.width)
    func signed(_ value: Double) -> String { ContributionSum.signed(value, sum.places) }
    var moved = TextTable([
      ("day that moved the regression most", .left), ("its value there by", .right),
    ])
    for day in days { moved.add([day.day.description, signed(day.shift)]) }
    guard !moved.isEmpty else { return text }
    return text + "\n" + moved.text(width: Terminal.width)
      + "(left out: the first four weeks, and days with much missing)\n"
  }
}
