internal import DayLog
import Time

/// The dates of a health export, `yyyy-MM-dd HH:mm:ss +hhmm`, iOS 8's `yyyyMMddHHmmss+hhmm`, read by
/// position; the day and the offset that came last are not read again.
struct HealthDates {
  private var dayText: (UInt64, UInt64) = (0, 0)
  private var dayNumber: Int64 = 0
  private var offsetText: UInt64 = 0
  private var offset: Int16 = 0

  /// Seconds since 1970 and the minutes ahead of UTC that are written; nil for anything else.
  @inline(__always)
  mutating func read(
    _ bytes: Span<UInt8>, _ place: BytePlace
  ) -> (seconds: Int64, offset: Int16)? {
    guard place.end - place.start == 25, place.end + 8 <= bytes.count else {
      return readSlowly(bytes, place)
    }
    let start = place.start
    let text = (bytes.word(at: start), bytes.word(at: start + 8))
    let date = (text.0, text.1 & 0xFFFF)
    if date != dayText {
      guard let day = LocalTime.day(bytes, at: start) else { return nil }
      dayText = date
      dayNumber = Int64(day.number)
    }
    let zone = bytes.word(at: start + 20) & 0xFF_FFFF_FFFF
    if zone != offsetText {
      guard let read = Self.offset(bytes, start + 20) else { return readSlowly(bytes, place) }
      offsetText = zone
      offset = read
    }
    guard bytes[start + 10] == 32, bytes[start + 19] == 32,
      let second = Self.clock(bytes.word(at: start + 11))
    else { return readSlowly(bytes, place) }
    return (dayNumber * 86_400 + second - Int64(offset) * 60, offset)
  }

  /// Seconds after midnight of the eight characters `HH:mm:ss`; nil for any others.
  @inline(__always)
  private static func clock(_ text: UInt64) -> Int64? {
    let digits = text ^ 0x3030_3A30_303A_3030
    // Every byte is a digit where neither it nor it and six reach into the upper half; colons are 0.
    guard (digits | (digits &+ 0x0606_0606_0606_0606)) & 0xF0F0_F0F0_F0F0_F0F0 == 0,
      digits & 0x0000_FF00_00FF_0000 == 0
    else { return nil }
    func pair(_ shift: UInt64) -> Int64 {
      let (tens, ones) = (digits >> shift & 0xF, digits >> (shift &+ 8) & 0xF)
      return Int64(tens &* 10 &+ ones)
    }
    let (hour, minute, second) = (pair(0), pair(24), pair(48))
    guard hour < 24, minute < 60, second < 61 else { return nil }
    return hour &* 3600 &+ minute &* 60 &+ min(second, 59)
  }

  private func readSlowly(
    _ bytes: Span<UInt8>, _ place: BytePlace
  ) -> (seconds: Int64, offset: Int16)? {
    let start = place.start
    switch place.end - start {
    case 25 where bytes[start + 10] == 32:
      guard let day = LocalTime.day(bytes, at: start), bytes[start + 10] == 32,
        bytes[start + 19] == 32, let second = Self.time(bytes, start + 11, separated: true),
        let offset = Self.offset(bytes, start + 20)
      else { return nil }
      return (Int64(day.number) * 86_400 + second - Int64(offset) * 60, offset)
    case 19:
      guard let year = LocalTime.digits(bytes, start, 4),
        let month = LocalTime.digits(bytes, start + 4, 2),
        let dayOfMonth = LocalTime.digits(bytes, start + 6, 2),
        let day = CalendarDay(year: year, month: month, day: dayOfMonth),
        let second = Self.time(bytes, start + 8, separated: false),
        let offset = Self.offset(bytes, start + 14)
      else { return nil }
      return (Int64(day.number) * 86_400 + second - Int64(offset) * 60, offset)
    default:
      // ISO 8601, as other programs write it into the same format.
      guard (16...35).contains(place.end - start),
        let time = LocalTime(bytes.extracting(start..<place.end)), time.second != nil,
        let offset = time.offset
      else { return nil }
      return (time.seconds, Int16(offset / 60))
    }
  }

  @inline(__always)
  private static func time(_ bytes: Span<UInt8>, _ start: Int, separated: Bool) -> Int64? {
    let step = separated ? 3 : 2
    guard let hour = LocalTime.digits(bytes, start, 2), hour < 24,
      let minute = LocalTime.digits(bytes, start + step, 2), minute < 60,
      let second = LocalTime.digits(bytes, start + 2 * step, 2), second < 61,
      !separated || (bytes[start + 2] == 58 && bytes[start + 5] == 58)
    else { return nil }
    return Int64(hour * 3600 + minute * 60 + min(second, 59))
  }

  private static func offset(_ bytes: Span<UInt8>, _ start: Int) -> Int16? {
    let isNegative = bytes[start] == UInt8(ascii: "-")
    guard isNegative || bytes[start] == UInt8(ascii: "+"),
      let hours = LocalTime.digits(bytes, start + 1, 2), hours <= 18,
      let minutes = LocalTime.digits(bytes, start + 3, 2), minutes < 60
    else { return nil }
    let offset = Int16(hours * 60 + minutes)
    return isNegative ? -offset : offset
  }
}
