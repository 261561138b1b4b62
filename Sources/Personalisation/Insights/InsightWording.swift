public import DayLog

extension Insight {
  /// The insight in one sentence: what goes with what, by how much, with interval and days. It says what went
  /// together, never what brought it about.
  ///
  /// - Parameter unit: the unit in which a metric's values stand; nil for one without.
  public func sentence(unit: (Metric) -> String?) -> String {
    let higher = effect > 0
    let size = abs(effect)
    let (near, far) =
      higher
      ? (interval.lowerBound, interval.upperBound) : (-interval.upperBound, -interval.lowerBound)
    let result: String
    if pair.outcome.isSymptom {
      result =
        "\(pair.outcome) came \(Wording.number(100 * size)) days in 100 \(higher ? "more" : "less") often"
        + " (interval \(Wording.number(100 * near)) to \(Wording.number(100 * far))"
    } else {
      result =
        "\(pair.outcome) was \(Wording.quantity(size, unit(pair.outcome)))"
        + " \(higher ? "higher" : "lower")"
        + " (interval \(Wording.number(near)) to \(Wording.number(far))"
    }
    return "\(occasion(unit)), \(result); \(dayCount) days)."
  }

  private func occasion(_ unit: (Metric) -> String?) -> String {
    let days =
      switch pair.lag {
      case 0: "On days with"
      case 1: "The day after days with"
      default: "\(pair.lag) days after days with"
      }
    if pair.factor.isSymptom { return "\(days) \(pair.factor)" }
    return "\(days) \(pair.factor) \(Wording.quantity(step, unit(pair.factor))) higher"
  }
}

extension UnshownPair.Reason {
  /// The reason in words.
  public var text: String {
    switch self {
    case .tooFewDays: "too few days have both"
    case .hardlyVaries: "one of the two hardly varies on the days that have both"
    case .sameThing: "both measure the same thing"
    case .intervalHoldsZero: "the interval holds 0"
    case .notAmongSoMany: "could be chance among so many tests"
    }
  }
}

extension UntestedMetric.Reason {
  /// The reason as scripts read it.
  public var name: String {
    switch self {
    case .tooFewDays: "too-few-days"
    case .hardlyVaries: "hardly-varies"
    case .copy: "copy"
    }
  }

  /// The reason in words.
  public var text: String {
    switch self {
    case .tooFewDays(let count): "\(count) day\(count == 1 ? "" : "s") with a value: too few"
    case .hardlyVaries: "it hardly varies"
    case .copy(let metric): "it follows \(metric) day by day"
    }
  }
}

extension InsightReport {
  /// The week and what holds, in one sentence: what a notification may show.
  public var headline: String {
    let shown =
      switch insights.count {
      case 0:
        testCount == 0 ? "too little is logged to test anything" : "nothing holds beyond chance"
      case 1: "1 thing holds beyond chance"
      default: "\(insights.count) things hold beyond chance"
      }
    return "Week \(week.first) to \(week.last): \(shown) (\(testCount) tested)."
  }
}
