internal import DayLog
import Time

/// The samples of a health export as days.
struct HealthDays {
  private var export: HealthExport
  private let options: ImportOptions

  private static let source = Source(.imported, "apple-health")
  private static let typed = Source(.imported, "apple-health/typed")
  private static let inBed = Source(.imported, "apple-health/in-bed")
  private static let summary = Source(.imported, "apple-health/summary")

  init(export: HealthExport, options: ImportOptions) {
    self.export = export
    self.options = options
  }

  /// Adds every day's values and what became of the records.
  func add(to days: inout DayCollector) {
    var copy = self
    copy.addAll(to: &days)
  }

  private mutating func addAll(to days: inout DayCollector) {
    if let date = export.exportDate { days.asOf = date }
    days.summary.usesDayStart = true
    report(into: &days.summary)
    var covered: [Metric: Set<CalendarDay>] = [.activeEnergy: [], .exerciseMinutes: []]
    for index in HealthType.all.indices {
      let series = export.take(index)
      guard !series.isEmpty else { continue }
      let type = HealthType.all[index].type
      switch type.kind {
      case .count: addCounts(series, type, &days, &covered)
      case .measurement, .stateOfMind, .duration, .severity: addMeasurements(series, type, &days)
      case .sleep: addSleep(series, &days)
      }
    }
    for summary in export.summaries {
      days.summary.used += 1
      if covered[summary.metric]?.contains(summary.day) == true { continue }
      days.decide(summary.value, summary.metric, on: summary.day, source: Self.summary)
    }
  }

  private func isTyped(_ source: Int) -> Bool { export.sources[source].isTyped }

  private func addMeasurements(
    _ series: [HealthSeries], _ type: HealthType, _ days: inout DayCollector
  ) {
    var sums = DaySums()
    var typedSums = DaySums()
    // By name, since sums depend in their last digits on the order, and numbers on that of the file.
    for one in series.sorted(by: { name($0.source) < name($1.source) }) {
      if isTyped(one.source) {
        add(one, to: &typedSums, &days.summary)
      } else {
        add(one, to: &sums, &days.summary)
      }
    }
    for (sums, source) in [(sums, Self.source), (typedSums, Self.typed)] {
      for (day, cell) in sums.byDay() {
        days.decide(cell.value(type.fold), type.metric, on: day, source: source)
      }
    }
  }

  private func name(_ source: Int) -> String { export.sources[source].name }

  private func add(
    _ series: HealthSeries, to sums: inout DaySums, _ summary: inout ImportSummary
  ) {
    var used = 0
    summary.duplicates += SampleRuns(series.pieces).each { sample in
      sums.add(sample.value, at: sample.start, on: sample.day(dayStart: options.dayStart))
      used += 1
    }
    summary.used += used
  }

  /// Counts by the line of time. What was typed comes first in it, and on the days it touches makes a
  /// second entry: the total as the person corrected it.
  private func addCounts(
    _ unranked: [HealthSeries], _ type: HealthType, _ days: inout DayCollector,
    _ covered: inout [Metric: Set<CalendarDay>]
  ) {
    let series = ranked(unranked)
    let typedCount = series.firstIndex { !isTyped($0.source) } ?? series.count
    let runs = series.map { SampleRuns($0.pieces) }
    let sums = total(runs[typedCount...], &days.summary)
    for (day, cell) in sums.byDay() {
      days.decide(cell.sum, type.metric, on: day, source: Self.source)
      covered[type.metric]?.insert(day)
    }
    guard typedCount > 0 else { return }
    let touched = Set(total(runs[..<typedCount], &days.summary).byDay().map(\.day))
    var again = ImportSummary()
    for (day, cell) in total(runs[...], &again).byDay() where touched.contains(day) {
      days.decide(cell.sum, type.metric, on: day, source: Self.typed)
      covered[type.metric]?.insert(day)
    }
  }

  /// The daily totals of samples of several sources, in order of trust. Of records of one source that
  /// begin together each is a total so far: the longest counts, of equally long ones the largest.
  private func total(
    _ sources: ArraySlice<SampleRuns>, _ summary: inout ImportSummary
  ) -> DaySums {
    var timeline = CountTimeline()
    var sums = DaySums()
    var (used, replaced) = (0, 0)
    func count(_ sample: Sample) {
      sums.add(
        timeline.add(sample), at: sample.start, on: sample.day(dayStart: options.dayStart))
      used += 1
    }
    for runs in sources {
      var latest: Sample?
      let repeats = runs.each { sample in
        if let latest {
          if latest.start == sample.start { replaced += 1 } else { count(latest) }
        }
        latest = sample
      }
      if let latest { count(latest) }
      timeline.endSource()
      summary.duplicates += repeats
    }
    summary.used += used
    summary.duplicates += replaced
    return sums
  }

  /// Typed before measured, watch before phone before others, the larger total in the file first.
  private func ranked(_ series: [HealthSeries]) -> [HealthSeries] {
    series.map { (series: $0, source: export.sources[$0.source], total: $0.total) }
      .sorted { a, b in
        let (left, right) = (a.source, b.source)
        if left.isTyped != right.isTyped { return left.isTyped }
        if left.device != right.device { return left.device.rawValue < right.device.rawValue }
        if a.total != b.total { return a.total > b.total }
        return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
      }.map(\.series)
  }

  private func addSleep(_ series: [HealthSeries], _ days: inout DayCollector) {
    var samples: ContiguousArray<Sample> = []
    days.summary.duplicates += SampleRuns(series.flatMap(\.pieces)).each { samples.append($0) }
    days.summary.used += samples.count
    let sessions = SleepSessions(samples) { isTyped(Int($0)) }
    var isGuessed = false
    for (day, sleep) in sessions.days {
      if sleep.hasAsleep {
        let source = sleep.isTyped ? Self.typed : Self.source
        days.decide(sleep.asleep, .sleepHours, on: day, source: source)
        if sleep.hasStages {
          days.decide(sleep.deep, .sleepDeepHours, on: day, source: source)
          days.decide(sleep.rem, .sleepREMHours, on: day, source: source)
        }
      } else if sleep.onlyInBed > 0 {
        isGuessed = true
        days.decide(sleep.onlyInBed, .sleepHours, on: day, source: Self.inBed)
      }
    }
    if isGuessed {
      days.summary.remark(
        "some nights have only time in bed; they stand as sleep under apple-health/in-bed")
    }
  }

  private func report(into summary: inout ImportSummary) {
    summary.read += export.read
    for (reason, record) in export.rejections { summary.reject(reason, at: .record(record)) }
    for (reason, count) in export.rejectionCounts { summary.setCount(count, of: reason) }
    for (name, count) in export.unknownTypes { summary.skip("type", name, count: count) }
    for (kind, counts) in [
      ("unit", export.unknownUnits), ("element", export.unknownElements),
      ("zone", export.unknownZones),
    ] {
      for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
        summary.skip(kind, name, count: count)
      }
    }
    if export.unspecified > 0 {
      summary.remark(
        "symptoms are 0 (not present) to 3 (severe); \(export.unspecified) without a severity count as 1"
      )
    }
    if export.zeros > 0 { summary.skip("value", "0 of what is never 0", count: export.zeros) }
    let written = export.writtenOffset
    if written.only != nil, !written.isSeveral, written.first <= written.last,
      ClockChange.mayLie(between: written.first, and: written.last)
    {
      summary.remark(
        "every time is written in one offset although clocks may have changed in between; name the "
          + "zone you lived in with --zone")
    }
  }
}

/// What the values of a day come to, of values that come mostly day after day.
private struct DaySums {
  private var cells: [CalendarDay: Cell] = [:]
  private var day: CalendarDay?
  private var cell = Cell()

  struct Cell {
    private(set) var sum = 0.0
    private var count = 0
    private var largest = -Double.infinity
    private var last = (start: Int64.min, value: 0.0)

    @inline(__always)
    fileprivate mutating func add(_ value: Double, at start: Int64) {
      sum += value
      count += 1
      largest = max(largest, value)
      if start >= last.start { last = (start, value) }
    }

    fileprivate mutating func add(_ other: Cell) {
      sum += other.sum
      count += other.count
      largest = max(largest, other.largest)
      if other.last.start >= last.start { last = other.last }
    }

    func value(_ fold: Fold) -> Double {
      switch fold {
      case .sum: sum
      case .max: largest
      case .last: last.value
      case .mean, .min: sum / Double(count)
      }
    }
  }

  mutating func add(_ value: Double, at start: Int64, on day: CalendarDay) {
    if day != self.day {
      keep()
      self.day = day
    }
    cell.add(value, at: start)
  }

  private mutating func keep() {
    guard let day else { return }
    cells[day, default: Cell()].add(cell)
    cell = Cell()
  }

  /// The sums of all days.
  func byDay() -> [(day: CalendarDay, cell: Cell)] {
    var all = self
    all.keep()
    return all.cells.map { ($0.key, $0.value) }
  }
}

/// When clocks change in the parts of the world where they do.
enum ClockChange {
  /// Whether a span of time holds one of the usual Sundays: last of March and October, second of March,
  /// first of November, first of April and October.
  static func mayLie(between first: Int64, and last: Int64) -> Bool {
    if last - first > 366 * 86_400 { return true }
    var day = CalendarDay(number: Int(first / 86_400))
    let end = CalendarDay(number: Int(last / 86_400))
    while day < end {
      day = day.advanced(by: 1)
      let (_, month, date) = day.components
      guard day.weekday == 7 else { continue }
      switch (month, date) {
      case (3, 8...14), (3, 25...31), (4, 1...7), (10, 1...7), (10, 25...31), (11, 1...7):
        return true
      default: continue
      }
    }
    return false
  }
}
