internal import DayLog
import Time

/// One record that counts, in 24 bytes.
struct Sample {
  /// Seconds since 1970 UTC.
  var start: Int64
  /// In the metric's unit; of sleep the ``SleepStage``.
  var value: Double
  /// Seconds from start to end; spans of more than 68 years are rejected.
  var duration: Int32
  /// Minutes ahead of UTC at its start, by the zone that decides.
  var offset: Int16
  var source: UInt16

  var end: Int64 { start + Int64(duration) }

  var day: CalendarDay { CalendarDay(number: Int(Self.floor(start + Int64(offset) * 60))) }

  /// The person's day.
  func day(dayStart: Int) -> CalendarDay {
    CalendarDay(number: Int(Self.floor(start + Int64(offset) * 60 - Int64(dayStart))))
  }

  private static func floor(_ seconds: Int64) -> Int64 {
    (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
  }

  /// Start, length, value, source, offset: a total order of samples of one type that does not depend on
  /// the order of the file. Identical samples are neighbours.
  @inline(__always)
  static func precedes(_ a: Sample, _ b: Sample) -> Bool {
    if a.start != b.start { return a.start < b.start }
    if a.duration != b.duration { return a.duration < b.duration }
    if a.value != b.value { return a.value < b.value }
    if a.source != b.source { return a.source < b.source }
    return a.offset < b.offset
  }

  /// Whether two samples of one type say the same.
  @inline(__always)
  func isRepeat(of other: Sample) -> Bool {
    start == other.start && duration == other.duration && value == other.value
      && source == other.source
  }
}
