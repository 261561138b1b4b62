internal import Charts
internal import DayLog
internal import Time

/// One metric as a small chart.
struct TrendCard {
  private let trend: TrendContent

  init(_ trend: TrendContent) { self.trend = trend }

  func write(_ html: inout HTML) {
    html.add("div", "class=\"card\"") { html in
      html.add("h3", trend.metric.name)
      html.figure(
        trend.chart.drawing, finding: trend.finding, header: ["up to", "mean of 28 days"],
        rows: trend.rows.map { ["\($0.day)", Figures.short($0.mean)] })
    }
  }
}
