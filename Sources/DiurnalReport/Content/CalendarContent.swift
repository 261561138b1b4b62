internal import Charts
internal import DayLog
internal import Personalisation
internal import Time

/// One metric as a calendar of the last year.
struct CalendarContent: Sendable {
  /// A month in numbers: the table behind the picture.
  struct Month: Sendable {
    let name: String
    let dayCount: Int
    let mean: Double
  }

  let metric: Metric
  let chart: HeatMap
  let months: [Month]
  let finding: String

  /// The most columns of a calendar: a year and a week.
  private static let weekCount = 53

  init(
    _ metric: Metric, in table: DayTable, days: ClosedRange<CalendarDay>, today: CalendarDay,
    typed: Set<CalendarDay>
  ) {
    let last = days.upperBound
    let start = max(
      days.lowerBound.startOfWeek, last.startOfWeek.advanced(by: -7 * (Self.weekCount - 1)))
    let values = table.values(of: metric, in: start...last)
    let byDay = Dictionary(uniqueKeysWithValues: values.map { ($0.day, $0.value) })
    let levels = Levels(values.map(\.value))
    let write = Self.writer(metric)
    var cells: [HeatMap.Cell] = []
    for position in 0...start.distance(to: last) {
      let day = start.advanced(by: position)
      let value = byDay[day]
      cells.append(
        HeatMap.Cell(
          position: position, level: value.map(levels.level), isTyped: typed.contains(day),
          isToday: day == today,
          title: "\(day): \(value.map(write) ?? "no value")"))
    }
    self.metric = metric
    chart = HeatMap(
      cells: cells, months: Self.months(from: start, to: last),
      range: (write(levels.low), write(levels.high)))
    months = Self.table(values)
    finding = Self.finding(metric, months, dayCount: values.count, write)
  }

  static func writer(_ metric: Metric) -> (Double) -> String {
    metric.isSymptom ? { Figures.short($0) } : WeekContent.writer(metric)
  }

  /// Seven levels between the 2nd and the 98th percentile, so that one wild day does not bleach a year.
  private struct Levels {
    let low: Double
    let high: Double

    init(_ values: [Double]) {
      let sorted = values.sorted()
      let cut = sorted.count / 50
      low = sorted.isEmpty ? 0 : sorted[cut]
      high = sorted.isEmpty ? 0 : sorted[sorted.count - 1 - cut]
    }

    func level(_ value: Double) -> Int {
      guard high > low else { return 3 }
      let share = (value / 2 - low / 2) / (high / 2 - low / 2)
      return Int((min(1, max(0, share)) * 6).rounded())
    }
  }

  private static func months(
    from first: CalendarDay, to last: CalendarDay
  ) -> [(column: Int, label: String)] {
    var months: [(column: Int, label: String)] = []
    for column in 0...(first.distance(to: last) / 7) {
      let week = first.advanced(by: 7 * column)
      let month = week.components.month
      if column == 0 || week.advanced(by: -7).components.month != month {
        months.append((column, MonthNames.short(month)))
      }
    }
    // A month of which the first column shows only its end has no room for its name.
    if months.count > 1, months[1].column - months[0].column < 2 { months.removeFirst() }
    return months
  }

  private static func table(_ values: [(day: CalendarDay, value: Double)]) -> [Month] {
    var months: [Month] = []
    var rest = values[...]
    while let first = rest.first {
      let (year, month, _) = first.day.components
      let part = rest.prefix {
        let (y, m, _) = $0.day.components
        return y == year && m == month
      }
      rest = rest.dropFirst(part.count)
      months.append(
        Month(
          name: "\(MonthNames.short(month)) \(year)", dayCount: part.count,
          mean: part.reduce(0) { $0 + $1.value / Double(part.count) }))
    }
    return months
  }

  private static func finding(
    _ metric: Metric, _ months: [Month], dayCount: Int, _ write: (Double) -> String
  ) -> String {
    let full = months.filter { $0.dayCount >= 10 }
    guard let high = full.max(by: { $0.mean < $1.mean }),
      let low = full.min(by: { $0.mean < $1.mean }), high.name != low.name
    else { return "\(metric) has a value on \(counted(dayCount, "day"))." }
    return
      "\(metric) was highest in \(high.name) (\(write(high.mean)) on average) and lowest in \(low.name) (\(write(low.mean)))."
  }
}

/// English names of months, the same in every locale.
enum MonthNames {
  private static let names = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  static func short(_ month: Int) -> String { names[month - 1] }
}
