internal import Charts
internal import DayLog
internal import Diurnal
internal import Personalisation
internal import Time

/// The week in sentences.
struct WeekContent: Sendable {
  /// One metric's week.
  struct Line: Sendable {
    let metric: String
    let sentence: String
    /// Whether the week stands out among those before.
    let isUnusual: Bool
  }

  let first: CalendarDay
  let last: CalendarDay
  let isOver: Bool
  let lines: [Line]
  /// Metrics without a value this week.
  let silent: [String]
  let streak: String

  init(_ report: InsightReport) {
    first = report.week.first
    last = report.week.last
    isOver = report.week.last < report.today
    lines = report.metrics.filter { $0.dayCount > 0 }.map(Self.line)
      .sorted { $0.isUnusual && !$1.isUnusual }
    silent = report.metrics.filter { $0.dayCount == 0 }.map(\.metric.name)
    streak =
      switch (report.streak.dayCount, report.streak.first) {
      case (1, let day?): "Logged on one day, \(day)."
      case (let count, let day?): "Logged on \(counted(count, "day")) in a row, from \(day)."
      default: "Neither today nor yesterday has an entry yet."
      }
  }

  private static func line(_ week: MetricWeek) -> Line {
    let name = week.metric.name
    let standing =
      switch week.standing {
      case .belowUsual: ", lower than in each of the \(MetricWeek.usualWeeks) weeks before"
      case .aboveUsual: ", higher than in each of the \(MetricWeek.usualWeeks) weeks before"
      default: ""
      }
    guard let mean = week.mean else {
      return Line(
        metric: name,
        sentence: "\(week.dayCount) of 7 days have a value; a mean needs three.", isUnusual: false)
    }
    let write = writer(week.metric)
    let usual = week.usual.map { " (usually \(write($0)))" } ?? ""
    return Line(
      metric: name,
      sentence: (week.metric.isSymptom ? "on \(write(mean)) of days" : "\(write(mean)) on average")
        + usual + standing + "; \(week.dayCount) of 7 days.",
      isUnusual: !standing.isEmpty)
  }

  /// A value of a metric with its unit; a symptom as the share of days with it.
  static func writer(_ metric: Metric) -> (Double) -> String {
    if metric.isSymptom { return { "\(Figures.fixed(100 * $0, 0)) %" } }
    guard let unit = metric.unit, unit != "count" else { return { Figures.short($0) } }
    let suffix = unit.hasPrefix("1/") ? unit.dropFirst() : " " + unit
    return { Figures.short($0) + suffix }
  }
}
