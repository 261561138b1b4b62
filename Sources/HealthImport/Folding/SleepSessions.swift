internal import DayLog
import Time

/// What a span of a sleep record says.
enum SleepStage: Int {
  case inBed, asleep, awake, core, deep, rem

  var isAsleep: Bool { self != .inBed && self != .awake }

  /// The stage an export writes; nil for one that is not known.
  init?(_ text: String) {
    switch text {
    case "InBed", "0": self = .inBed
    case "Asleep", "AsleepUnspecified", "1": self = .asleep
    case "Awake", "2": self = .awake
    case "AsleepCore", "3": self = .core
    case "AsleepDeep", "4": self = .deep
    case "AsleepREM", "5": self = .rem
    default: return nil
    }
  }
}

/// Nights and naps out of spans: spans less than an hour apart are one session, and a session belongs
/// to the calendar day on which it ends.
struct SleepSessions {
  /// Hours of one day.
  struct Day {
    /// The union of all spans asleep, of whatever source.
    var asleep = 0.0
    var deep = 0.0
    var rem = 0.0
    /// Time in bed of sessions in which nothing else is known.
    var onlyInBed = 0.0
    var hasStages = false
    var hasAsleep = false
    var isTyped = false
  }

  private(set) var days: [CalendarDay: Day] = [:]

  /// Spans this far apart, in seconds, belong to two sessions.
  static let gap: Int64 = 3600
  private static let dayLength: Int64 = 86_400

  /// Adds spans in order of time; `isTyped` tells by source whether the person entered it.
  init(_ spans: ContiguousArray<Sample>, isTyped: (UInt16) -> Bool) {
    var first = 0
    var end = Int64.min
    var last = 0
    for (index, span) in spans.enumerated() {
      if index > first, span.start - end >= Self.gap {
        add(spans[first..<index], last: spans[last], isTyped)
        first = index
        end = Int64.min
      }
      if span.end >= end {
        end = span.end
        last = index
      }
    }
    if !spans.isEmpty { add(spans[first...], last: spans[last], isTyped) }
    carryExcess()
  }

  /// What no day can hold goes to the day before, on which it began: no minute is lost.
  private mutating func carryExcess() {
    for day in days.keys.sorted().reversed() {
      var at = day
      while var held = days[at], held.asleep > 24 {
        let excess = held.asleep - 24
        held.asleep = 24
        days[at] = held
        at = at.advanced(by: -1)
        var before = days[at] ?? Day()
        before.asleep += excess
        before.hasAsleep = true
        days[at] = before
      }
    }
  }

  /// Adds one session; `last` is the span that ends it. A session of more than a day, which no one
  /// slept, is cut into days counted back from its end, so that no day gets more than 24 hours.
  private mutating func add(
    _ spans: ArraySlice<Sample>, last: Sample, _ isTyped: (UInt16) -> Bool
  ) {
    guard let start = spans.first?.start else { return }
    var asleep = Union(spans, \.isAsleep)
    var deep = Union(spans) { $0 == .deep }
    var rem = Union(spans) { $0 == .rem }
    var inBed = Union(spans) { $0 == .inBed }
    let hasAsleep = spans.contains { Self.stage($0).isAsleep }
    let hasStages = spans.contains { Self.stage($0).rawValue >= SleepStage.core.rawValue }
    let wasTyped = spans.contains { Self.stage($0).isAsleep && isTyped($0.source) }
    var end = last.end
    while true {
      let from = max(start, end - Self.dayLength)
      let local = end + Int64(last.offset) * 60
      let number = (local >= 0 ? local : local - (Self.dayLength - 1)) / Self.dayLength
      let day = CalendarDay(number: Int(number))
      var held = days[day] ?? Day()
      if hasAsleep {
        held.hasAsleep = true
        held.asleep += asleep.takeHours(from: from)
        held.isTyped = held.isTyped || wasTyped
        if hasStages {
          held.hasStages = true
          held.deep = min(24, held.deep + deep.takeHours(from: from))
          held.rem = min(24, held.rem + rem.takeHours(from: from))
        }
      } else {
        held.onlyInBed = min(24, held.onlyInBed + inBed.takeHours(from: from))
      }
      days[day] = held
      guard from > start else { break }
      end = from
    }
  }

  private static func stage(_ span: Sample) -> SleepStage {
    SleepStage(rawValue: Int(span.value)) ?? .awake
  }

  /// What spans of the wanted stages cover, taken off from its end.
  private struct Union {
    /// Disjoint, in ascending order.
    private var spans: [(start: Int64, end: Int64)] = []

    init(_ samples: ArraySlice<Sample>, _ includes: (SleepStage) -> Bool) {
      for sample in samples where includes(SleepSessions.stage(sample)) && sample.duration > 0 {
        if let last = spans.last, sample.start <= last.end {
          spans[spans.count - 1].end = max(last.end, sample.end)
        } else {
          spans.append((sample.start, sample.end))
        }
      }
    }

    /// The hours that are left from this moment on; they are then gone.
    mutating func takeHours(from: Int64) -> Double {
      var seconds: Int64 = 0
      while let last = spans.last, last.end > from {
        seconds += last.end - max(last.start, from)
        if last.start >= from {
          spans.removeLast()
        } else {
          spans[spans.count - 1].end = from
        }
      }
      return Double(seconds) / 3600
    }
  }
}
