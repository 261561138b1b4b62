public import DayLog
import Time

/// One metric over one week, beside what is usual for the person.
public struct MetricWeek: Equatable, Sendable {
  /// What was measured.
  public let metric: Metric
  /// How many of the seven days have a value.
  public let dayCount: Int
  /// The mean of the days with a value; nil, with the reason in ``whyNoMean``, where they are too few. Of a
  /// symptom the share of days with it.
  public let mean: Double?
  /// Why there is no mean; nil where there is one.
  public let whyNoMean: String?
  /// The mean of the days with a value in the ``usualWeeks`` weeks before; nil where fewer than
  /// ``leastUsualDays`` have one.
  public let usual: Double?
  /// How many of those days have a value.
  public let usualDayCount: Int
  /// How the week stands among those weeks; nil where it has fewer than ``leastStandingDays`` days with a value, or
  /// too few of them have a mean.
  public let standing: Standing?

  /// Where a week's mean lies among those of the weeks before.
  public enum Standing: String, Sendable {
    /// Below each of them.
    case belowUsual = "below"
    /// Within their range.
    case usual = "usual"
    /// Above each of them.
    case aboveUsual = "above"
  }

  /// How many weeks before count as usual.
  public static let usualWeeks = 8
  /// Days with a value below which nothing counts as usual.
  public static let leastUsualDays = 14
  /// Days with a value below which a week is not compared: the mean of a few days strays further than that of seven.
  public static let leastStandingDays = 5
  /// Earlier weeks with a mean below which a week has no standing.
  static let leastStandingWeeks = 4

  /// The week of a metric.
  ///
  /// - Parameter leastDays: days with a value below which a week has no mean.
  init(_ metric: Metric, _ week: ISOWeek, in table: DayTable, leastDays: Int) {
    let column = table.column(metric) ?? []
    func values(from first: CalendarDay, days: Int) -> [Double] {
      let start = table.firstDay.distance(to: first)
      return (max(0, start)..<max(0, min(table.dayCount, start + days), max(0, start))).compactMap {
        let value = column[column.startIndex + $0]
        guard value.isFinite else { return nil }
        return metric.isSymptom ? (value > 0 ? 1 : 0) : value
      }
    }
    let own = values(from: week.first, days: 7)
    let span = 7 * Self.usualWeeks
    let before = values(from: week.first.advanced(by: -span), days: span)
    self.metric = metric
    dayCount = own.count
    mean = own.count >= leastDays ? Self.mean(own) : nil
    whyNoMean =
      own.count >= leastDays
      ? nil
      : "\(own.count) of 7 days \(own.count == 1 ? "has" : "have") a value; \(leastDays) are needed"
    usualDayCount = before.count
    usual = before.count >= Self.leastUsualDays ? Self.mean(before) : nil
    let weeks = (1...Self.usualWeeks).compactMap { age -> Double? in
      let days = values(from: week.first.advanced(by: -7 * age), days: 7)
      return days.count >= leastDays ? Self.mean(days) : nil
    }
    if let mean, let low = weeks.min(), let high = weeks.max(),
      own.count >= Self.leastStandingDays, weeks.count >= Self.leastStandingWeeks
    {
      standing = mean < low ? .belowUsual : mean > high ? .aboveUsual : .usual
    } else {
      standing = nil
    }
  }

  /// The mean, without an overflow on the way.
  private static func mean(_ values: [Double]) -> Double {
    values.reduce(0) { $0 + $1 / Double(values.count) }
  }
}
