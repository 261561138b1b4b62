internal import DayLog
internal import Personalisation
internal import Time

/// Which metrics are shown, and in which order: what a person rates, then symptoms, then what is best known, then
/// the rest by how many days have it.
struct ChosenMetrics {
  /// Every metric with at least two values in the days shown.
  let all: [Metric]

  /// How many metrics have a calendar, and how many stand on a printed page.
  private static let calendarCount = 6
  private static let printCount = 8

  init(_ log: PersonalLog, days: ClosedRange<CalendarDay>) {
    var counted: [(rank: Int, count: Int, metric: Metric)] = []
    for metric in log.table.metrics {
      let count = log.table.values(of: metric, in: days).count
      if count >= 2 { counted.append((Self.rank(metric), count, metric)) }
    }
    all = counted.sorted {
      ($0.rank, -$0.count, $0.metric.name) < ($1.rank, -$1.count, $1.metric.name)
    }.map(\.metric)
  }

  var forCalendars: [Metric] { Array(all.prefix(Self.calendarCount)) }

  /// Symptoms first: a doctor looks for them.
  var forPrint: [Metric] {
    Array((all.filter(\.isSymptom) + all.filter { !$0.isSymptom }).prefix(Self.printCount))
  }

  private static func rank(_ metric: Metric) -> Int {
    if metric.isFelt { return metric.isSymptom ? 1 : 0 }
    switch metric {
    case .sleepHours: return 2
    case .steps: return 3
    case .hrv, .hrvRMSSD: return 4
    case .restingHeartRate: return 5
    default: return 6
    }
  }
}

extension DayTable {
  /// The finite values of a metric on the days of a range that the table reaches, ascending.
  func values(
    of metric: Metric, in days: ClosedRange<CalendarDay>
  ) -> [(day: CalendarDay, value: Double)] {
    guard let column = column(metric) else { return [] }
    let first = max(0, firstDay.distance(to: days.lowerBound))
    let last = min(dayCount - 1, firstDay.distance(to: days.upperBound))
    guard first <= last else { return [] }
    return (first...last).compactMap { position in
      let value = column[column.startIndex + position]
      return value.isFinite ? (firstDay.advanced(by: position), value) : nil
    }
  }
}
