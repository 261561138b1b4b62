import DayLog
public import Personalisation
public import Time

extension Journal {
  /// What a week was like and what holds of the log up to its end.
  ///
  /// - Parameters:
  ///   - week: any day of the week; nil takes the week of the day before `today`.
  ///   - today: the open day; it shows in its week and takes no part in any test.
  ///   - options: How the search is bounded and how sure an insight must be.
  /// - Throws: `StorageError`. A log with nothing in it is no error: its report has nothing.
  /// - Complexity: that of `findInsights`; a year of 20 metrics takes about a second.
  public func insights(
    week: CalendarDay? = nil, today: CalendarDay, options: InsightOptions = InsightOptions()
  ) async throws -> InsightReport {
    let log = try await personalLog(through: today)
    return findInsights(
      in: log, asOf: today, week: week.map(ISOWeek.init(containing:)), options: options)
  }
}
