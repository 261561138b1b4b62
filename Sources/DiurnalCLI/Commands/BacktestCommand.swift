internal import DayLog
internal import Diurnal
internal import Personalisation
internal import Storage

/// `diurnal backtest`: how the forecasts did on days they did not know.
struct BacktestCommand: Command {
  static let isReading = true

  static let syntax = CommandSyntax(
    name: "backtest", summary: "score the forecasts on past days beside the simple rules",
    operands: ModelOptions.operands, options: ModelOptions.options,
    discussion: """
      Rolling origin: each day is forecast from the days before it alone. Numbers are scored by mean
      absolute error in the target's unit, yes/no targets by log loss; smaller is better. Skill is the share of
      the best rule's error that the forecast saves, and "at least" how much of it is beyond chance. Coverage is the
      share of days that lay in their interval, 90 % being meant.

      The simple rules: mean of all days so far; yesterday, the last value; weekday, the last value of that weekday;
      mean7 and mean28, of the last 7 and 28 days; weekday mean; persistence, the last value drawn towards the mean;
      shrunken mean, that of the last week drawn towards the mean of all days.
      """,
    example: "diurnal backtest mood")

  private let options: ModelOptions

  init(_ arguments: ParsedArguments) throws(Failure) {
    options = try ModelOptions(arguments, Self.syntax)
  }

  func run(in context: Context) async throws {
    let journal = try context.journal(.read)
    let today = try await context.today(journal)
    let models = try await options.models(of: journal, today: today)
    await journal.store.close()
    if context.isJSON {
      Terminal.result(.object([("targets", .array(models.map(Self.json)))]))
      return
    }
    var table = TextTable([
      ("target", .left), ("days", .right), ("score", .left), ("forecast", .right),
      ("regression", .right), ("best rule", .left), ("its score", .right), ("skill", .right),
      ("at least", .right), ("gate", .left), ("coverage", .right),
    ])
    for model in models {
      let report = model.report
      let best = Self.best(report)
      table.add([
        "\(ModelName(model.target, horizon: model.horizon))", String(report.scored),
        model.target.isBinary ? "log loss" : "mean error", Decimal.short(report.forecast.loss),
        Decimal.short(report.model.count > 0 ? report.model.loss : nil),
        report.gate.bestBaseline.name, Decimal.short(best?.loss),
        Self.percent(report.gate.skill),
        // −1 is a bound that says nothing, as on few days.
        Self.percent(report.gate.skillLower > -1 ? report.gate.skillLower : nil),
        report.gate.isOpen ? "open" : "closed", Self.percent(report.interval?.coverage),
      ])
    }
    Terminal.result(table)
  }

  private static func percent(_ value: Double?) -> String {
    guard let value, value.isFinite else { return "–" }
    return Decimal.fixed(100 * value, 1) + " %"
  }

  private static func best(_ report: BacktestReport) -> Scores? {
    NaiveRule.baselines.firstIndex(of: report.gate.bestBaseline).map { report.baselines[$0] }
  }

  /// Scores of no day are null.
  private static func scores(_ scores: Scores) -> [(String, JSONValue)] {
    func number(_ value: Double?) -> JSONValue { .number(scores.count > 0 ? value : nil) }
    if let logLoss = scores.logLoss {
      return [
        ("log_loss", number(logLoss)), ("brier", number(scores.brier)),
        ("auc", number(scores.auc)),
      ]
    }
    return [
      ("mae", number(scores.meanAbsoluteError)), ("rmse", number(scores.rootMeanSquareError)),
    ]
  }

  private static func json(_ model: PersonalModel) -> JSONValue {
    let report = model.report
    var members: [(String, JSONValue)] = [
      ("target", .string(report.target.description)), ("kind", .string(report.kind)),
      ("horizon", .integer(model.horizon)),
      ("rows", .integer(report.rows)), ("scored", .integer(report.scored)),
      ("features", .integer(report.features)), ("lambda", .number(report.lambda)),
    ]
    members += scores(report.forecast)
    members.append(("model", .object(scores(report.model))))
    members.append(
      (
        "baselines",
        .object(
          zip(NaiveRule.baselines, report.baselines).map {
            ($0.name, .object(scores($1)))
          })
      ))
    members += [
      ("best_baseline", .string(report.gate.bestBaseline.name)),
      ("skill", .number(report.gate.skill)), ("skill_lower", .number(report.gate.skillLower)),
      ("gate", .string(report.gate.isOpen ? "open" : "closed")),
      (
        "interval",
        report.interval.map {
          .object([
            ("nominal", .number($0.nominal)), ("coverage", .number($0.coverage)),
            ("median_width", .number($0.medianWidth)), ("score", .number($0.score)),
          ])
        } ?? .null
      ),
    ]
    return .object(members)
  }
}
