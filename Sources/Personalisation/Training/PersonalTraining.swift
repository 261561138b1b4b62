internal import DayLog
internal import Learning
internal import LinearAlgebra
import Time

/// One target's training, from a log to a whole model.
struct PersonalTraining {
  let log: PersonalLog
  let target: Target
  let options: TrainingOptions
  private let variants: [Variant]
  private let rows: TrainingRows
  private let columns: [[Int]]
  private let naive: NaiveForecasts
  /// How many of the observed days are known when each of them is forecast.
  private let counts: [Int]
  /// Those of the logarithm end with the first day that knew of an outcome without one.
  private let evaluations: [RollingEvaluation]
  var record: RollingRecord
  private(set) var mode = TrainingMode.full
  private(set) var changedRows: Int

  /// Prepares the rows, and takes over what still holds of an earlier record.
  init(
    _ log: PersonalLog, _ target: Target, _ options: TrainingOptions, earlier: RollingRecord?,
    isPaused: Bool
  ) throws(TrainingError) {
    guard (1...7).contains(options.horizon) else { throw .invalidHorizon(options.horizon) }
    try target.check(in: log)
    let known = target.outcomes(in: log).filter { !$0.isNaN }
    guard known.count >= options.leastDays else {
      throw .tooFewDays(needed: options.leastDays, actual: known.count)
    }
    guard known.contains(where: { $0 != known[0] }) else { throw .noVariance }

    self.log = log
    self.target = target
    self.options = options
    let horizon = options.horizon
    let outcomes = target.outcomes(in: log)
    let observed = outcomes.indices.filter { !outcomes[$0].isNaN }
    let counts = Self.knownCounts(observed, horizon: horizon)
    // The first row with a forecast, where there is one.
    let first = counts.firstIndex { $0 >= RollingEvaluation.leastRows } ?? counts.count
    // How many rows have a forecast in logarithms.
    let positive = observed.firstIndex { outcomes[$0] <= 0 } ?? observed.count
    let logarithmic = counts.prefix { $0 <= positive }.count
    let ready = Self.metrics(of: log, target, options)
    let variants = Variant.all(
      for: target, metrics: ready.map(\.metric).sorted(), horizon: horizon,
      hasYear: log.table.dayCount > TrainingRows.year
    ).filter { $0.transform != .logarithm || logarithmic > first }
    let spec = FeatureSpec(Self.union(variants.map(\.features)))
    var starts: [Metric: Int] = [:]
    for (metric, day) in ready where first < observed.count && day + horizon > observed[first] {
      starts[metric] = day + horizon
    }
    let rows = TrainingRows(log, target: target, spec: spec, horizon: horizon, starts: starts)
    let naive = NaiveForecasts(
      rows.outcomes, horizon: horizon, firstDay: log.table.firstDay.number,
      isBinary: target.isBinary)
    let places = Dictionary(uniqueKeysWithValues: zip(spec.features, spec.features.indices))
    let columns = variants.map { $0.features.compactMap { places[$0] } }
    // What ends a regression of the logarithm stands in its last rows as the least value that has one.
    let least = observed[..<positive].reduce(Double.infinity) { min($0, outcomes[$1]) }
    var evaluations: [RollingEvaluation] = []
    for (variant, columns) in zip(variants, columns) {
      let count = variant.transform == .logarithm ? logarithmic : observed.count
      evaluations.append(
        RollingEvaluation(
          features: try rows.matrix(columns, count: count),
          target: ContiguousArray(
            observed[..<count].map { day in
              let isOut = variant.transform == .logarithm && outcomes[day] <= 0
              return variant.transform.forward(isOut ? least : outcomes[day], naive, day: day)
            }),
          known: Array(counts[..<count]), isBinary: target.isBinary))
    }
    self.variants = variants
    self.rows = rows
    self.columns = columns
    self.naive = naive
    self.counts = counts
    self.evaluations = evaluations
    let names = variants.map(\.signature)
    let marks = rows.fingerprints()
    if let (kept, changed) = earlier?.kept(
      variants: names, fingerprints: marks, kernel: BLASRuntime.current.kernel)
    {
      record = kept
      changedRows = changed
      mode = isPaused ? .resumed : changed == 0 ? .unchanged : .incremental
    } else {
      record = RollingRecord(
        variants: names, fingerprints: marks, kernel: BLASRuntime.current.kernel)
      changedRows = marks.count
    }
  }

  /// Works until the model is whole or the budget has run out, which is asked between chunks.
  mutating func run(mayContinue: () -> Bool) throws(TrainingError) -> TrainingOutcome {
    var models: [LinearModel] = []
    for (index, evaluation) in evaluations.enumerated() {
      if record.penalties[index] == nil {
        guard mayContinue() else { return .paused(progress) }
        record.penalties[index] = try evaluation.choosePenalty()
      }
      guard let penalty = record.penalties[index],
        let model = try evaluation.run(
          &record.forecasts[index], penalty: penalty, mayContinue: mayContinue)
      else { return .paused(progress) }
      models.append(model)
    }
    guard mayContinue() else { return .paused(progress) }
    return .trained(finish(models), mode, changedRows: changedRows)
  }

  private var progress: TrainingProgress {
    TrainingProgress(target: target, horizon: options.horizon, record: record)
  }

  /// - Parameter models: each variant's regression on all rows.
  private func finish(_ models: [LinearModel]) -> PersonalModel {
    var parts: [PersonalModel.Part] = []
    for (index, model) in models.enumerated() where isAwake(index) {
      parts.append(
        PersonalModel.Part(
          name: variants[index].name, transform: variants[index].transform,
          columns: columns[index], penalty: record.penalties[index] ?? 0, regression: model))
    }
    let (history, plain) = history()
    let report = report(history, plain)
    let everyone = ContiguousArray(
      naive.series.map { _ in 0.0 } + models.indices.map { isAwake($0) ? 0 : .nan })
    let weights = history.shown.aggregation.weights(everyone)
    return PersonalModel(
      target: target, horizon: options.horizon,
      trainedDays: log.table.firstDay...log.table.endDay.advanced(by: -1),
      rowCount: rows.observed.count, report: report, spec: rows.spec, fills: rows.fills,
      bounds: bounds(), parts: parts,
      weights: ContiguousArray(zip(weights, everyone).lazy.filter { !$1.isNaN }.map(\.0)),
      interval: history.shown.interval, record: record)
  }

  /// Whether a regression forecasts the days to come: one of the logarithm does while all outcomes have one.
  private func isAwake(_ index: Int) -> Bool {
    variants[index].transform != .logarithm || rows.observed.allSatisfy { rows.outcomes[$0] > 0 }
  }

  /// What no regression may leave after these outcomes.
  private func bounds() -> ClosedRange<Double> {
    guard !target.isBinary else { return 0...1 }
    var ends = ScaleEnds(of: target.metric)
    for day in rows.observed { ends.observe(rows.outcomes[day]) }
    return ends.bounds
  }

  /// The combined forecasts, each from what was known then, and the plain regression's own.
  func history() -> (ForecastHistory, plain: ContiguousArray<Double>) {
    let empty = ContiguousArray(repeating: Double.nan, count: rows.dayCount)
    var forecasters = naive.series
    for (index, variant) in variants.enumerated() {
      var series = empty
      var ends = ScaleEnds(of: target.metric)
      var seen = 0
      for (row, day) in rows.observed.enumerated() where row < record.forecasts[index].count {
        while seen < counts[row] {
          ends.observe(rows.outcomes[rows.observed[seen]])
          seen += 1
        }
        let raw = variant.transform.backward(record.forecasts[index][row], naive, day: day)
        guard !raw.isNaN, !target.isBinary else {
          series[day] = raw
          continue
        }
        let bounds = ends.bounds
        series[day] = min(max(raw, bounds.lowerBound), bounds.upperBound)
      }
      forecasters.append(series)
    }
    let history = ForecastHistory(
      target, forecasters, outcomes: rows.outcomes, horizon: options.horizon,
      firstDay: rows.firstDay.number, nominal: options.coverage)
    return (history, forecasters[naive.series.count])
  }

  /// The combined forecasts of the days whose evaluation is there.
  func pastForecasts(through last: CalendarDay) -> TargetHistory {
    let done = record.forecasts.map(\.count).min() ?? 0
    guard done > 0 else { return TargetHistory(entries: []) }
    let reach = rows.observed[done - 1]
    let (history, _) = history()
    var entries: [TargetHistory.Entry] = []
    for (index, position) in history.days.enumerated() {
      let day = log.table.firstDay.advanced(by: position)
      guard position <= reach, day <= last else { break }
      entries.append(
        TargetHistory.Entry(
          day: day, forecast: history.forecasts[index],
          interval: history.intervals[index], outcome: rows.outcomes[position]))
    }
    return TargetHistory(entries: entries)
  }

  private func report(
    _ history: ForecastHistory, _ plain: ContiguousArray<Double>
  ) -> BacktestReport {
    func first(_ count: Int) -> Int {
      counts.firstIndex { $0 >= count }.map { rows.observed[$0] } ?? .max
    }
    return BacktestReport(
      target, history, naive: naive, plain: plain, outcomes: rows.outcomes,
      features: columns[0].count, lambda: record.penalties[0] ?? 0,
      scoredFrom: first(options.scoredAfter), judgedFrom: first(options.judgedAfter))
  }

  /// How many of the observed days are known when each of them is forecast.
  private static func knownCounts(_ observed: [Int], horizon: Int) -> [Int] {
    var count = 0
    return observed.map { day in
      while observed[count] <= day - horizon { count += 1 }
      return count
    }
  }

  /// The metrics that serve as features, each with the position of the day from which its values were enough: those
  /// that had enough first, and the target's own, from the first day on. What a metric becomes later changes nothing.
  private static func metrics(
    of log: PersonalLog, _ target: Target, _ options: TrainingOptions
  ) -> [(metric: Metric, day: Int)] {
    let ready = log.table.metrics.compactMap { metric -> (metric: Metric, day: Int)? in
      guard metric != target.metric, let column = log.table.column(metric) else { return nil }
      let known = column.indices.lazy.filter { column[$0].isFinite }.dropFirst(
        options.leastMetricDays - 1)
      return known.first.map { (metric, $0 - column.startIndex) }
    }
    let first = ready.sorted { $0.day == $1.day ? $0.metric < $1.metric : $0.day < $1.day }
      .prefix(options.mostMetrics)
    return [(target.metric, 0)] + first
  }

  private static func union(_ lists: [[Feature]]) -> [Feature] {
    var seen: Set<Feature> = []
    return lists.flatMap { $0 }.filter { seen.insert($0).inserted }
  }
}
