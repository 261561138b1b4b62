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
  private let evaluations: [RollingEvaluation]
  private var record: RollingRecord
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
    let variants = Variant.all(
      for: target, metrics: Self.metrics(of: log, target, options), horizon: horizon,
      hasYear: log.table.dayCount > 365, isPositive: known.allSatisfy { $0 > 0 })
    let spec = FeatureSpec(Self.union(variants.map(\.features)))
    let rows = TrainingRows(log, target: target, spec: spec, horizon: horizon)
    let naive = NaiveForecasts(
      rows.outcomes, horizon: horizon, firstDay: log.table.firstDay.number,
      isBinary: target.isBinary)
    let places = Dictionary(uniqueKeysWithValues: zip(spec.features, spec.features.indices))
    let columns = variants.map { $0.features.compactMap { places[$0] } }
    let counts = Self.knownCounts(rows.observed, horizon: horizon)
    var evaluations: [RollingEvaluation] = []
    for (variant, columns) in zip(variants, columns) {
      evaluations.append(
        RollingEvaluation(
          features: try rows.matrix(columns),
          target: ContiguousArray(
            rows.observed.map { variant.transform.forward(rows.outcomes[$0], naive, day: $0) }),
          known: counts, isBinary: target.isBinary))
    }
    self.variants = variants
    self.rows = rows
    self.columns = columns
    self.naive = naive
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
    for (index, model) in models.enumerated() {
      parts.append(
        PersonalModel.Part(
          name: variants[index].name, transform: variants[index].transform,
          columns: columns[index], penalty: record.penalties[index] ?? 0, regression: model))
    }
    let (history, plain) = history()
    let report = report(history, plain)
    let everyone = ContiguousArray(repeating: 0.0, count: naive.series.count + parts.count)
    return PersonalModel(
      target: target, horizon: options.horizon,
      trainedDays: log.table.firstDay...log.table.endDay.advanced(by: -1),
      rowCount: rows.observed.count, report: report, spec: rows.spec, fills: rows.fills,
      bounds: bounds(), parts: parts, weights: history.aggregation.weights(everyone),
      halfWidth: target.isBinary ? nil : history.interval.halfWidth, record: record)
  }

  /// What no regression may leave after these outcomes.
  private func bounds() -> ClosedRange<Double> {
    guard !target.isBinary else { return 0...1 }
    var (low, high) = (Double.infinity, -Double.infinity)
    for day in rows.observed {
      low = min(low, rows.outcomes[day])
      high = max(high, rows.outcomes[day])
    }
    return Self.bounds(low, high)
  }

  /// The range of outcomes, a tenth wider on both sides, but not below 0 where none of them was.
  private static func bounds(_ low: Double, _ high: Double) -> ClosedRange<Double> {
    let margin = (high - low) / 10
    guard margin.isFinite else { return low...high }
    return (low >= 0 ? max(0, low - margin) : low - margin)...(high + margin)
  }

  /// The combined forecasts, and the plain regression's own.
  private func history() -> (ForecastHistory, plain: ContiguousArray<Double>) {
    let empty = ContiguousArray(repeating: Double.nan, count: rows.dayCount)
    var forecasters = naive.series
    let counts = evaluations[0].known
    for (index, variant) in variants.enumerated() {
      var series = empty
      var (low, high) = (Double.infinity, -Double.infinity)
      var seen = 0
      for (row, day) in rows.observed.enumerated() where row < record.forecasts[index].count {
        while seen < counts[row] {
          low = min(low, rows.outcomes[rows.observed[seen]])
          high = max(high, rows.outcomes[rows.observed[seen]])
          seen += 1
        }
        let raw = variant.transform.backward(record.forecasts[index][row], naive, day: day)
        guard !raw.isNaN, !target.isBinary else {
          series[day] = raw
          continue
        }
        let bounds = Self.bounds(low, high)
        series[day] = min(max(raw, bounds.lowerBound), bounds.upperBound)
      }
      forecasters.append(series)
    }
    let history = ForecastHistory(
      forecasters, outcomes: rows.outcomes, horizon: options.horizon, isBinary: target.isBinary,
      nominal: options.coverage)
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
      let forecast = history.forecasts[index]
      entries.append(
        TargetHistory.Entry(
          day: day, forecast: forecast,
          interval: target.isBinary
            ? nil : history.halfWidths[index].map { forecast - $0...forecast + $0 },
          outcome: rows.outcomes[position]))
    }
    return TargetHistory(entries: entries)
  }

  private func report(
    _ history: ForecastHistory, _ plain: ContiguousArray<Double>
  ) -> BacktestReport {
    let counts = evaluations[0].known
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

  private static func metrics(
    of log: PersonalLog, _ target: Target, _ options: TrainingOptions
  ) -> [Metric] {
    let counted = log.table.metrics.compactMap { metric -> (Int, Metric)? in
      guard metric != target.metric, let column = log.table.column(metric) else { return nil }
      let count = column.count { $0.isFinite }
      return count >= options.leastMetricDays ? (count, metric) : nil
    }
    let most = counted.sorted { $0.0 == $1.0 ? $0.1 < $1.1 : $0.0 > $1.0 }
      .prefix(options.mostMetrics)
    return (most.map(\.1) + [target.metric]).sorted()
  }

  private static func union(_ lists: [[Feature]]) -> [Feature] {
    var seen: Set<Feature> = []
    return lists.flatMap { $0 }.filter { seen.insert($0).inserted }
  }
}
