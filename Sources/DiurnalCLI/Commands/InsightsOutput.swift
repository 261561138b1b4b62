internal import DayLog
internal import Diurnal
internal import Personalisation

/// How insights are written, for people and for scripts.
enum InsightsOutput {
  /// How many findings are read before they are asked for.
  private static let mostLines = 12

  /// How many metrics without a value are named.
  private static let mostSilent = 8

  /// The report as people read it.
  static func text(_ report: InsightReport, listsAll: Bool) -> String {
    var text = "Week \(report.week): \(report.week.first) to \(report.week.last)"
    text += report.week.last >= report.today ? ", not over yet\n" : "\n"
    text += streak(report.streak) + "\n"
    if !report.metrics.isEmpty { text += "\n" + weekTable(report.metrics) }
    text += "\n" + holding(report, listsAll: listsAll)
    text += notShown(report)
    if listsAll { text += all(report) }
    return text
  }

  private static func streak(_ streak: Streak) -> String {
    guard let first = streak.first else {
      return "No streak: neither today nor yesterday is logged."
    }
    return
      "Logged \(counted(streak.dayCount, "day")) in a row, from \(first)."
  }

  private static func weekTable(_ metrics: [MetricWeek]) -> String {
    var table = TextTable([
      ("metric", .left), ("mean", .right), ("days", .right), ("usual", .right), ("unit", .left),
      ("", .left),
    ])
    for week in metrics where week.dayCount > 0 {
      let write = writer(week.metric)
      let standing =
        switch week.standing {
        case .belowUsual: "lower than in each of the \(MetricWeek.usualWeeks) weeks before"
        case .aboveUsual: "higher than in each of the \(MetricWeek.usualWeeks) weeks before"
        default: ""
        }
      table.add([
        week.metric.name, write(week.mean), "\(week.dayCount) of 7", write(week.usual),
        unit(week.metric) ?? "", week.mean == nil ? "too few days for a mean" : standing,
      ])
    }
    let silent = metrics.filter { $0.dayCount == 0 }.map(\.metric.name)
    let listed = silent.prefix(mostSilent).joined(separator: ", ")
    let others = silent.count > mostSilent ? " and \(silent.count - mostSilent) others" : ""
    let rest = silent.isEmpty ? "" : "Nothing this week: \(listed)\(others).\n"
    return (table.isEmpty ? "" : table.text(width: Terminal.width)) + rest
  }

  private static func writer(_ metric: Metric) -> (Double?) -> String {
    metric.isSymptom ? { Decimal.fixed($0.map { 100 * $0 }, 0) } : { Decimal.short($0) }
  }

  private static func unit(_ metric: Metric) -> String? {
    metric.isSymptom ? "% of days" : metric.unit
  }

  private static func holding(_ report: InsightReport, listsAll: Bool) -> String {
    guard let days = report.days, report.testCount > 0 else {
      return "Nothing could be tested yet: a pair of metrics needs four weeks of days in common.\n"
    }
    let span = "\(days.lowerBound) to \(days.upperBound)"
    let established = report.insights.filter(\.isEstablished)
    let first = report.insights.filter { !$0.isEstablished }
    let nothing = first.isEmpty ? "holds" : "is established"
    var text =
      established.isEmpty
      ? "Nothing \(nothing) beyond chance from \(span); \(report.testCount) pairs were tested.\n"
      : "What goes together, \(span) (\(report.testCount) pairs tested):\n"
    text += list(established, report, listsAll: listsAll)
    if !first.isEmpty {
      text += "First sights, of which about one in ten is there by chance; more days will tell:\n"
      text += list(first, report, listsAll: listsAll)
    }
    if !report.lost.isEmpty {
      text += "No longer established, as it stood a week before:\n"
      for insight in report.lost { text += "  " + insight.sentence(unit: \.unit) + "\n" }
    }
    for event in report.sharedEvents {
      text +=
        "Left out: \(event.lowerBound) to \(event.upperBound), when many metrics moved together"
        + " (a trip, an illness, another device?).\n"
    }
    return text
  }

  /// Insights, one a line, each followed by what says the same.
  private static func list(
    _ insights: [Insight], _ report: InsightReport, listsAll: Bool
  ) -> String {
    // What people rate comes first; both parts keep their order.
    let alone = insights.filter { $0.twin == nil }
    let leads = alone.filter(\.pair.outcome.isFelt) + alone.filter { !$0.pair.outcome.isFelt }
    let shown = listsAll ? leads[...] : leads.prefix(mostLines)
    var text = ""
    for lead in shown {
      let new = report.news.contains(lead.pair) ? "New: " : ""
      text += "  " + new + lead.sentence(unit: \.unit) + "\n"
      let twins = insights.filter { $0.twin == lead.pair }
      if !twins.isEmpty { text += "    " + lead.sentence(twins: twins) + "\n" }
    }
    let more = leads.count - shown.count
    return more == 0 ? text : text + "  and \(more) more: diurnal insights --all\n"
  }

  private static func notShown(_ report: InsightReport) -> String {
    var lines: [(String, String)] = []
    for reason in UnshownPair.Reason.allCases {
      let count = report.unshown.count { $0.reason == reason }
      if count > 0 { lines.append((String(count), reason.text)) }
    }
    for metric in report.untested { lines.append((metric.metric.name, metric.reason.text)) }
    return lines.isEmpty ? "" : "\nNot shown:\n" + CommandSyntax.aligned(lines)
  }

  private static func all(_ report: InsightReport) -> String {
    guard !report.unshown.isEmpty else { return "" }
    var table = TextTable([
      ("outcome", .left), ("other", .left), ("lag", .right), ("over", .right), ("days", .right),
      ("p", .right), ("reason", .left),
    ])
    for pair in report.unshown {
      table.add([
        pair.pair.outcome.name, pair.pair.factor.name, String(pair.pair.lag),
        String(pair.pair.window), String(pair.dayCount),
        Decimal.fixed(pair.probability, 3), pair.reason.text,
      ])
    }
    return "\n" + table.text(width: Terminal.width)
  }

  /// The members that scripts rely on.
  static func json(_ report: InsightReport) -> JSONValue {
    .object([
      (
        "week",
        .object([
          ("name", .string(report.week.description)),
          ("first", .string(report.week.first.description)),
          ("last", .string(report.week.last.description)),
        ])
      ),
      (
        "days",
        report.days.map {
          .object([
            ("first", .string($0.lowerBound.description)),
            ("last", .string($0.upperBound.description)),
          ])
        } ?? .null
      ),
      (
        "streak",
        .object([
          ("days", .integer(report.streak.dayCount)),
          ("first", .string(report.streak.first?.description)),
          ("last", .string(report.streak.last?.description)),
        ])
      ),
      ("metrics", .array(report.metrics.map(json))),
      ("tested", .integer(report.testCount)),
      ("false_discovery_rate", .number(report.falseDiscoveryRate)),
      ("insights", .array(report.insights.map { json($0, in: report) })),
      ("no_longer_established", .array(report.lost.map { json($0, in: report) })),
      (
        "left_out",
        .array(
          report.sharedEvents.map {
            .object([
              ("first", .string($0.lowerBound.description)),
              ("last", .string($0.upperBound.description)),
            ])
          })
      ),
      (
        "not_shown",
        .array(
          report.unshown.map {
            .object(
              members($0.pair) + [
                ("n", .integer($0.dayCount)), ("p", .number($0.probability)),
                ("reason", .string($0.reason.rawValue)),
              ])
          })
      ),
      (
        "not_tested",
        .array(
          report.untested.map {
            .object([
              ("metric", .string($0.metric.name)), ("reason", .string($0.reason.name)),
              ("text", .string($0.reason.text)),
            ])
          })
      ),
    ])
  }

  private static func json(_ week: MetricWeek) -> JSONValue {
    .object([
      ("metric", .string(week.metric.name)), ("unit", .string(unit(week.metric))),
      ("mean", .number(week.mean)), ("days", .integer(week.dayCount)),
      ("reason", .string(week.whyNoMean)), ("usual", .number(week.usual)),
      ("usual_days", .integer(week.usualDayCount)), ("standing", .string(week.standing?.rawValue)),
    ])
  }

  private static func json(_ insight: Insight, in report: InsightReport) -> JSONValue {
    .object(
      members(insight.pair) + [
        ("n", .integer(insight.dayCount)), ("step", .number(insight.step)),
        ("effect", .number(insight.effect)), ("lower", .number(insight.interval.lowerBound)),
        ("upper", .number(insight.interval.upperBound)), ("coverage", .number(insight.coverage)),
        ("correlation", .number(insight.correlation)), ("p", .number(insight.probability)),
        ("established", .bool(insight.isEstablished)),
        ("new", .bool(report.news.contains(insight.pair))),
        ("twin_of", insight.twin.map { .object(members($0)) } ?? .null),
        ("text", .string(insight.sentence(unit: \.unit))),
      ])
  }

  private static func members(_ pair: InsightPair) -> [(String, JSONValue)] {
    [
      ("outcome", .string(pair.outcome.name)), ("factor", .string(pair.factor.name)),
      ("lag", .integer(pair.lag)), ("over_days", .integer(pair.window)),
    ]
  }
}
