internal import DayLog
import Time

/// What several values that one source has of one metric and day come to.
enum Fold: Sendable {
  /// Their mean: ratings and measurements.
  case mean
  /// Their sum: parts of a day, such as naps.
  case sum
  /// The largest: totals of which the smaller are partial, and whatever the log's merge rule decides.
  case largest
}

/// Gathers values into days while a file is read.
struct DayCollector {
  var summary = ImportSummary()
  /// When the file says so: its own date, else the moment of import.
  var asOf: Instant
  var isComplete = true
  private var cells: [EntryKey: Cell] = [:]
  private var identities: Set<String> = []

  private struct Cell {
    var sum: Double
    var largest: Double
    var count: Int
    let fold: Fold

    var value: Double {
      switch fold {
      case .mean: sum / Double(count)
      case .sum: sum
      case .largest: largest
      }
    }
  }

  init(asOf: Instant) { self.asOf = asOf }

  /// The day of the person on which a time of a record is. What the person's day start can move, by which
  /// the file is then read.
  mutating func day(of time: LocalTime, _ options: ImportOptions) -> CalendarDay {
    if time.second != nil { summary.usesDayStart = true }
    return time.day(options)
  }

  /// The day of the person on which a moment of a record is, in a zone.
  mutating func day(
    of moment: Instant, in zone: Zone, _ options: ImportOptions
  ) -> CalendarDay {
    summary.usesDayStart = true
    return moment.day(utcOffset: zone.utcOffset(at: moment), dayStart: options.dayStart)
  }

  /// Why a record of a day is rejected that a log has not.
  static let outsideCalendar = "a day outside the years 0001 to 9999"

  /// Whether a log has the day, whose years are 0001 to 9999; a record of another is rejected.
  mutating func has(_ day: CalendarDay, at place: ImportError.Place?) -> Bool {
    if CalendarDay.supported.contains(day) { return true }
    summary.reject(Self.outsideCalendar, at: place)
    return false
  }

  /// Adds a finite value; one of a day that a log has not is rejected.
  mutating func add(
    _ value: Double, _ metric: Metric, on day: CalendarDay, source: Source, fold: Fold
  ) {
    precondition(value.isFinite, "values are finite")
    guard has(day, at: nil) else { return }
    let key = EntryKey(day: day, metric: metric, source: source)
    if var cell = cells[key] {
      cell.sum += value
      cell.largest = max(cell.largest, value)
      cell.count += 1
      cells[key] = cell
    } else {
      cells[key] = Cell(sum: value, largest: value, count: 1, fold: fold)
    }
  }

  /// Whether a record of this identity comes for the first time, in this file or, as the files of one
  /// archive overlap, in another member; a repeat is counted as a duplicate.
  mutating func isNew(_ identity: String) -> Bool {
    let isNew = identities.insert(identity).inserted
    if !isNew { summary.duplicates += 1 }
    return isNew
  }

  /// The entries gathered, in ascending order of key.
  func entries() -> [Entry] {
    cells.compactMap { key, cell in
      cell.value.isFinite ? Entry(key: key, asOf: asOf, value: cell.value) : nil
    }.sorted { $0.key < $1.key }
  }
}
