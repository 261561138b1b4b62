import DayLog
internal import Learning
public import Time

/// Finds what holds of a log up to the end of a week, and says what the week was like.
///
/// Every pair of an outcome and another metric is tested, on the same day and at each lag: a regression of the
/// outcome on the other metric with weekdays, level and the outcome's own persistence taken out
/// (`SerialRegression`), on ranks (`MetricSeries`). All tests together are held to the false discovery rate. Metrics that follow another day by day are represented by it,
/// and pairs so close that one says the other are refused. The result depends on the log and the
/// arguments alone, to the bit.
///
/// In made-up logs of pure noise (20 metrics, autocorrelation 0.6, 84 days) at most 12 people in 100 see
/// anything, and at most 25 where levels shift or drift.
///
/// - Parameters:
///   - log: the days; those from `today` on show in the week and take no part in any test.
///   - today: the open day.
///   - week: the week of the report; nil takes that of the last closed day.
///   - logged: the days on which something was logged, for the streak; nil takes those of the log with any value.
/// - Complexity: O(*m*² *n k*²) for *m* metrics, *n* days and *k* ≈ 7 + *n* / 42.
public func findInsights(
  in log: PersonalLog, asOf today: CalendarDay, week: ISOWeek? = nil,
  logged: Set<CalendarDay>? = nil, options: InsightOptions = InsightOptions()
) -> InsightReport {
  let week = week ?? ISOWeek(containing: today.advanced(by: -1))
  let end = min(log.table.endDay, today, week.last.advanced(by: 1))
  let start = max(log.table.firstDay, end.advanced(by: -options.lookback))
  var search = InsightSearch(log.table, days: start..<max(start, end), options)
  search.run()
  return InsightReport(
    week: week, today: today, days: start < end ? start...end.advanced(by: -1) : nil,
    metrics: log.table.metrics.map {
      MetricWeek($0, week, in: log.table, leastDays: options.leastWeekDays)
    },
    streak: Streak(logged ?? log.daysWithValue, today: today), insights: search.insights,
    unshown: search.unshown.sorted { $0.pair < $1.pair },
    untested: search.untested.sorted { $0.metric < $1.metric },
    testCount: search.tested.count, falseDiscoveryRate: options.falseDiscoveryRate)
}

/// The search itself, one step after the other.
struct InsightSearch {
  private(set) var insights: [Insight] = []
  private(set) var unshown: [UnshownPair] = []
  private(set) var untested: [UntestedMetric] = []
  private(set) var tested: [(pair: InsightPair, association: Association, weight: Double)] = []

  /// Metrics this close on the same day are copies of one another.
  static let copyCorrelation = 0.95
  /// Metrics this close on the same day are taken for one thing measured twice, or for a part and its whole.
  static let sameThingCorrelation = 0.85
  /// The share of the error budget for the outcomes that only the person can tell, where there are others.
  static let feltShare = 0.8
  /// How much of the budget a pair of a day and the day before has beside one of the same day: what shows a day
  /// ahead is rarer and of more use.
  static let aheadWeight = 3.0

  private let options: InsightOptions
  private let firstDay: Int
  private var series: [MetricSeries] = []
  private var tests: [OutcomeTests] = []

  /// Prepares to look at `days` of a table, which holds them all.
  init(_ table: DayTable, days: Range<CalendarDay>, _ options: InsightOptions) {
    self.options = options
    firstDay = days.lowerBound.number
    let offset = table.firstDay.distance(to: days.lowerBound)
    let count = days.lowerBound.distance(to: days.upperBound)
    for metric in table.metrics {
      guard let column = table.column(metric) else { continue }
      let start = column.startIndex + offset
      let one = MetricSeries(metric, column[start..<(start + count)])
      if one.days.count < options.leastDays {
        untested.append(UntestedMetric(metric: metric, reason: .tooFewDays(one.days.count)))
      } else if one.variedDays(one.days) < options.leastVariedDays {
        untested.append(UntestedMetric(metric: metric, reason: .hardlyVaries))
      } else {
        series.append(one)
      }
    }
  }

  /// Looks for what holds.
  mutating func run() {
    // Of copies the one stands for the others that only the person can tell, then one that every log knows,
    // then the one with most days.
    let ranks = series.map {
      (isWanted($0.metric) ? 0 : 1, MetricKinship.known.contains($0.metric) ? 0 : 1, -$0.days.count)
    }
    let order = series.indices.sorted {
      ranks[$0] == ranks[$1] ? series[$0].metric < series[$1].metric : ranks[$0] < ranks[$1]
    }
    series = order.map { series[$0] }
    var search = NoiseSearch([])
    tests = series.map { OutcomeTests($0, firstDay: firstDay, search: &search) }
    let sameDay = removeCopies()
    for outcome in series.indices where options.outcomes?.contains(series[outcome].metric) ?? true {
      for factor in series.indices where factor != outcome {
        for lag in options.lags where lag >= 0 {
          // On the same day a pair has no direction: it is looked at once.
          if lag == 0, factor < outcome, isOutcome(factor) { continue }
          test(outcome, factor, lag, sameDay)
        }
      }
    }
    choose()
  }

  private func isWanted(_ metric: Metric) -> Bool {
    options.outcomes?.contains(metric) ?? metric.isFelt
  }

  private func isOutcome(_ index: Int) -> Bool {
    options.outcomes?.contains(series[index].metric) ?? true
  }

  /// Leaves one of each group of metrics that follow each other day by day, and returns how close any two of those
  /// left are on the same day.
  private mutating func removeCopies() -> [[Double]] {
    let count = series.count
    var closeness = [[Double]](repeating: [Double](repeating: 0, count: count), count: count)
    for first in 0..<count {
      for second in (first + 1)..<max(count, first + 1) {
        let days = tests[first].days(series[second], lag: 0)
        guard days.count >= options.leastDays else { continue }
        let found = tests[first].test(series[second], lag: 0, on: days)
        closeness[first][second] = abs(found?.correlation ?? 0)
        closeness[second][first] = closeness[first][second]
      }
    }
    var kept: [Int] = []
    for index in 0..<count {
      if let original = kept.first(where: { closeness[$0][index] >= Self.copyCorrelation }) {
        untested.append(
          UntestedMetric(
            metric: series[index].metric, reason: .copy(of: series[original].metric)))
      } else {
        kept.append(index)
      }
    }
    series = kept.map { series[$0] }
    tests = kept.map { tests[$0] }
    return kept.map { row in kept.map { closeness[row][$0] } }
  }

  private mutating func test(
    _ outcome: Int, _ factor: Int, _ lag: Int, _ sameDay: [[Double]]
  ) {
    let pair = InsightPair(
      outcome: series[outcome].metric, factor: series[factor].metric, lag: lag)
    let days = tests[outcome].days(series[factor], lag: lag)
    func refuse(_ reason: UnshownPair.Reason) {
      unshown.append(
        UnshownPair(pair: pair, dayCount: days.count, probability: nil, reason: reason))
    }
    guard days.count >= options.leastDays else { return refuse(.tooFewDays) }
    guard sameDay[outcome][factor] < Self.sameThingCorrelation,
      MetricKinship(pair.outcome).isDisjoint(with: MetricKinship(pair.factor))
    else { return refuse(.sameThing) }
    guard series[outcome].variedDays(days) >= options.leastVariedDays,
      series[factor].variedDays(days.map { $0 - lag }) >= options.leastVariedDays,
      let found = tests[outcome].test(series[factor], lag: lag, on: days)
    else { return refuse(.hardlyVaries) }
    guard abs(found.correlation) < Self.copyCorrelation else { return refuse(.sameThing) }
    tested.append((pair, found, 1))
  }

  /// Shares the error budget out, holds all tests to it, and says of each what became of it.
  private mutating func choose() {
    let wanted = tested.map { isWanted($0.pair.outcome) }
    for index in tested.indices {
      tested[index].weight = tested[index].pair.lag > 0 ? Self.aheadWeight : 1
    }
    var sums = (felt: 0.0, other: 0.0)
    for index in tested.indices {
      if wanted[index] {
        sums.felt += tested[index].weight
      } else {
        sums.other += tested[index].weight
      }
    }
    if sums.felt > 0, sums.other > 0 {
      for index in tested.indices {
        tested[index].weight *=
          wanted[index] ? Self.feltShare / sums.felt : (1 - Self.feltShare) / sums.other
      }
    }
    let weights = tested.map(\.weight)
    let probabilities = tested.map(\.association.probability)
    let rate = options.falseDiscoveryRate
    let holds = FalseDiscovery.holding(probabilities, weights: weights, rate: rate)
    let bounds = FalseDiscovery.bounds(weights: weights, rate: rate)
    let count = Double(holds.count { $0 })
    for (index, test) in tested.enumerated() {
      if holds[index], let insight = insight(test.pair, test.association, count * bounds[index]) {
        insights.append(insight)
        continue
      }
      unshown.append(
        UnshownPair(
          pair: test.pair, dayCount: test.association.dayCount,
          probability: test.association.probability,
          reason: test.association.probability <= rate ? .notAmongSoMany : .intervalHoldsZero))
    }
    insights.sort {
      $0.probability == $1.probability ? $0.pair < $1.pair : $0.probability < $1.probability
    }
  }

  /// A pair in its own units; nil where those are beyond what a number can hold.
  private func insight(_ pair: InsightPair, _ found: Association, _ tail: Double) -> Insight? {
    guard let outcome = series.first(where: { $0.metric == pair.outcome }),
      let factor = series.first(where: { $0.metric == pair.factor })
    else { return nil }
    let scale = outcome.scale * (factor.step / factor.scale)
    let effect = found.slope * scale
    let reach =
      StudentT(degreesOfFreedom: found.degreesOfFreedom).quantile(twoSidedTail: tail)
      * found.standardError * scale
    guard effect.isFinite, reach.isFinite else { return nil }
    return Insight(
      pair: pair, dayCount: found.dayCount, step: factor.step, effect: effect,
      interval: (effect - reach)...(effect + reach), coverage: 1 - tail,
      correlation: found.correlation, probability: found.probability)
  }
}

extension InsightPair: Comparable {
  public static func < (left: Self, right: Self) -> Bool {
    (left.outcome, left.factor, left.lag) < (right.outcome, right.factor, right.lag)
  }
}

extension PersonalLog {
  /// The days on which any metric has a value.
  var daysWithValue: Set<CalendarDay> {
    var days: Set<CalendarDay> = []
    for row in 0..<table.dayCount
    where table.metrics.indices.contains(where: {
      !table.values[$0 * table.dayCount + row].isNaN
    }) {
      days.insert(table.firstDay.advanced(by: row))
    }
    return days
  }
}
