package import DayLog
package import Time

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The features of consecutive days, one column a feature.
///
/// Row *r* holds what is known about day `firstDay + r`, by the ages of the spec's features: with ages of
/// *h* and more, what is known *h* days before. NaN where a feature has no value.
///
/// Every value depends on the days in its own window alone, to the bit: rows built again after an edit
/// equal those of a build from scratch.
package struct FeatureMatrix: Sendable {
  /// What its columns are, in order.
  package let spec: FeatureSpec
  /// The day of row 0.
  package let firstDay: CalendarDay
  /// How many days (rows) there are.
  package let rowCount: Int
  /// `rowCount * spec.features.count` values, one feature after the other.
  package private(set) var values: ContiguousArray<Double>

  /// The features of `days`, which may lie before, in or after the table: days that the table does
  /// not hold are missing, and so is a metric that it does not have.
  ///
  /// - Complexity: a few operations a value; no allocation a row.
  package init(_ spec: FeatureSpec, of table: DayTable, days: Range<CalendarDay>) {
    self.spec = spec
    firstDay = days.lowerBound
    rowCount = days.lowerBound.distance(to: days.upperBound)
    values = ContiguousArray(repeating: .nan, count: rowCount * spec.features.count)
    rebuild(days, from: table)
  }

  /// The value of a feature on the day of a row.
  package subscript(row: Int, column: Int) -> Double { values[column * rowCount + row] }

  /// The days of the rows.
  package var days: Range<CalendarDay> { firstDay..<firstDay.advanced(by: rowCount) }

  /// Computes the rows of `days` again, after the table changed in days they look at.
  ///
  /// Which rows an edit touches is told by ``rows(touchedBy:)``.
  package mutating func rebuild(_ days: Range<CalendarDay>, from table: DayTable) {
    let days = days.clamped(to: self.days)
    guard !days.isEmpty else { return }
    var columns = MetricColumns(spec, rows: days)
    let row = firstDay.distance(to: days.lowerBound)
    for (metric, indices) in columns.features {
      columns.load(metric, from: table)
      for index in indices {
        columns.write(spec.features[index], to: &values, at: index * rowCount + row)
      }
    }
    for (index, feature) in spec.features.enumerated() where feature.metric == nil {
      writeCalendar(feature.kind, days, at: index * rowCount + row)
    }
  }

  /// The days of the rows that a change of one day's values touches.
  package func rows(touchedBy day: CalendarDay) -> Range<CalendarDay> {
    let first = day.advanced(by: spec.age ?? 0)
    let last = spec.memory.map { day.advanced(by: $0 + 1) } ?? days.upperBound
    return (first..<max(first, last)).clamped(to: days)
  }

  private mutating func writeCalendar(
    _ kind: Feature.Kind, _ days: Range<CalendarDay>, at start: Int
  ) {
    let perDay = 2 * Double.pi / 365.2425
    var index = start
    var day = days.lowerBound
    while day < days.upperBound {
      values[index] =
        switch kind {
        case .weekday(let weekday): day.weekday == weekday ? 1 : 0
        case .annualSine: sin(Double(day.number) * perDay)
        default: cos(Double(day.number) * perDay)
        }
      index += 1
      day = day.advanced(by: 1)
    }
  }
}

extension FeatureMatrix: Equatable {
  /// Equality by bit pattern, so that NaN (missing) equals NaN.
  package static func == (left: Self, right: Self) -> Bool {
    left.spec == right.spec && left.firstDay == right.firstDay && left.rowCount == right.rowCount
      && left.values.elementsEqual(right.values) { $0.bitPattern == $1.bitPattern }
  }
}
