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
    if outcomeIsYesNo {
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

  /// What says the same of metrics akin to this one's, in one sentence.
  public func sentence(twins: [Insight]) -> String {
    let names = twins.map { $0.pair.factor == pair.factor ? $0.pair.outcome : $0.pair.factor }
      .map(\.name)
    let listed =
      names.count < 2
      ? names.joined() : names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    return "The same goes for \(listed)."
  }

  private func occasion(_ unit: (Metric) -> String?) -> String {
    if pair.window > 1 {
      return factorIsYesNo
        ? "With each more day with \(pair.factor) among the \(pair.window) days before"
        : "After \(pair.window) days with \(pair.factor) \(Wording.quantity(step, unit(pair.factor))) higher on average"
    }
    let days =
      switch pair.lag {
      case 0: "On days with"
      case 1: "The day after days with"
      default: "\(pair.lag) days after days with"
      }
    if factorIsYesNo { return "\(days) \(pair.factor)" }
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
    case .restsOnFewDays: "two weeks alone speak for it"
    case .echo: "another day of the same two metrics explains it"
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
    let established = insights.count { $0.isEstablished }
    let shown =
      switch established {
      case 0:
        testCount == 0
          ? "too little is logged to test anything" : "nothing is established beyond chance"
      case 1: "1 thing is established"
      default: "\(established) things are established"
      }
    let first = insights.count - established
    let rest =
      (news.isEmpty ? "" : ", \(news.count) of them new")
      + (lost.isEmpty ? "" : ", \(lost.count) no longer")
      + (first == 0 ? "" : "; \(first) first sight\(first == 1 ? "" : "s")")
    return "Week \(week.first) to \(week.last): \(shown)\(rest) (\(testCount) tested)."
  }
}
