internal import Charts
internal import DayLog
internal import Personalisation
internal import Time

/// One metric over the days shown, with its trailing means and changes of level.
struct TrendContent: Sendable {
  let metric: Metric
  let chart: TrendChart
  let finding: String
  /// The means of 28 days at the ends of months or years: the table behind the picture.
  let rows: [(day: CalendarDay, mean: Double)]

  /// Of a symptom: its name, the days with an entry, the days with it and its mean severity on these.
  let symptomRow: [String]

  /// More points than that cannot be told apart in a small chart: days are put together first.
  private static let mostPoints = 180

  init(_ metric: Metric, in log: PersonalLog, days: ClosedRange<CalendarDay>) {
    let values = log.table.values(of: metric, in: days)
    // A rating that moves is the person's own; a measurement that moves at once is rather the instrument's.
    let changes = metric.isFelt ? [] : log.levelChanges(of: metric).filter(days.contains)
    let short = Self.trailing(values, days: 7, least: 3)
    let long = Self.trailing(values, days: 28, least: 10)
    let span = days.lowerBound.distance(to: days.upperBound) + 1
    let width = max(1, (span + Self.mostPoints - 1) / Self.mostPoints)
    self.metric = metric
    chart = TrendChart(
      axis: Self.axis(days), values: Self.grouped(values, width), short: Self.grouped(short, width),
      long: Self.grouped(long, width), changes: changes.map(\.number), gap: max(7, 2 * width))
    let write = CalendarContent.writer(metric)
    var finding = ""
    if let last = long.last,
      let earlier = long.last(where: { last.day.number - $0.day.number >= 28 })
    {
      finding =
        "\(write(last.value)) in the last four weeks, \(write(earlier.value)) in the four before."
    } else {
      finding = "\(values.count) \(values.count == 1 ? "day has" : "days have") a value."
    }
    if let change = changes.last { finding += " The level changed on \(change)." }
    self.finding = finding
    rows = Self.rows(long)
    let present = values.filter { $0.value > 0 }
    let severity = present.reduce(0) { $0 + $1.value / Double(present.count) }
    symptomRow = [
      metric.name, "\(values.count)", "\(present.count)",
      present.isEmpty ? "–" : Figures.short(severity),
    ]
  }

  /// The mean of the last days up to each day with a value; none where fewer than `least` have one.
  static func trailing(
    _ values: [(day: CalendarDay, value: Double)], days: Int, least: Int
  ) -> [(day: CalendarDay, value: Double)] {
    var result: [(day: CalendarDay, value: Double)] = []
    var start = 0
    for (index, value) in values.enumerated() {
      while values[start].day.distance(to: value.day) >= days { start += 1 }
      let window = values[start...index]
      guard window.count >= least else { continue }
      result.append(
        (value.day, window.reduce(0) { $0 + $1.value / Double(window.count) }))
    }
    return result
  }

  private static func grouped(
    _ values: [(day: CalendarDay, value: Double)], _ width: Int
  ) -> [DayValue] {
    guard width > 1 else { return values.map { DayValue(day: $0.day.number, value: $0.value) } }
    var groups: [DayValue] = []
    var rest = values[...]
    while let first = rest.first {
      let block = first.day.number / width
      let part = rest.prefix { $0.day.number / width == block }
      rest = rest.dropFirst(part.count)
      groups.append(
        DayValue(
          day: block * width + width / 2,
          value: part.reduce(0) { $0 + $1.value / Double(part.count) }))
    }
    return groups
  }

  private static func rows(
    _ means: [(day: CalendarDay, value: Double)]
  ) -> [(day: CalendarDay, mean: Double)] {
    var rows: [(day: CalendarDay, mean: Double)] = []
    for (index, mean) in means.enumerated() {
      let next = index + 1 < means.count ? means[index + 1].day.components.month : 0
      if mean.day.components.month != next { rows.append((mean.day, mean.value)) }
    }
    return rows.suffix(12)
  }

  /// A day axis with months, quarters or years, whichever leaves room.
  static func axis(_ days: ClosedRange<CalendarDay>) -> TimeAxis {
    let span = days.lowerBound.distance(to: days.upperBound)
    let step = span <= 100 ? 0 : span <= 200 ? 1 : span <= 500 ? 3 : 12
    var ticks: [(day: Int, label: String)] = []
    if step == 0 {
      let every = max(1, span / 5)
      for number in stride(from: days.lowerBound.number, through: days.upperBound.number, by: every)
      {
        let (_, month, day) = CalendarDay(number: number).components
        ticks.append((number, "\(day) \(MonthNames.short(month))"))
      }
    } else {
      var (year, month, _) = days.lowerBound.components
      while let day = CalendarDay(year: year, month: month, day: 1), day <= days.upperBound {
        if days.contains(day), (month - 1) % step == 0 {
          ticks.append((day.number, month == 1 ? "\(year)" : MonthNames.short(month)))
        }
        (year, month) = month == 12 ? (year + 1, 1) : (year, month + 1)
      }
    }
    return TimeAxis(days: days.lowerBound.number...days.upperBound.number, ticks: ticks)
  }
}
