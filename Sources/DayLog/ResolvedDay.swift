public import Time

/// What one day shows: the resolved value of each metric that has one.
public struct ResolvedDay: Sendable, Equatable {
  /// A metric's value on this day, and who said it.
  public struct Item: Sendable, Equatable {
    /// What is measured or rated.
    public let metric: Metric
    /// The value and who said it.
    public let resolved: ResolvedValue

    /// The value of `metric`.
    public init(metric: Metric, resolved: ResolvedValue) {
      self.metric = metric
      self.resolved = resolved
    }
  }

  /// The day.
  public let day: CalendarDay
  /// In ascending order of the metric's name; a metric without a value has no item.
  public let items: [Item]

  /// A day with these items, in ascending order of metric.
  public init(day: CalendarDay, items: [Item]) {
    precondition(
      zip(items, items.dropFirst()).allSatisfy { $0.metric < $1.metric }, "metrics ascend")
    self.day = day
    self.items = items
  }

  /// What the day shows for `metric`.
  public subscript(metric: Metric) -> ResolvedValue? {
    items.first { $0.metric == metric }?.resolved
  }
}
