internal import DayLog
import Time

/// The columns of one metric at a time: its values with room for the past before the first row, and the
/// series over its windows, each computed once and shared by the features that need it.
struct MetricColumns {
  /// The columns of each metric, as indices into the spec.
  let features: [(metric: Metric, indices: [Int])]

  private let rowCount: Int
  /// The day at position 0 of the series.
  private let firstDay: Int
  /// Position of the first row's own day.
  private let offset: Int
  private var series: ContiguousArray<Double>
  private var scratch: ContiguousArray<Double>
  private var column: ContiguousArray<Double> = []
  private var columnStart = 0
  private var windows: [(statistics: WindowStatistics, ready: Bool)] = []

  /// Prepares for the rows of `days`.
  init(_ spec: FeatureSpec, rows days: Range<CalendarDay>) {
    var places: [Metric: Int] = [:]
    var features: [(metric: Metric, indices: [Int])] = []
    for (index, feature) in spec.features.enumerated() {
      guard let metric = feature.metric else { continue }
      if let place = places[metric] {
        features[place].indices.append(index)
      } else {
        places[metric] = features.count
        features.append((metric, [index]))
      }
    }
    self.features = features
    let age = spec.features.reduce(0) { max($0, $1.age) }
    let window = spec.features.reduce(0) { max($0, $1.kind.window ?? 0) }
    offset = age + 2 * window + 2
    rowCount = days.lowerBound.distance(to: days.upperBound)
    firstDay = days.lowerBound.number - offset
    series = ContiguousArray(repeating: .nan, count: offset + rowCount)
    scratch = series
  }

  /// Makes `metric` the one whose features are written next.
  mutating func load(_ metric: Metric, from table: DayTable) {
    for index in windows.indices { windows[index].ready = false }
    columnStart = table.firstDay.number - firstDay
    if let values = table.column(metric) {
      column = ContiguousArray(values)
    } else {
      column = []
    }
    for position in series.indices {
      let index = position - columnStart
      series[position] = column.indices.contains(index) ? column[index] : .nan
    }
  }

  /// Writes the rows of one feature of the metric loaded, from `start` on.
  mutating func write(_ feature: Feature, to values: inout ContiguousArray<Double>, at start: Int) {
    let from = offset - feature.age
    switch feature.kind {
    case .value: copy(series, from, to: &values, start)
    case .mean(let days):
      let window = window(days)
      copy(windows[window].statistics.mean, from, to: &values, start)
    case .spread(let days):
      let window = window(days)
      copy(windows[window].statistics.spread, from, to: &values, start)
    case .minimum(let days):
      let window = window(days)
      copy(windows[window].statistics.minimum, from, to: &values, start)
    case .maximum(let days):
      let window = window(days)
      copy(windows[window].statistics.maximum, from, to: &values, start)
    case .exponentialMean(let halfLife, let days?):
      ExponentialMean.compute(
        series, firstDay: firstDay, halfLife: halfLife, days: days, into: &scratch)
      copy(scratch, from, to: &values, start)
    case .exponentialMean(let halfLife, nil):
      ExponentialMean.computeUncut(
        column, start: columnStart, halfLife: halfLife, into: &scratch)
      copy(scratch, from, to: &values, start)
    case .deviation(let days):
      let window = window(days)
      let mean = windows[window].statistics.mean
      for row in 0..<rowCount {
        values[start + row] = series[from + row] - mean[from + row - 1]
      }
    case .score(let days):
      let window = window(days)
      let mean = windows[window].statistics.mean
      let spread = windows[window].statistics.spread
      for row in 0..<rowCount {
        let width = spread[from + row - 1]
        values[start + row] =
          width > 0 ? (series[from + row] - mean[from + row - 1]) / width : .nan
      }
    case .difference:
      for row in 0..<rowCount { values[start + row] = series[from + row] - series[from + row - 1] }
    case .missing:
      for row in 0..<rowCount { values[start + row] = series[from + row].isNaN ? 1 : 0 }
    case .daysSince(let limit): writeDaysSince(limit, from, to: &values, start)
    case .weekday, .annualSine, .annualCosine:
      preconditionFailure("the calendar's features are of no metric")
    }
  }

  private func writeDaysSince(
    _ limit: Int, _ from: Int, to values: inout ContiguousArray<Double>, _ start: Int
  ) {
    var last = from - limit
    for position in (from - limit)..<from where series[position] > 0 { last = position }
    for row in 0..<rowCount {
      if series[from + row] > 0 { last = from + row }
      values[start + row] = Double(min(limit, from + row - last))
    }
  }

  private func copy(
    _ source: ContiguousArray<Double>, _ from: Int, to values: inout ContiguousArray<Double>,
    _ start: Int
  ) {
    let source = source.span
    var values = values.mutableSpan
    for row in 0..<rowCount { values[start + row] = source[from + row] }
  }

  /// The index of the statistics over this many days, computed for the metric loaded.
  private mutating func window(_ days: Int) -> Int {
    let index: Int
    if let known = windows.firstIndex(where: { $0.statistics.days == days }) {
      index = known
    } else {
      index = windows.count
      windows.append((WindowStatistics(days: days), false))
    }
    if !windows[index].ready {
      windows[index].statistics.compute(series, firstDay: firstDay)
      windows[index].ready = true
    }
    return index
  }
}
