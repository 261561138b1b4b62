internal import Charts
internal import DayLog
internal import Diurnal
internal import Personalisation
internal import Time

/// What goes together, a card each.
struct InsightContent: Sendable {
  /// One statement with the days behind it.
  struct Card: Sendable {
    let sentence: String
    let chart: StripPlot
    let groups: [(label: String, count: Int, mean: Double)]
  }

  let cards: [Card]
  /// Further statements, in words alone.
  let others: [String]
  let testCount: Int
  let falseDiscoveryRate: Double
  let days: ClosedRange<CalendarDay>?
  /// Why pairs are not shown, with how many there are of each.
  let unshown: [(reason: String, count: Int)]

  private static let cardCount = 8

  init(_ report: InsightReport, _ log: PersonalLog) {
    cards = report.insights.prefix(Self.cardCount).map { Self.card($0, report, log) }
    others = report.insights.dropFirst(Self.cardCount).map { $0.sentence(unit: \.unit) }
    testCount = report.testCount
    falseDiscoveryRate = report.falseDiscoveryRate
    days = report.days
    unshown = UnshownPair.Reason.allCases.compactMap { reason in
      let count = report.unshown.count { $0.reason == reason }
      return count == 0 ? nil : (reason.text, count)
    }
  }

  private static func card(
    _ insight: Insight, _ report: InsightReport, _ log: PersonalLog
  ) -> Card {
    let pair = insight.pair
    let days = report.days ?? report.today...report.today
    let factors = Dictionary(
      uniqueKeysWithValues: log.table.values(of: pair.factor, in: days).map {
        ($0.day.advanced(by: pair.lag), $0.value)
      })
    let both = log.table.values(of: pair.outcome, in: days).compactMap { outcome in
      factors[outcome.day].map { (factor: $0, outcome: outcome.value) }
    }
    let sorted = both.map(\.factor).sorted()
    let groups: [(label: String, values: [Double])]
    if pair.factor.isSymptom {
      groups = [
        ("without", both.filter { $0.factor <= 0 }.map(\.outcome)),
        ("with \(pair.factor.name)", both.filter { $0.factor > 0 }.map(\.outcome)),
      ]
    } else if let low = sorted.dropFirst(sorted.count / 3).first,
      let high = sorted.dropFirst(2 * sorted.count / 3).first
    {
      let write = CalendarContent.writer(pair.factor)
      groups = [
        ("up to \(write(low))", both.filter { $0.factor <= low }.map(\.outcome)),
        ("from \(write(high))", both.filter { $0.factor >= high }.map(\.outcome)),
      ]
    } else {
      groups = []
    }
    return Card(
      sentence: insight.sentence(unit: \.unit),
      chart: StripPlot(
        groups.map { StripPlot.Strip(label: $0.label, values: $0.values) },
        unit: pair.outcome.name),
      groups: groups.map { group in
        (
          group.label, group.values.count,
          group.values.reduce(0) { $0 + $1 / Double(group.values.count) }
        )
      })
  }
}
