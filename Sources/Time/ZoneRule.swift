/// The rule by which clocks change each year, as a POSIX `TZ` text gives it (with the wider hours of
/// RFC 8536), such as `CET-1CEST,M3.5.0,M10.5.0/3`.
struct ZoneRule: Hashable, Sendable {
  private enum YearDay: Hashable, Sendable {
    /// Day 1 to 365 without ever counting 29 February.
    case julian(Int)
    /// Day 0 to 365.
    case zeroBased(Int)
    /// Weekday (0 is Sunday) of week 1 to 5 (5 is the last) of a month.
    case weekday(month: Int, week: Int, weekday: Int)
  }

  private struct Change: Hashable, Sendable {
    let day: YearDay
    /// Seconds after midnight on the clock before the change.
    let time: Int
  }

  private let standardOffset: Int
  private var summerOffset: Int?
  private var summerStart = Change(day: .zeroBased(0), time: 0)
  private var summerEnd = Change(day: .zeroBased(0), time: 0)

  /// Reads a `TZ` text; nil where it is none.
  init?(posix text: some Collection<UInt8>) {
    var reader = Reader(Array(text))
    guard reader.name(), let west = reader.offset() else { return nil }
    standardOffset = -west
    guard !reader.isAtEnd else { return }
    guard reader.name() else { return nil }
    if reader.next == UInt8(ascii: ",") {
      summerOffset = standardOffset + 3600
    } else {
      guard let west = reader.offset() else { return nil }
      summerOffset = -west
    }
    guard let start = reader.change(), let end = reader.change(), reader.isAtEnd else { return nil }
    summerStart = start
    summerEnd = end
  }

  func utcOffset(at second: Int64) -> Int {
    guard let summerOffset else { return standardOffset }
    let year = Instant(seconds: second).day(utcOffset: standardOffset).components.year
    let (start, end) = (summerStart(year), summerEnd(year, summerOffset))
    let isSummer =
      start < end ? second >= start && second < end : second >= start || second < end
    return isSummer ? summerOffset : standardOffset
  }

  func changes(after low: Int64, through high: Int64) -> [Int64] {
    guard let summerOffset, low < high else { return [] }
    let first = Instant(seconds: max(low, -62_000_000_000)).day(utcOffset: 0).components.year - 1
    let last = Instant(seconds: high).day(utcOffset: 0).components.year + 1
    guard first <= last else { return [] }
    return (first...last)
      .flatMap { [summerStart($0), summerEnd($0, summerOffset)] }
      .filter { $0 > low && $0 <= high }.sorted()
  }

  private func summerStart(_ year: Int) -> Int64 {
    Self.moment(summerStart, year) - Int64(standardOffset)
  }

  private func summerEnd(_ year: Int, _ summerOffset: Int) -> Int64 {
    Self.moment(summerEnd, year) - Int64(summerOffset)
  }

  private static func moment(_ change: Change, _ year: Int) -> Int64 {
    Int64(number(of: change.day, year)) * 86_400 + Int64(change.time)
  }

  private static func number(of day: YearDay, _ year: Int) -> Int {
    func number(_ month: Int, _ day: Int) -> Int {
      CalendarDay(year: min(max(year, 1), 9999), month: month, day: day)?.number ?? 0
    }
    switch day {
    case .zeroBased(let days): return number(1, 1) + days
    case .julian(let day):
      let isLeap = number(3, 1) - number(2, 28) == 2
      return number(1, 1) + day - 1 + (isLeap && day >= 60 ? 1 : 0)
    case .weekday(let month, let week, let weekday):
      let first = CalendarDay(number: number(month, 1))
      let next = month == 12 ? number(12, 31) + 1 : number(month + 1, 1)
      var day = first.number + (weekday - first.weekday % 7 + 7) % 7 + (week - 1) * 7
      while day >= next { day -= 7 }
      return day
    }
  }

  private struct Reader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func take(_ byte: UInt8) -> Bool {
      guard next == byte else { return false }
      position += 1
      return true
    }

    /// Three letters or more, or anything between < and >.
    mutating func name() -> Bool {
      let start = position
      if take(UInt8(ascii: "<")) {
        while let byte = next, byte != UInt8(ascii: ">") { position += 1 }
        return take(UInt8(ascii: ">"))
      }
      while let byte = next, (65...90).contains(byte) || (97...122).contains(byte) { position += 1 }
      return position - start >= 3
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int? {
      let start = position
      var value = 0
      while let byte = next, (48...57).contains(byte), position - start < 4 {
        value = value * 10 + Int(byte - 48)
        position += 1
      }
      return position > start && range.contains(value) ? value : nil
    }

    /// How far west of UTC: at most a day, whatever the times of changes may be.
    mutating func offset() -> Int? { time(hours: 0...24) }

    /// `[+-]hh[:mm[:ss]]` in seconds.
    mutating func time(hours range: ClosedRange<Int> = 0...167) -> Int? {
      let isNegative = take(UInt8(ascii: "-"))
      if !isNegative { _ = take(UInt8(ascii: "+")) }
      guard let hours = number(range) else { return nil }
      var seconds = hours * 3600
      for unit in [60, 1] where take(UInt8(ascii: ":")) {
        guard let part = number(0...59) else { return nil }
        seconds += part * unit
      }
      return isNegative ? -seconds : seconds
    }

    mutating func change() -> Change? {
      guard take(UInt8(ascii: ",")) else { return nil }
      let day: YearDay
      if take(UInt8(ascii: "M")) {
        guard let month = number(1...12), take(UInt8(ascii: ".")), let week = number(1...5),
          take(UInt8(ascii: ".")), let weekday = number(0...6)
        else { return nil }
        day = .weekday(month: month, week: week, weekday: weekday)
      } else if take(UInt8(ascii: "J")) {
        guard let number = number(1...365) else { return nil }
        day = .julian(number)
      } else {
        guard let number = number(0...365) else { return nil }
        day = .zeroBased(number)
      }
      guard take(UInt8(ascii: "/")) else { return Change(day: day, time: 7200) }
      return time().map { Change(day: day, time: $0) }
    }
  }
}
