internal import DayLog
internal import Time

/// Days that a person can hardly mean: a year mistyped, or a clock that began anew.
struct FarDays {
  private let days: [CalendarDay]
  private let today: CalendarDay

  /// How far ahead a day is not yet strange.
  static let ahead = 366
  /// How far back a day is strange where none is near it: a hundred years.
  static let back = LearnedDays.longestSpan

  /// Those among `days` that lie far ahead, beyond a lifetime, or far before all others.
  init(in days: some Sequence<CalendarDay>, today: CalendarDay) {
    let known = Set(days).sorted()
    let start = LearnedDays.start(of: known.map(\.number))
    self.today = today
    self.days = known.enumerated().filter { place, day in
      place < start || day > today.advanced(by: Self.ahead) || day < today.advanced(by: -Self.back)
    }.map(\.element)
  }

  var isEmpty: Bool { days.isEmpty }

  /// What to know of them; nil where there is none.
  var text: String? {
    guard let first = days.first else { return nil }
    let listed = days.prefix(3).map(\.description).joined(separator: ", ")
    let more = days.count > 3 ? " and \(days.count - 3) more" : ""
    let which = first > today ? "far ahead" : "far from the others"
    return "\(listed)\(more) \(days.count == 1 ? "lies" : "lie") \(which); "
      + "if that is wrong: diurnal forget \(first)"
  }
}
