import DayLog
internal import Learning
public import Time

/// Finds what holds of a log up to the end of a week, and says what the week was like.
///
/// Every pair of an outcome and another metric is tested on the same day, one and two days before, and over the week
/// before: a regression of the outcome on the other metric with weekdays, level and the outcome's own persistence
/// taken out (`SerialRegression`), on ranks (`MetricSeries`), with a variance that follows what rhythm both have
/// (`EffectiveSample`). Stretches on which many metrics were off together are taken out (`SharedEvents`), and so are changes
/// of level. All tests together are held to the false discovery rate. Of what holds of the same two metrics, only
/// what holds with the rest of it in the same regression is shown: a real effect at one lag leaves an echo at the
/// next. Metrics that follow another day by day are represented by it, and pairs so close that one says the other are
/// refused. The result depends on the log and the arguments alone, to the bit.
///
/// An insight is established once it would stand against a whole year of weekly looks (`RepeatedLooks`). Two reports
/// a week apart are compared, which is all that it takes to say what is new and what no longer stands: nothing is
/// kept between them, and what is forgotten leaves no trace.
///
/// `swift run bench --suite insights` says how often made-up people whose truth is known are told something false.
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
  let search = InsightSearch(log.table, before: end, options)
  // Without something established now or then there is nothing to compare; of the week before only that counts.
  let before = InsightSearch(log.table, before: min(end, week.first), options)
  let (established, known) = (search.established, before.established)
  return InsightReport(
    week: week, today: today,
    days: search.days.isEmpty
      ? nil : search.days.lowerBound...search.days.upperBound.advanced(by: -1),
    metrics: log.table.metrics.map {
      MetricWeek($0, week, in: log.table, leastDays: options.leastWeekDays)
    },
    streak: Streak(logged ?? log.daysWithValue, today: today), insights: search.insights,
    news: established.map(\.pair).filter { pair in !known.contains { $0.pair == pair } },
    lost: known.filter { old in !established.contains { $0.pair == old.pair } },
    sharedEvents: search.sharedEvents,
    unshown: search.unshown.sorted { $0.pair < $1.pair },
    untested: search.untested.sorted { $0.metric < $1.metric },
    testCount: search.tested.count, falseDiscoveryRate: options.falseDiscoveryRate)
}

/// The search itself, one step after the other.
struct InsightSearch {
  /// The days looked at, the day after the last included as a bound.
  let days: Range<CalendarDay>
  private(set) var insights: [Insight] = []
  private(set) var unshown: [UnshownPair] = []
  private(set) var untested: [UntestedMetric] = []
  private(set) var tested: [Tested] = []
  private(set) var sharedEvents: [ClosedRange<CalendarDay>] = []

  /// A pair that was tested, by the places of its metrics among ``series``.
  struct Tested {
    let pair: InsightPair
    let outcome: Int
    let factor: Int
    let association: Association
  }

  /// Metrics this close on the same day are copies of one another.
  static let copyCorrelation = 0.95
  /// Metrics this close on the same day are taken for one thing measured twice, or for a part and its whole.
  static let sameThingCorrelation = 0.85

  let options: InsightOptions
  private(set) var series: [MetricSeries] = []
  private(set) var closeness: [[Double]] = []
  private var tests: [OutcomeTests] = []

  /// Looks for what holds of a table in the days before `end`.
  init(_ table: DayTable, before end: CalendarDay, _ options: InsightOptions) {
    let start = max(table.firstDay, end.advanced(by: -options.lookback))
    days = start..<max(start, end)
    self.options = options
    let offset = table.firstDay.distance(to: start)
    for metric in table.metrics {
      guard let column = table.column(metric) else { continue }
      let first = column.startIndex + offset
      let one = MetricSeries(
        metric, column[first..<(first + days.lowerBound.distance(to: days.upperBound))])
      if one.days.count < options.leastDays {
        untested.append(UntestedMetric(metric: metric, reason: .tooFewDays(one.days.count)))
      } else if one.variedDays(one.days) < options.leastVariedDays {
        untested.append(UntestedMetric(metric: metric, reason: .hardlyVaries))
      } else {
        series.append(one)
      }
    }
    run()
  }

  private mutating func run() {
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
    tests = series.map { OutcomeTests($0, firstDay: days.lowerBound.number, search: &search) }
    removeCopies()
    removeSharedEvents()
    for outcome in series.indices where isOutcome(outcome) {
      for factor in series.indices where factor != outcome {
        // On the same day a pair has no direction: it is looked at once.
        for lag in options.lags where lag > 0 || !(factor < outcome && isOutcome(factor)) {
          test(outcome, LaggedFactor(series: series[factor], lag: lag, window: 1), factor)
        }
        if options.looksAtWeeks {
          test(outcome, LaggedFactor(series: series[factor], lag: 1, window: 7), factor)
        }
      }
    }
    let choice = InsightChoice(self).chosen(&tests)
    insights = choice.insights
    unshown += choice.unshown
  }

  /// What stands against a year of looks.
  var established: [Insight] { insights.filter(\.isEstablished) }

  /// Whether the person can be taken to care most for this metric.
  func isWanted(_ metric: Metric) -> Bool {
    options.outcomes?.contains(metric) ?? metric.isFelt
  }

  private func isOutcome(_ index: Int) -> Bool {
    options.outcomes?.contains(series[index].metric) ?? true
  }

  /// Leaves one of each group of metrics that follow each other day by day, and notes how close any two of those
  /// left are on the same day.
  private mutating func removeCopies() {
    let count = series.count
    var closeness = [[Double]](repeating: [Double](repeating: 0, count: count), count: count)
    for first in 0..<count {
      for second in (first + 1)..<max(count, first + 1) {
        let factor = LaggedFactor(series: series[second], lag: 0, window: 1)
        let days = tests[first].days([factor])
        guard days.count >= options.leastDays else { continue }
        closeness[first][second] = tests[first].test(factor, on: days)?.correlation ?? 0
        closeness[second][first] = closeness[first][second]
      }
    }
    var kept: [Int] = []
    for index in 0..<count {
      if let original = kept.first(where: { abs(closeness[$0][index]) >= Self.copyCorrelation }) {
        untested.append(
          UntestedMetric(
            metric: series[index].metric, reason: .copy(of: series[original].metric)))
      } else {
        kept.append(index)
      }
    }
    series = kept.map { series[$0] }
    tests = kept.map { tests[$0] }
    self.closeness = kept.map { row in kept.map { closeness[row][$0] } }
  }

  /// Takes out of every outcome the stretches on which many metrics were off together.
  private mutating func removeSharedEvents() {
    let numbers = days.lowerBound.number..<days.upperBound.number
    let kinds = MetricKinship.groups(series.map(\.kinship))
    var events: [Range<Int>] = []
    while events.count <= numbers.count / 30 {
      let scans = tests.indices.map { tests[$0].scan() }
      guard let event = SharedEvents.furthest(scans, kinds: kinds, days: numbers) else { break }
      events.append(event)
      for index in tests.indices { tests[index].add(event) }
    }
    guard !events.isEmpty else { return }
    events.sort { $0.lowerBound < $1.lowerBound }
    // What many metrics share is no noise of any, so the noise is looked for anew without it.
    var search = NoiseSearch([])
    tests = series.map {
      OutcomeTests($0, firstDay: numbers.lowerBound, events: events, search: &search)
    }
    sharedEvents = events.map {
      CalendarDay(number: $0.lowerBound)...CalendarDay(number: $0.upperBound - 1)
    }
  }

  private mutating func test(_ outcome: Int, _ factor: LaggedFactor, _ place: Int) {
    let pair = InsightPair(
      outcome: series[outcome].metric, factor: factor.series.metric, lag: factor.lag,
      window: factor.window)
    let days = tests[outcome].days([factor])
    func refuse(_ reason: UnshownPair.Reason) {
      unshown.append(
        UnshownPair(pair: pair, dayCount: days.count, probability: nil, reason: reason))
    }
    guard days.count >= options.leastDays else { return refuse(.tooFewDays) }
    guard abs(closeness[outcome][place]) < Self.sameThingCorrelation,
      series[outcome].kinship.isDisjoint(with: factor.series.kinship)
    else { return refuse(.sameThing) }
    guard series[outcome].variedDays(days) >= options.leastVariedDays,
      factor.window > 1
        || factor.series.variedDays(days.lazy.map { $0 - factor.lag }) >= options.leastVariedDays,
      let found = tests[outcome].test(factor, on: days)
    else { return refuse(.hardlyVaries) }
    guard abs(found.correlation) < Self.copyCorrelation else { return refuse(.sameThing) }
    tested.append(Tested(pair: pair, outcome: outcome, factor: place, association: found))
  }
}

extension InsightPair: Comparable {
  public static func < (left: Self, right: Self) -> Bool {
    (left.outcome, left.factor, left.lag, left.window)
      < (right.outcome, right.factor, right.lag, right.window)
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
