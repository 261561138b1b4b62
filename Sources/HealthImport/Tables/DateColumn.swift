internal import Time

/// The column that says when: how all of it is written is settled once, so that no cell is guessed.
struct DateColumn {
  /// When each cell is of; nil where it cannot be read, or is written in another way than its column. Where every
  /// time is midnight the column holds days, which neither zone nor day start move, and the times are left off.
  private(set) var times: [LocalTime?]
  /// Whether its moments carry neither offset nor clock: seconds since 1970.
  private(set) var holdsBareMoments = false
  /// The columns of its table that say it.
  var columns: [Int] = []

  /// A column that a person or a known table gives patterns for.
  init(cells: [String], patterns: [DatePattern]) {
    times = cells.map { cell in
      let bytes = ContiguousArray(cell.utf8)
      return patterns.lazy.compactMap { $0.read(bytes.span) }.first
    }
    settleLabels()
  }

  /// A column of these cells.
  ///
  /// - Parameter isNamed: whether its name says that it holds dates: then numbers can be.
  init(cells: [String], isNamed: Bool) throws(Doubt) {
    var counts: [WrittenDate.Form: Int] = [:]
    var order: [WrittenDate.Form] = []
    var (dayFirst, monthFirst) = (false, false)
    let dates = cells.map { Date($0, acceptsNumbers: isNamed) }
    for date in dates {
      guard let form = date.form else { continue }
      if counts[form] == nil { order.append(form) }
      counts[form, default: 0] += 1
      if case .written(let written) = date, let first = written.isDayFirst {
        if first { dayFirst = true } else { monthFirst = true }
      }
    }
    let most = counts.values.max()
    let form = order.first { counts[$0] == most }
    if case .yearLast(let mark)? = form, mark != "." {
      guard dayFirst != monthFirst else { throw dayFirst ? .both : .either }
    }
    times = dates.map { date in
      guard date.form == form else { return nil }
      switch date {
      case .plain(let time): return time
      case .written(let written): return written.time(dayFirst: dayFirst)
      case .none: return nil
      }
    }
    let isCounted = form == .seconds || form == .milliseconds
    settleLabels()
    holdsBareMoments = isCounted && times.contains { $0?.second != nil }
  }

  enum Doubt: Error {
    /// No date tells which number is the day and which the month.
    case either
    /// Some dates can only have the day first, and some only the month.
    case both
  }

  /// Whether no cell has a time of day.
  var holdsDays: Bool { times.allSatisfy { $0?.second == nil } }

  /// Joins times of day from another column to the days of this one.
  mutating func join(clocks: [Int?]) {
    for index in times.indices {
      guard let time = times[index], let clock = clocks[index] else { continue }
      times[index] = LocalTime(day: time.day, second: clock, offset: time.offset, isUTC: time.isUTC)
    }
  }

  private mutating func settleLabels() {
    guard times.allSatisfy({ ($0?.second ?? 0) == 0 }) else { return }
    times = times.map { $0.map { LocalTime(day: $0.day, second: nil, offset: nil) } }
  }

  private enum Date {
    case none
    case plain(LocalTime)
    case written(WrittenDate)

    init(_ cell: String, acceptsNumbers: Bool) {
      if let time = LocalTime(cell) {
        self = .plain(time)
      } else if let written = WrittenDate(cell, acceptsNumbers: acceptsNumbers) {
        self = .written(written)
      } else {
        self = .none
      }
    }

    var form: WrittenDate.Form? {
      switch self {
      case .none: nil
      case .plain: .yearFirst("-")
      case .written(let written): written.form
      }
    }
  }
}
