internal import DayLog
import Time

extension Nudge {
  /// The nudge about a forecast: what is expected beside what the naive rule says, and no word about what would
  /// bring it about.
  init(_ forecast: NudgePolicy.Candidate, today: CalendarDay) {
    target = forecast.target
    day = forecast.day
    id = "\(forecast.target)@\(forecast.day)"
    let when =
      switch today.distance(to: forecast.day) {
      case 0: "today"
      case 1: "tomorrow"
      default: "on \(forecast.day)"
      }
    let isHigher = forecast.value > forecast.baseline
    if forecast.target.isBinary {
      text =
        "\(forecast.target) is \(isHigher ? "more" : "less") likely than usual \(when):"
        + " \(Wording.percent(forecast.value)) against \(Wording.percent(forecast.baseline))"
        + " by the rule “\(forecast.baselineName)”."
    } else {
      let range = forecast.interval.map {
        ", 9 in 10 times between \(Wording.number($0.lowerBound)) and \(Wording.number($0.upperBound))"
      }
      text =
        "\(forecast.target) may be \(isHigher ? "higher" : "lower") than usual \(when):"
        + " about \(Wording.number(forecast.value))\(range ?? "")."
        + " The rule “\(forecast.baselineName)” says \(Wording.number(forecast.baseline))."
    }
    reason =
      "You see this as forecasts of \(forecast.target) have been closer than every simple rule on past days"
      + " (by \(Wording.percent(forecast.skill)) of the best rule's error), and this one is far from that rule."
  }
}
