import DayLog
import TestSupport
import Testing
import Time

@testable import Personalisation

extension SplitMix64 {
  /// Standard normal, by the sum of twelve even numbers.
  mutating func normal() -> Double {
    (0..<12).reduce(-6.0) { sum, _ in sum + .random(in: 0...1, using: &self) }
  }
}

/// A table of named columns from 2020-01-01 on; NaN is missing.
func dayTable(_ columns: [(Metric, [Double])]) -> DayTable {
  let columns = columns.sorted { $0.0 < $1.0 }
  return DayTable(
    firstDay: CalendarDay(number: 18_262), dayCount: columns[0].1.count,
    metrics: columns.map(\.0), values: ContiguousArray(columns.flatMap(\.1)))
}

/// The table with some values changed: (day, metric, value).
func changing(_ table: DayTable, _ changes: [(Int, Int, Double)]) -> DayTable {
  var values = table.values
  for (day, metric, value) in changes { values[metric * table.dayCount + day] = value }
  return DayTable(
    firstDay: table.firstDay, dayCount: table.dayCount, metrics: table.metrics, values: values)
}

/// The first `days` days of a table.
func beginning(_ table: DayTable, days: Int) -> DayTable {
  var values = ContiguousArray<Double>()
  for metric in table.metrics.indices {
    values += table.values[(metric * table.dayCount)..<(metric * table.dayCount + days)]
  }
  return DayTable(
    firstDay: table.firstDay, dayCount: days, metrics: table.metrics, values: values)
}

/// A whole training; fails the test where the budget, which is without end, runs out.
func train(
  _ log: PersonalLog, _ target: Target, horizon: Int = 1, previous: PersonalModel? = nil,
  full: Bool = false
) throws -> (model: PersonalModel, mode: TrainingMode, changedRows: Int) {
  var options = TrainingOptions()
  options.horizon = horizon
  let outcome = try trainPersonalisedModel(
    from: log, target: target, options: options, previous: previous, choosesPenalties: full)
  guard case .trained(let model, let mode, let changed) = outcome else {
    Issue.record("paused without a budget")
    throw TrainingError.tooLarge
  }
  return (model, mode, changed)
}

/// A training that computes everything but keeps the penalties of another model.
func trainFromScratch(_ log: PersonalLog, keeping model: PersonalModel) throws -> PersonalModel {
  var record = model.record
  record.fingerprints = []
  record.forecasts = record.forecasts.map { _ in [] }
  var options = TrainingOptions()
  options.horizon = model.horizon
  var training = try PersonalTraining(
    log, model.target, options, earlier: record, isPaused: false)
  guard case .trained(let whole, _, _) = try training.run(mayContinue: { true }) else {
    throw TrainingError.tooLarge
  }
  return whole
}
