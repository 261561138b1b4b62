internal import DayLog
import Time

extension Nudge {
  /// The nudge about a forecast: what is expected beside the person's usual and the best rule, and no word about
  /// what would bring it about.
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
    let isBinary = forecast.target.isBinary
    let write = isBinary ? Wording.percent : Wording.number
    let isHigher = forecast.value > forecast.says(.mean28)
    let range = forecast.interval.map {
      ", 9 in 10 times between \(write($0.lowerBound)) and \(write($0.upperBound))"
    }
    let what =
      isBinary
      ? "is \(isHigher ? "more" : "less") likely \(when) than in your last 28 days and in all your days"
      : "may be \(isHigher ? "higher" : "lower") \(when) than your mean of the last 28 days and of all days"
    let rule = forecast.bestRule
    let other =
      rule == .mean || rule == .mean28
      ? ""
      : " The simple rule that did best, \(rule.words(isBinary: isBinary)), says \(write(forecast.says(rule)))."
    text =
      "\(forecast.target) \(what): about \(write(forecast.value))\(range ?? ""),"
      + " against \(write(forecast.says(.mean28))) and \(write(forecast.says(.mean))).\(other)"
    reason =
      "You see this as forecasts of \(forecast.target) have been closer than every simple rule on past days"
      + " (by \(Wording.percent(forecast.skill)) of the best rule's error), and this one is far from what is usual"
      + " for you and from what your last days alone would say."
  }
}
