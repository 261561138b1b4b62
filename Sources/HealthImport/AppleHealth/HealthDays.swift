internal import DayLog

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
    report(into: &days.summary)
    var covered: [Metric: Set<CalendarDay>] = [.activeEnergy: [], .exerciseMinutes: []]
    for index in HealthType.all.indices where !export.samples[index].isEmpty {
      let type = HealthType.all[index].type
      let samples = export.take(index)
      switch type.kind {
      case .count: addCounts(samples, type, &days, &covered)
      case .measurement, .stateOfMind: addMeasurements(samples, type, fold: .mean, &days)
      case .duration: addMeasurements(samples, type, fold: .sum, &days)
      case .sleep: addSleep(samples, &days)
      }
    }
    for summary in export.summaries {
      days.summary.used += 1
      if covered[summary.metric]?.contains(summary.day) == true { continue }
      days.add(
        summary.value, summary.metric, on: summary.day, source: Self.summary, fold: .largest)
    }
  }

  private func isTyped(_ source: UInt16) -> Bool { export.sources[Int(source)].isTyped }

  private func addMeasurements(
    _ unsorted: ContiguousArray<HealthSample>, _ type: HealthType, fold: Fold,
    _ days: inout DayCollector
  ) {
    var samples = unsorted
    days.summary.duplicates += samples.sortAndDeduplicate(by: HealthSample.precedesInTime)
    days.summary.used += samples.count
    var sums = DaySums()
    var typedSums = DaySums()
    for sample in samples {
      let day = sample.day(dayStart: options.dayStart)
      if isTyped(sample.source) {
        typedSums.add(sample.value, on: day)
      } else {
        sums.add(sample.value, on: day)
      }
    }
    for (sums, source) in [(sums, Self.source), (typedSums, Self.typed)] {
      for (day, cell) in sums.cells {
        let value = fold == .sum ? cell.sum : cell.sum / Double(cell.count)
        days.add(value, type.metric, on: day, source: source, fold: fold)
      }
    }
  }

  /// Counts by the line of time. What was typed comes first in it, and on the days it touches makes a
  /// second entry: the total as the person corrected it.
  private func addCounts(
    _ unsorted: ContiguousArray<HealthSample>, _ type: HealthType, _ days: inout DayCollector,
    _ covered: inout [Metric: Set<CalendarDay>]
  ) {
    var samples = unsorted
    let ranks = rankSources(samples)
    for index in samples.indices {
      samples[index].source = UInt16(ranks.rank[Int(samples[index].source)])
    }
    days.summary.duplicates += samples.sortAndDeduplicate(by: HealthSample.precedes)
    days.summary.duplicates += Self.keepLatestTotals(&samples)
    days.summary.used += samples.count
    let typedEnd =
      samples.firstIndex { !isTyped(UInt16(ranks.source[Int($0.source)])) } ?? samples.count
    let sums = total(samples[typedEnd...])
    for (day, cell) in sums.cells {
      days.add(cell.sum, type.metric, on: day, source: Self.source, fold: .largest)
      covered[type.metric]?.insert(day)
    }
    guard typedEnd > 0 else { return }
    let corrected = total(samples[...])
    let touched = Set(samples[..<typedEnd].map { $0.day(dayStart: options.dayStart) })
    for (day, cell) in corrected.cells where touched.contains(day) {
      days.add(cell.sum, type.metric, on: day, source: Self.typed, fold: .largest)
      covered[type.metric]?.insert(day)
    }
  }

  /// The daily totals of samples in order of source.
  private func total(_ samples: ArraySlice<HealthSample>) -> DaySums {
    var timeline = CountTimeline()
    var sums = DaySums()
    var first = samples.startIndex
    while first < samples.endIndex {
      var end = first
      while end < samples.endIndex, samples[end].source == samples[first].source { end += 1 }
      timeline.add(samples[first..<end]) { sample, counted in
        sums.add(counted, on: sample.day(dayStart: options.dayStart))
      }
      first = end
    }
    return sums
  }

  /// Typed before measured, watch before phone before others, the larger total in the file first.
  private func rankSources(
    _ samples: ContiguousArray<HealthSample>
  ) -> (rank: [Int], source: [Int]) {
    var totals = Array(repeating: 0.0, count: export.sources.count)
    for sample in samples { totals[Int(sample.source)] += sample.value }
    let order = export.sources.indices.sorted { a, b in
      let (left, right) = (export.sources[a], export.sources[b])
      if left.isTyped != right.isTyped { return left.isTyped }
      if left.device != right.device { return left.device.rawValue < right.device.rawValue }
      if totals[a] != totals[b] { return totals[a] > totals[b] }
      return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }
    var rank = Array(repeating: 0, count: order.count)
    for (place, source) in order.enumerated() { rank[source] = place }
    return (rank, order)
  }

  /// Of records of one source that begin together each is a total so far: the longest stays, of equally
  /// long ones the largest. They are neighbours, the one to keep last; how many went.
  private static func keepLatestTotals(_ samples: inout ContiguousArray<HealthSample>) -> Int {
    var kept = 0
    for index in samples.indices {
      let sample = samples[index]
      if kept > 0, samples[kept - 1].source == sample.source,
        samples[kept - 1].start == sample.start
      {
        kept -= 1
      }
      samples[kept] = sample
      kept += 1
    }
    let replaced = samples.count - kept
    samples.removeLast(replaced)
    return replaced
  }

  private func addSleep(_ unsorted: ContiguousArray<HealthSample>, _ days: inout DayCollector) {
    var samples = unsorted
    days.summary.duplicates += samples.sortAndDeduplicate(by: HealthSample.precedesInTime)
    days.summary.used += samples.count
    let sessions = SleepSessions(samples, isTyped: isTyped)
    var isGuessed = false
    for (day, sleep) in sessions.days {
      if sleep.hasAsleep {
        let source = sleep.isTyped ? Self.typed : Self.source
        days.add(sleep.asleep, .sleepHours, on: day, source: source, fold: .sum)
        if sleep.hasStages, let deep = Metric("sleep_deep_hours"),
          let rem = Metric("sleep_rem_hours")
        {
          days.add(sleep.deep, deep, on: day, source: source, fold: .sum)
          days.add(sleep.rem, rem, on: day, source: source, fold: .sum)
        }
      } else if sleep.onlyInBed > 0 {
        isGuessed = true
        days.add(sleep.onlyInBed, .sleepHours, on: day, source: Self.inBed, fold: .sum)
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

/// Sums by day.
private struct DaySums {
  private(set) var cells: [CalendarDay: (sum: Double, count: Int)] = [:]

  mutating func add(_ value: Double, on day: CalendarDay) {
    cells[day, default: (0, 0)].sum += value
    cells[day, default: (0, 0)].count += 1
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
