internal import DayLog
internal import Learning

/// Chooses what is shown among all tests of a search: shares the error budget out, holds every test to it, leaves out
/// echoes, and accounts for each.
struct InsightChoice {
  /// The share of the error budget for the outcomes that only the person can tell, where there are others.
  static let feltShare = 0.8

  /// How much of the budget a test has beside one of the same day: what shows a day ahead is rarer and of more use,
  /// and what comes two days or a week after is rarer still.
  static func weight(_ pair: InsightPair) -> Double {
    switch (pair.lag, pair.window) {
    case (0, _): 1
    case (1, 1): 3
    default: 0.5
    }
  }

  private let search: InsightSearch
  private var tested: [InsightSearch.Tested] { search.tested }

  init(_ search: InsightSearch) { self.search = search }

  /// What is shown, the least likely by chance first, and what is not, with its reason.
  ///
  /// - Parameter tests: one for each of the search's series.
  func chosen(_ tests: inout [OutcomeTests]) -> (insights: [Insight], unshown: [UnshownPair]) {
    let weights = weights
    let rate = search.options.falseDiscoveryRate
    let holds = FalseDiscovery.holding(
      tested.map(\.association.probability), weights: weights, rate: rate)
    let bounds = FalseDiscovery.bounds(weights: weights, rate: rate)
    let yearly = FalseDiscovery.bounds(weights: weights, rate: search.options.yearlyError)
    let count = Double(holds.count { $0 })
    let held = tested.indices.filter { holds[$0] }.sorted {
      let (left, right) = (tested[$0], tested[$1])
      return left.association.probability == right.association.probability
        ? left.pair < right.pair : left.association.probability < right.association.probability
    }
    let standing = standing(held, &tests, bounds: bounds.map { count * $0 })
    var insights: [Insight] = []
    var unshown: [UnshownPair] = []
    for (index, test) in tested.enumerated() {
      if let found = standing[index],
        let insight = insight(
          test, found, tail: count * bounds[index], yearly: yearly[index])
      {
        insights.append(insight)
        continue
      }
      let reason: UnshownPair.Reason =
        if holds[index] {
          .echo
        } else if test.association.restsOnFewDays {
          .restsOnFewDays
        } else {
          test.association.probability <= rate ? .notAmongSoMany : .intervalHoldsZero
        }
      unshown.append(
        UnshownPair(
          pair: test.pair, dayCount: test.association.dayCount,
          probability: test.association.probability, reason: reason))
    }
    insights.sort {
      $0.probability == $1.probability ? $0.pair < $1.pair : $0.probability < $1.probability
    }
    return (withTwins(insights), unshown)
  }

  /// What share of the error budget each test has, up to a common factor.
  private var weights: [Double] {
    let wanted = tested.map { search.isWanted($0.pair.outcome) }
    var weights = tested.map { Self.weight($0.pair) }
    var sums = (felt: 0.0, other: 0.0)
    for index in tested.indices {
      if wanted[index] { sums.felt += weights[index] } else { sums.other += weights[index] }
    }
    guard sums.felt > 0, sums.other > 0 else { return weights }
    for index in tested.indices {
      weights[index] *=
        wanted[index] ? Self.feltShare / sums.felt : (1 - Self.feltShare) / sums.other
    }
    return weights
  }

  /// What stands of the tests that hold, together with what stands of the same two metrics: by place among the tests.
  ///
  /// From the likeliest on, a test joins those of its pair that stand already if in one regression with them
  /// each keeps to its bound; else it is an echo of them.
  private func standing(
    _ held: [Int], _ tests: inout [OutcomeTests], bounds: [Double]
  ) -> [Int: Association] {
    var standing: [Int: Association] = [:]
    for index in held {
      let test = tested[index]
      // What stands of the other direction counts where it is of the same day, which has no direction.
      let others = standing.keys.sorted().filter {
        let other = tested[$0]
        return (other.outcome, other.factor) == (test.outcome, test.factor)
          || other.pair.lag == 0 && (other.factor, other.outcome) == (test.outcome, test.factor)
      }
      guard !others.isEmpty else {
        standing[index] = test.association
        continue
      }
      let members = others + [index]
      let factors = members.map {
        LaggedFactor(
          series: search.series[test.factor], lag: tested[$0].pair.lag,
          window: tested[$0].pair.window)
      }
      let days = tests[test.outcome].days(factors)
      guard days.count >= search.options.leastDays,
        let found = tests[test.outcome].test(factors, on: days),
        zip(members, found).allSatisfy({ $1.probability <= bounds[$0] })
      else { continue }
      for (member, association) in zip(members, found)
      where tested[member].outcome == test.outcome {
        standing[member] = association
      }
    }
    return standing
  }

  /// A test in its own units; nil where those are beyond what a number can hold.
  private func insight(
    _ test: InsightSearch.Tested, _ found: Association, tail: Double, yearly: Double
  ) -> Insight? {
    let (outcome, factor) = (search.series[test.outcome], search.series[test.factor])
    let step = factor.isYesNo && test.pair.window > 1 ? 1 / Double(test.pair.window) : factor.step
    let scale = outcome.scale * (step / factor.scale)
    let effect = found.slope * scale
    let reach =
      StudentT(degreesOfFreedom: found.degreesOfFreedom).quantile(twoSidedTail: tail)
      * found.standardError * scale
    guard effect.isFinite, reach.isFinite else { return nil }
    return Insight(
      pair: test.pair, dayCount: found.dayCount, step: step, effect: effect,
      interval: (effect - reach)...(effect + reach), coverage: 1 - tail,
      correlation: found.correlation, probability: found.probability,
      isEstablished: RepeatedLooks.probability(ever: found.probability) <= yearly,
      outcomeIsYesNo: outcome.isYesNo, factorIsYesNo: factor.isYesNo, twin: nil)
  }

  /// Metrics this close on the same day tell the same.
  private static let twinCorrelation = 0.5

  /// The same insights, each with the stronger one that says the same of a metric akin to its own.
  private func withTwins(_ insights: [Insight]) -> [Insight] {
    let places = Dictionary(
      uniqueKeysWithValues: search.series.enumerated().map { ($1.metric, $0) })
    func areTwins(_ one: Metric, _ other: Metric) -> Bool {
      guard one != other, let row = places[one], let column = places[other] else {
        return one == other
      }
      return !search.series[row].kinship.isDisjoint(with: search.series[column].kinship)
        || search.closeness[row][column] >= Self.twinCorrelation
    }
    var result: [Insight] = []
    for insight in insights {
      let lead = result.first {
        $0.twin == nil && ($0.pair.lag, $0.pair.window) == (insight.pair.lag, insight.pair.window)
          && ($0.effect > 0) == (insight.effect > 0)
          && $0.isEstablished == insight.isEstablished
          && areTwins($0.pair.factor, insight.pair.factor)
          && areTwins($0.pair.outcome, insight.pair.outcome)
          && ($0.pair.factor == insight.pair.factor || $0.pair.outcome == insight.pair.outcome)
      }
      result.append(insight.withTwin(lead?.pair))
    }
    return result
  }
}

extension Insight {
  /// The same insight, said by `twin` too.
  fileprivate func withTwin(_ twin: InsightPair?) -> Insight {
    Insight(
      pair: pair, dayCount: dayCount, step: step, effect: effect, interval: interval,
      coverage: coverage, correlation: correlation, probability: probability,
      isEstablished: isEstablished, outcomeIsYesNo: outcomeIsYesNo, factorIsYesNo: factorIsYesNo,
      twin: twin)
  }
}
