public import DayLog
public import Storage
public import Time

/// What a log holds of one metric, over all days.
public struct MetricSummary: Sendable, Equatable {
  /// What is measured or rated.
  public let metric: Metric
  /// How many days show a value.
  public let dayCount: Int
  /// The first day that shows one.
  public let first: CalendarDay
  /// The last day that shows one; never before ``first``.
  public let last: CalendarDay
  /// Whose values are shown, in the order of sources.
  public let sources: [Source]

  /// The share of the days from the first to the last, both counted, that show none: 0 up to, not
  /// including, 1.
  public var missingShare: Double {
    1 - Double(dayCount) / Double(last.number - first.number + 1)
  }

  /// The metrics that `days` show, by name.
  ///
  /// - Parameter days: in ascending order, each once.
  /// - Complexity: O(*n*) for *n* values.
  public static func summaries(of days: [ResolvedDay]) -> [MetricSummary] {
    var found: [Metric: (count: Int, first: CalendarDay, last: CalendarDay, sources: Set<Source>)] =
      [:]
    for day in days {
      for item in day.items {
        var summary = found[item.metric] ?? (0, day.day, day.day, [])
        summary.count += 1
        summary.last = day.day
        summary.sources.insert(item.resolved.source)
        found[item.metric] = summary
      }
    }
    return found.sorted { $0.key < $1.key }.map { metric, summary in
      MetricSummary(
        metric: metric, dayCount: summary.count, first: summary.first, last: summary.last,
        sources: summary.sources.sorted())
    }
  }
}

extension Journal {
  /// What the log holds of each metric that any day shows, by name.
  public func metricSummaries() async throws(StorageError) -> [MetricSummary] {
    MetricSummary.summaries(of: try await store.days())
  }
}
