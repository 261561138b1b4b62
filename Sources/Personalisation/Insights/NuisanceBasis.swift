internal import DayLog
import Time

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Days on which a metric was moved by something of its own: stretches that moved many metrics at once, and days from
/// which its level was another one.
struct Disturbances: Equatable {
  /// Stretches of day numbers, ascending.
  var events: [Range<Int>] = []
  /// The first day numbers at another level, in the order found.
  var steps: [Int] = []
}

/// What moves a metric without being of interest: its mean, slow changes of its level, disturbances, and its pattern
/// over the week.
struct NuisanceBasis {
  /// The shortest period, in days, that counts as level: what is faster is a day's own.
  static let shortestPeriod = 84

  /// Columns with a value for every day: ones, a cosine series over the days looked at, and a column for each
  /// disturbance, 1 while it lasts.
  let level: [ContiguousArray<Double>]
  /// How the weekdays differ: six contrasts, orthonormal as effects of the seven days (Helmert's). What all
  /// seven have in common is the mean's.
  let weekdays: [ContiguousArray<Double>]

  /// The columns for these day numbers, ascending.
  init(_ days: [Int], _ disturbances: Disturbances = Disturbances()) {
    guard let first = days.first, let last = days.last else {
      (level, weekdays) = ([], [])
      return
    }
    let span = last - first + 1
    var level = [ContiguousArray(repeating: 1.0, count: days.count)]
    for wave in 0..<(2 * span / Self.shortestPeriod) {
      let frequency = Double.pi * Double(wave + 1) / Double(span)
      level.append(ContiguousArray(days.map { cos(frequency * (Double($0 - first) + 0.5)) }))
    }
    for event in disturbances.events {
      level.append(ContiguousArray(days.map { event.contains($0) ? 1 : 0 }))
    }
    for step in disturbances.steps {
      level.append(ContiguousArray(days.map { $0 >= step ? 1 : 0 }))
    }
    self.level = level
    let own = days.map { CalendarDay(number: $0).weekday }
    weekdays = (1...6).map { contrast in
      let unit = 1 / Double(contrast * (contrast + 1)).squareRoot()
      return ContiguousArray(
        own.map { $0 <= contrast ? unit : $0 == contrast + 1 ? -Double(contrast) * unit : 0 })
    }
  }
}
