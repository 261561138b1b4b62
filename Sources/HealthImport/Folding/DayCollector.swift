internal import DayLog
internal import Time

/// Takes what readers say, puts it on days and gathers it into parts: a reader says what is written, and
/// here alone it is decided which day that is of. How readings become values is ``PartFolding``'s business.
struct DayCollector {
  var summary = ImportSummary()
  /// When the file says so: its own date, else the moment of import.
  var asOf: Instant
  var isComplete = true
  /// Whether an export that speaks of later days is a later one; a table of the person's own is as late as its
  /// import.
  var isAgedByContent = true
  /// Whether rows of one day are things of their own in this file.
  var isOfEvents = false
  /// Folds the person asked for, by metric.
  var folds: [Metric: Fold] = [:]

  /// Readings of the file that is being read, and parts of those before it in an archive.
  private var cells: [EntryKey: Cell] = [:]
  private var parts: [EntryKey: [UInt8]] = [:]
  /// Days that are already decided: a health export's, which is one document and complete for each day.
  private var decided: [EntryKey: Entry] = [:]
  private var identities: Set<String> = []
  private var earlierIdentities: Set<String> = []

  private struct Cell {
    let fold: Fold
    let isAsked: Bool
    var readings: [Reading] = []
  }

  init(asOf: Instant, folds: [String: Fold] = [:]) {
    self.asOf = asOf
    for (name, fold) in folds {
      if let metric = Metric(name) { self.folds[metric] = fold }
    }
  }

  // MARK: - Days

  /// The day of the person on which a time of a record is: a bare date stands as it is, a time goes by its
  /// zone and belongs to the day before until the day start.
  mutating func day(of time: LocalTime, _ options: ImportOptions) -> CalendarDay {
    if time.second != nil { summary.usesDayStart = true }
    noteZone(of: time, options)
    return time.day(options)
  }

  /// The day of the person on which a moment of a record is, in a zone.
  mutating func day(
    of moment: Instant, in zone: Zone, _ options: ImportOptions
  ) -> CalendarDay {
    summary.usesDayStart = true
    return moment.day(utcOffset: zone.utcOffset(at: moment), dayStart: options.dayStart)
  }

  /// The day of a night that ends at this time, whatever the day start.
  mutating func day(ofNightUntil time: LocalTime, _ options: ImportOptions) -> CalendarDay {
    noteZone(of: time, options)
    return time.calendarDay(options)
  }

  private mutating func noteZone(of time: LocalTime, _ options: ImportOptions) {
    guard time.isUTC, time.second != nil, options.zone == nil, options.localZone != nil else {
      return
    }
    summary.usesLocalZone = true
    summary.remark(
      "its times are written in UTC (Z) and stand on the days of this machine's zone; name the zone you "
        + "lived in with --zone")
  }

  /// Why a record of a day is rejected that a log has not.
  static let outsideCalendar = "a day outside the years 0001 to 9999"

  /// Whether a log has the day, whose years are 0001 to 9999; a record of another is rejected.
  mutating func has(_ day: CalendarDay, at place: ImportError.Place?) -> Bool {
    if CalendarDay.supported.contains(day) { return true }
    summary.reject(Self.outsideCalendar, at: place)
    return false
  }

  // MARK: - Readings

  /// Adds what the file says of a whole day.
  mutating func add(
    _ value: Double, _ metric: Metric, on day: CalendarDay, source: Source, fold: Fold
  ) {
    add(Reading(kind: .day, value: value), metric, on: day, source: source, fold: fold)
  }

  /// Adds a reading of a finite value; one of a day that a log has not is rejected.
  mutating func add(
    _ reading: Reading, _ metric: Metric, on day: CalendarDay, source: Source, fold: Fold
  ) {
    precondition(reading.value.isFinite, "values are finite")
    guard has(day, at: nil) else { return }
    let key = EntryKey(day: day, metric: metric, source: source)
    let asked = folds[metric]
    cells[key, default: Cell(fold: asked ?? fold, isAsked: asked != nil)].readings.append(reading)
  }

  /// Adds a day's value that needs no other file.
  mutating func decide(
    _ value: Double, _ metric: Metric, on day: CalendarDay, source: Source
  ) {
    guard value.isFinite, has(day, at: nil) else { return }
    let entry = Entry(
      key: EntryKey(day: day, metric: metric, source: source), asOf: asOf, value: value)
    decided[entry.key] = decided[entry.key].map { Merge.later($0, entry) } ?? entry
  }

  /// Whether a record of this identity comes for the first time in this file; a repeat is counted as a
  /// duplicate, also one in another file of the same archive, which folding knows by itself.
  mutating func isNew(_ identity: String) -> Bool {
    if !identities.insert(identity).inserted {
      summary.duplicates += 1
      return false
    }
    if earlierIdentities.contains(identity) { summary.duplicates += 1 }
    return true
  }

  // MARK: - Parts

  /// Ends a file: what it said becomes its parts.
  mutating func endFile(now: Instant) {
    let lastDay = cells.keys.map(\.day).max()
    for (key, cell) in cells {
      let part = DayPart(
        fold: cell.fold, isFoldAsked: cell.isAsked, isOfEvents: isOfEvents,
        isOpen: cell.fold == .sum && key.day == lastDay,
        lastDay: isAgedByContent ? lastDay?.number ?? 0 : 0, asOf: asOf.milliseconds,
        // Words on the whole day stay in the order of the file, of which the last may count.
        readings: cell.readings.filter { $0.kind == .day }
          + cell.readings.filter { $0.kind != .day }.sorted(by: Reading.precedes))
      part.write(to: &parts[key, default: []])
    }
    cells = [:]
    earlierIdentities.formUnion(identities)
    identities = []
    (isAgedByContent, isOfEvents, asOf) = (true, false, now)
  }

  /// What the files said, by the places that it speaks of, in ascending order.
  func dayParts() -> [ImportBatch.Part] {
    parts.map { ImportBatch.Part(key: $0, bytes: $1) }.sorted { $0.key < $1.key }
  }

  /// The days that need no other file, in ascending order of key.
  var decidedEntries: [Entry] { decided.values.sorted { $0.key < $1.key } }

  /// The days of these files by themselves, in ascending order of key.
  func entries() -> [Entry] {
    struct Series: Hashable {
      let metric: Metric
      let source: Source
    }
    var series: [Series: [CalendarDay: [[UInt8]]]] = [:]
    for (key, bytes) in parts {
      series[Series(metric: key.metric, source: key.source), default: [:]][key.day] = [bytes]
    }
    var entries = Array(decided.values)
    for (series, parts) in series {
      for (day, value) in PartFolding.values(parts) where value.isFinite {
        let key = EntryKey(day: day, metric: series.metric, source: series.source)
        entries.append(Entry(key: key, asOf: asOf, value: value))
      }
    }
    return entries.sorted { $0.key < $1.key }
  }

  /// Whether nothing was said of any day.
  var isEmpty: Bool { cells.isEmpty && parts.isEmpty && decided.isEmpty }
}
