internal import DayLog

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What moves a metric without being of interest: its mean, its pattern over the week, and slow changes
/// of its level.
///
/// The level is a cosine series over the days looked at, with periods down to ``shortestPeriod``:
/// what is slower than that counts as level, what is faster as a day's own.
enum NuisanceBasis {
  /// The shortest period, in days, that counts as level.
  static let shortestPeriod = 84

  /// The columns, one after the other, each with a value for every one of `days`.
  ///
  /// - Parameter days: day numbers, ascending.
  static func columns(_ days: [Int]) -> [ContiguousArray<Double>] {
    guard let first = days.first, let last = days.last else { return [] }
    let span = last - first + 1
    var columns = [ContiguousArray(repeating: 1.0, count: days.count)]
    // Monday to Saturday against Sunday.
    for weekday in 1...6 {
      columns.append(
        ContiguousArray(
          days.map { day in
            let own = CalendarDay(number: day).weekday
            return own == weekday ? 1 : own == 7 ? -1 : 0
          }))
    }
    for wave in 0..<(2 * span / shortestPeriod) {
      let frequency = Double.pi * Double(wave + 1) / Double(span)
      columns.append(
        ContiguousArray(days.map { cos(frequency * (Double($0 - first) + 0.5)) }))
    }
    return columns
  }
}
