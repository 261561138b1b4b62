package import Time

/// Folds what several files say of one metric and source into the values of days.
///
/// It is a function of the set of readings, so that any packaging, order and repetition of the same files
/// gives the same days to the bit:
/// - a reading of one identity, moment or span counts once; of two that differ that of the later export;
/// - what is said of the whole day stands before its pieces; of several such words the later export's;
/// - of spans that overlap, each moment counts once, the longer span first;
/// - all others become one value by the metric's ``Fold``.
package enum PartFolding {
  /// How many days to either side can decide a day's value.
  package static let reach = 2

  /// The value of each day that has one.
  ///
  /// - Parameter parts: by day what files have said of it, as ``ImportBatch/parts`` holds it, with
  ///   ``reach`` days more at both ends; in any order. Bytes that are no part count nothing.
  package static func values(_ parts: [CalendarDay: [[UInt8]]]) -> [CalendarDay: Double] {
    let decoded = parts.mapValues { $0.flatMap { DayPart.read($0) ?? [] } }
    var values: [CalendarDay: Double] = [:]
    var nights: [CalendarDay: [Reading]] = [:]
    for (day, parts) in decoded {
      let spans = Set(parts.flatMap(\.readings).filter { $0.kind == .sleep })
      if !spans.isEmpty { nights[day] = Array(spans) }
      if let value = DayFolding(parts).value { values[day] = value }
    }
    guard !nights.isEmpty else { return values }
    for (day, hours) in NightFolding.hours(nights) where values[day] == nil { values[day] = hours }
    return values
  }

  /// Whether a value can depend on the days around: only spans of sleep are joined over midnight.
  package static func dependsOnNeighbours(_ part: [UInt8]) -> Bool {
    (DayPart.read(part) ?? []).contains { $0.readings.contains { $0.kind == .sleep } }
  }

  /// Whether all that a part says is said by a later one too, so that it need not be kept.
  package static func isCovered(_ part: [UInt8], by later: [UInt8]) -> Bool {
    guard let old = DayPart.read(part), let new = DayPart.read(later) else { return false }
    return old.allSatisfy { one in
      new.contains { other in
        one.fold == other.fold && one.isOfEvents == other.isOfEvents && !other.precedes(one)
          && Set(one.readings).isSubset(of: other.readings)
      }
    }
  }
}

/// The value of one day out of its parts.
private struct DayFolding {
  private let parts: [DayPart]

  init(_ parts: [DayPart]) { self.parts = parts }

  var value: Double? {
    guard let fold else { return nil }
    let isOfEvents = parts.contains(where: \.isOfEvents)
    if !isOfEvents, let whole = wholeDay(fold) { return whole }
    let readings = told(asEvents: isOfEvents)
    return Self.fold(readings, fold)
  }

  /// The fold that the person asked for, else the one of the latest export.
  private var fold: Fold? {
    let asked = parts.filter(\.isFoldAsked)
    return (asked.isEmpty ? parts : asked).max {
      ($0.lastDay, $0.asOf, $0.fold.code) < ($1.lastDay, $1.asOf, $1.fold.code)
    }?.fold
  }

  /// What the latest export says of the whole day. Several totals in one file are of exports that it
  /// joins: the larger is the fuller; several ratings have a mean.
  private func wholeDay(_ fold: Fold) -> Double? {
    var best: (part: DayPart, value: Double)?
    for part in parts {
      let said = part.readings.filter { $0.kind == .day }.map(\.value)
      guard let first = said.first else { continue }
      let value: Double =
        switch fold {
        case .sum, .max: said.reduce(first, max)
        case .min: said.reduce(first, min)
        case .mean: said.sorted().reduce(0, +) / Double(said.count)
        case .last: said.last ?? first
        }
      if let held = best {
        if part.precedes(held.part) { continue }
        if !held.part.precedes(part), value <= held.value { continue }
      }
      best = (part, value)
    }
    return best?.value
  }

  private struct Key: Hashable {
    let identity: UInt64
    let start: Int64
    let duration: Int32
    let device: UInt32
    /// Of several readings of one file that nothing else tells apart.
    let place: Int
  }

  /// Each reading once, that of the later export where they differ.
  private func told(asEvents: Bool) -> [Reading] {
    func counts(_ reading: Reading) -> Bool {
      reading.kind == .time || reading.kind == .event || asEvents && reading.kind == .day
    }
    if parts.count == 1 { return parts[0].readings.filter(counts).sorted(by: Reading.precedes) }
    var held: [Key: (part: Int, reading: Reading)] = [:]
    for (index, part) in parts.enumerated() {
      var places: [Key: Int] = [:]
      for reading in part.readings.sorted(by: Reading.precedes) where counts(reading) {
        // What the file identifies is told by that alone: a log that was edited has the same number.
        let isNamed = reading.identity != 0 && reading.kind == .time
        let plain = Key(
          identity: reading.identity, start: isNamed ? 0 : reading.start,
          duration: isNamed ? 0 : reading.duration, device: reading.device, place: 0)
        let place = places[plain, default: 0]
        places[plain] = place + 1
        let key = Key(
          identity: plain.identity, start: plain.start, duration: plain.duration,
          device: plain.device, place: place)
        if let other = held[key] {
          let before = parts[other.part]
          if part.precedes(before) { continue }
          if !before.precedes(part), reading.value <= other.reading.value { continue }
        }
        held[key] = (index, reading)
      }
    }
    return held.values.map(\.reading).sorted(by: Reading.precedes)
  }

  private static func fold(_ readings: [Reading], _ fold: Fold) -> Double? {
    guard let last = readings.last else { return nil }
    switch fold {
    case .sum: return sum(readings)
    case .mean: return readings.reduce(0) { $0 + $1.value } / Double(readings.count)
    case .last: return last.value
    case .max: return readings.map(\.value).max()
    case .min: return readings.map(\.value).min()
    }
  }

  /// What readings in order of time add up to, each moment once: of one device the longer span first, of
  /// several the one with the larger total first.
  private static func sum(_ readings: [Reading]) -> Double {
    guard readings.contains(where: { $0.duration > 0 }) else {
      return readings.reduce(0) { $0 + $1.value }
    }
    let devices = Dictionary(grouping: readings, by: \.device).map {
      (device: $0, total: $1.reduce(0) { $0 + $1.value }, readings: $1)
    }.sorted { $0.total != $1.total ? $0.total > $1.total : $0.device < $1.device }
    var timeline = CountTimeline()
    var total = 0.0
    for device in devices {
      var end = Int64.min
      for reading in device.readings {
        // In order of start, the longer first: what ends by then lies within an earlier one.
        guard reading.duration == 0 ? reading.start >= end : reading.end > end else { continue }
        let start = max(reading.start, end)
        let left = reading.duration == 0 ? 0 : Int32(clamping: reading.end - start)
        let share = left == reading.duration ? 1 : Double(left) / Double(reading.duration)
        total += timeline.add(
          Sample(start: start, value: reading.value * share, duration: left, offset: 0, source: 0))
        if reading.duration > 0 { end = max(end, reading.end) }
      }
      timeline.endSource()
    }
    return total
  }
}

/// The hours of nights out of spans that stand on the days on which each ends.
private enum NightFolding {
  static func hours(_ nights: [CalendarDay: [Reading]]) -> [CalendarDay: Double] {
    let spans = nights.flatMap { day, spans in spans.map { (day: day, span: $0) } }
      .sorted { Reading.precedes($0.span, $1.span) }
    var hours: [CalendarDay: Double] = [:]
    var seconds: Int64 = 0
    var counts = false
    var (end, counted) = (Int64.min, Int64.min)
    var day: CalendarDay?
    func close() {
      guard let day, counts else { return }
      hours[day] = min(24, (hours[day] ?? 0) + Double(seconds) / 3600)
    }
    for (spanDay, span) in spans {
      if end != Int64.min, span.start - end >= SleepSessions.gap {
        close()
        (seconds, counts, counted) = (0, false, Int64.min)
        end = Int64.min
      }
      if span.value > 0 {
        counts = true
        seconds += max(0, span.end - max(span.start, counted))
        counted = max(counted, span.end)
      }
      if span.end >= end { (end, day) = (span.end, spanDay) }
    }
    close()
    return hours
  }
}
