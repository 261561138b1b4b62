internal import DayLog
internal import Diurnal
internal import Personalisation
internal import Time

/// Everything that a page shows, as values: made from a journal once, then only written down.
struct ReportContent: Sendable {
  let today: CalendarDay
  /// The days shown; nil where the log has none up to the last day asked for.
  let days: ClosedRange<CalendarDay>?
  let isForPrint: Bool
  let week: WeekContent?
  let forecasts: ForecastContent
  let calendars: [CalendarContent]
  let trends: [TrendContent]
  let insights: InsightContent?
  let origins: OriginContent
  let loop: LoopContent?

  init(
    _ journal: Journal, today: CalendarDay, host: LoopHost?, options: JournalReport.Options
  ) async throws {
    let last = min(options.lastDay ?? today, today)
    let first = last.advanced(by: 1 - max(7, options.dayCount))
    let log = try await journal.personalLog(through: last)
    let shown = try await journal.days(from: first, to: last)
    self.today = today
    isForPrint = options.isForPrint
    days = shown.first.map { $0.day...last }
    origins = OriginContent(shown)
    guard let days else {
      (week, insights, calendars, trends) = (nil, nil, [], [])
      forecasts = ForecastContent()
      loop = try await LoopContent(journal, host)
      return
    }
    let report = findInsights(in: log, asOf: min(today, last.advanced(by: 1)))
    week = WeekContent(report)
    insights = isForPrint ? nil : InsightContent(report, log)
    forecasts = isForPrint ? ForecastContent() : try await ForecastContent(journal, log, today)
    let chosen = ChosenMetrics(log, days: days)
    let typed = origins.typedDays
    calendars = chosen.forCalendars.map {
      CalendarContent(
        $0, in: log.table, days: days, today: today, typed: typed[$0] ?? [])
    }
    trends = (isForPrint ? chosen.forPrint : chosen.all).map {
      TrendContent($0, in: log, days: days)
    }
    loop = isForPrint ? nil : try await LoopContent(journal, host)
  }
}
