internal import DayLog
internal import Personalisation
import Time

/// How predictions are written.
enum PredictionOutput {
  /// A value in its own unit, or a probability as a percentage.
  static func writer(_ target: Target) -> (Double) -> String {
    target.isBinary
      ? { Decimal.fixed(100 * $0, 1) + " %" }
      : { abs($0) >= 100 ? Decimal.fixed($0, 0) : Decimal.fixed($0, 2) }
  }

  /// The day, and whether that is today or tomorrow.
  static func day(_ day: CalendarDay, today: CalendarDay) -> String {
    word(day, today: today).map { "\(day) \($0)" } ?? day.description
  }

  private static func word(_ day: CalendarDay, today: CalendarDay) -> String? {
    switch today.distance(to: day) {
    case -1: "yesterday"
    case 0: "today"
    case 1: "tomorrow"
    default: nil
    }
  }

  /// The members that scripts rely on.
  static func json(
    _ prediction: Prediction, today: CalendarDay, withContributions: Bool = true,
    influentialDays: [InfluentialDay]? = nil
  ) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("target", .string(prediction.target.description)),
      ("day", .string(prediction.day.description)), ("horizon", .integer(prediction.horizon)),
      (prediction.target.isBinary ? "probability" : "value", .number(prediction.value)),
      ("lower", .number(prediction.interval?.lowerBound)),
      ("upper", .number(prediction.interval?.upperBound)), ("model", .number(prediction.model)),
      ("baseline", .number(prediction.baseline.value)),
      ("baseline_rule", .string(prediction.baseline.rule.name)),
      ("gate", .string(prediction.gate.isOpen ? "open" : "closed")),
    ]
    if let word = word(prediction.day, today: today) {
      members.append(("relative_day", .string(word)))
    }
    if withContributions {
      members += [
        ("weights", .object(prediction.weights.map { ($0.name, .number($0.weight)) })),
        ("intercept", .number(prediction.intercept)),
        (
          "contributions",
          .array(
            prediction.contributions.map {
              .object([("name", .string($0.name)), ("value", .number($0.value))])
            })
        ),
      ]
    }
    if let influentialDays {
      members.append(
        (
          "influential_days",
          .array(
            influentialDays.map {
              .object([("day", .string($0.day.description)), ("shift", .number($0.shift))])
            })
        ))
    }
    return .object(members)
  }
}
