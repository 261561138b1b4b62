package import Time

/// The days of a log that models learn from, as columns.
///
/// A table has a row for every day between its first and its last, so a single day of long ago would make it as
/// long as the years between. What lies so far back that the rows would not go with what is logged is left out,
/// and told.
package struct LearnedDays: Sendable, Equatable {
  /// The days and metrics that are learned from.
  package let table: DayTable
  /// The days on which a value that was typed is shown.
  package let typedDays: Set<CalendarDay>
  /// What the log shows beyond that.
  package let leftOut: LeftOut

  /// These days.
  package init(table: DayTable, typedDays: Set<CalendarDay>, leftOut: LeftOut) {
    self.table = table
    self.typedDays = typedDays
    self.leftOut = leftOut
  }

  /// What is in a log and not learned from.
  package struct LeftOut: Sendable, Equatable, CustomStringConvertible {
    /// How many days with values lie too far back.
    package var dayCount = 0
    /// The last of them; nil where there is none.
    package var lastDay: CalendarDay?
    /// How many metrics, those with the fewest values, had no room.
    package var metricCount = 0

    /// Nothing.
    package init() {}

    /// What the person is to know of it, in one sentence; empty where nothing is left out.
    package var description: String {
      var parts: [String] = []
      if dayCount > 0, let lastDay {
        parts.append(
          "\(counted(dayCount, "day")) up to \(lastDay) \(dayCount == 1 ? "lies" : "lie") too far back"
        )
      }
      if metricCount > 0 {
        parts.append(
          "\(counted(metricCount, "metric")) with the fewest values had no room"
        )
      }
      return parts.isEmpty ? "" : "not learned from: \(parts.joined(separator: "; "))"
    }
  }

  /// The longest time without a value that is learned across: ten years.
  package static let longestGap = 3653
  /// How many days a log may reach back for each day with a value, beyond ``longestGap``: one that is weighed
  /// weekly is whole.
  package static let spanPerDay = 8
  /// The longest time that is learned from: a hundred years.
  package static let longestSpan = 36_525
  /// How many values, missing ones among them, a table may have: 128 MiB.
  package static let mostValues = 1 << 24

  /// The place in `days` of the first that is learned from: none of those from it on follows another after more
  /// than ``longestGap``, and they reach back no further than their number bears.
  ///
  /// - Parameter days: numbers of days with values, ascending, each once.
  package static func start(of days: some RandomAccessCollection<Int>) -> Int {
    guard var start = days.indices.last, let end = days.last else { return 0 }
    let last = start
    while start > days.startIndex {
      let before = days.index(before: start)
      let count = days.distance(from: before, to: last) + 1
      guard days[start] - days[before] <= longestGap,
        end - days[before] < min(longestGap + spanPerDay * count, longestSpan)
      else { break }
      start = before
    }
    return days.distance(from: days.startIndex, to: start)
  }

  /// How many of the metrics a table of so many days has room for.
  package static func room(days: Int) -> Int { max(1, mostValues / max(1, days)) }
}
