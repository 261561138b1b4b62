internal import Charts
internal import Personalisation
internal import Time

/// How far a target's forecasts could be trusted: the reliability of its probabilities, or the coverage of its
/// intervals over time.
struct TrackRecord: Sendable {
  enum Kind: Sendable {
    case reliability(ReliabilityChart, [ReliabilityChart.Bin])
    case coverage(ShareChart, [(day: CalendarDay, share: Double)])
  }

  let kind: Kind
  let finding: String

  private static let binCount = 5
  private static let window = 60
  private static let nominal = 0.9

  /// - Returns: nil where too few days were forecast to say anything.
  init?(_ target: Target, _ history: TargetHistory) {
    guard history.entries.count >= 28 else { return nil }
    if target.isBinary {
      let bins = Self.bins(history.entries)
      kind = .reliability(ReliabilityChart(bins), bins)
      let count = Double(history.entries.count)
      let said = history.entries.reduce(0) { $0 + $1.forecast / count }
      let came = history.entries.reduce(0) { $0 + $1.outcome / count }
      finding =
        "It was said to come on \(Figures.fixed(100 * said, 0)) % of days, and came on \(Figures.fixed(100 * came, 0)) %."
    } else {
      let banded = history.entries.compactMap { entry in
        entry.interval.map { (day: entry.day, isInside: $0.contains(entry.outcome)) }
      }
      guard banded.count >= 28, let first = banded.first, let last = banded.last else { return nil }
      var shares: [(day: CalendarDay, share: Double)] = []
      for index in banded.indices where index >= 27 {
        let part = banded[max(0, index - Self.window + 1)...index]
        shares.append(
          (banded[index].day, Double(part.count { $0.isInside }) / Double(part.count)))
      }
      let all = Double(banded.count { $0.isInside }) / Double(banded.count)
      kind = .coverage(
        ShareChart(
          axis: TrendContent.axis(first.day...last.day),
          upper: Self.thinned(shares).map { DayValue(day: $0.day.number, value: $0.share) },
          reference: Self.nominal), Self.thinned(shares).suffix(12))
      finding =
        "\(Figures.fixed(100 * all, 0)) % of values lay within their interval; 90 % should. The curve shows the last \(Self.window) forecasts."
    }
  }

  /// Bins of equal count, by probability.
  private static func bins(_ entries: [TargetHistory.Entry]) -> [ReliabilityChart.Bin] {
    let sorted = entries.sorted { ($0.forecast, $0.day) < ($1.forecast, $1.day) }
    return (0..<binCount).compactMap { bin in
      let part = sorted[(bin * sorted.count / binCount)..<((bin + 1) * sorted.count / binCount)]
      guard !part.isEmpty else { return nil }
      let count = Double(part.count)
      return ReliabilityChart.Bin(
        forecast: part.reduce(0) { $0 + $1.forecast / count },
        observed: part.reduce(0) { $0 + $1.outcome / count }, count: part.count)
    }
  }

  /// At most about 120 points.
  private static func thinned(
    _ shares: [(day: CalendarDay, share: Double)]
  ) -> [(day: CalendarDay, share: Double)] {
    let step = max(1, shares.count / 120)
    return shares.indices.filter { (shares.count - 1 - $0) % step == 0 }.map { shares[$0] }
  }
}
