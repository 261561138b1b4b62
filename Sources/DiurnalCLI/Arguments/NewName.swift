internal import DayLog

/// A metric that no day of the log has yet, and what it may have been meant for.
struct NewName {
  let metric: Metric
  /// The metric that it is near to: one of the log, or one that every log knows.
  let near: Metric?

  /// Nil where the log has the metric, or it is a known one.
  init?(_ metric: Metric, logged: Set<Metric>) {
    guard !logged.contains(metric) else { return nil }
    self.metric = metric
    near = Self.near(metric, logged)
    // A standard name is meant, unless the log has its like already.
    if Metric.known.contains(metric), near == nil { return nil }
  }

  private static func near(_ metric: Metric, _ logged: Set<Metric>) -> Metric? {
    let isKnown = Metric.known.contains(metric)
    if !isKnown, let meant = Metric.meant(by: metric.name) { return meant }
    let others = logged.union(isKnown ? [] : Metric.known).sorted()
    // A word of a longer name, such as sleep of sleep_quality.
    if !isKnown, !metric.isSymptom,
      let longer = others.first(where: { $0.name.hasPrefix(metric.name + "_") })
    {
      return longer
    }
    guard let name = Suggestion.nearest(to: metric.name, among: others.map(\.name), isStrict: true)
    else { return nil }
    return Metric(name)
  }
}
