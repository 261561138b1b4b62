import Testing
import Time

@Suite struct `A calendar day` {
  @Test func `counts every day from 1600 to 2400 once and reads back what it writes`() throws {
    var expected = try #require(CalendarDay(year: 1600, month: 1, day: 1))
    for year in 1600...2400 {
      for month in 1...12 {
        for day in 1...31 {
          guard let made = CalendarDay(year: year, month: month, day: day) else { continue }
          #expect(made == expected)
          #expect(made.components == (year, month, day))
          #expect(CalendarDay(made.description) == made)
          expected = expected.advanced(by: 1)
        }
      }
    }
    #expect(expected == CalendarDay(year: 2401, month: 1, day: 1))
  }

  @Test(arguments: [
    "2024-02-30", "2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10", "2024-01-00",
    "0000-01-01",
    "24-01-01", "2024-1-01", "2024-01-011", "2024/01/01", " 2024-01-01", "12/01/2026", "",
    "２０２４-01-01", "2024-01-1a",
  ])
  func `is not made of anything but a date of the calendar`(text: String) {
    #expect(CalendarDay(text) == nil)
  }

  @Test func `knows its weekday and the Monday of its week`() throws {
    let sunday = try #require(CalendarDay("2024-03-10"))
    #expect(sunday.weekday == 7)
    #expect(sunday.startOfWeek == CalendarDay("2024-03-04"))
    #expect(CalendarDay(number: 0).weekday == 4)
    #expect(CalendarDay(number: -4).weekday == 7)
  }

  @Test func `of an instant follows the offset and the day start`() {
    let instant = Instant(seconds: 1_705_336_200)  // 2024-01-15T16:30:00Z
    #expect(instant.day(utcOffset: 9 * 3600) == CalendarDay("2024-01-16"))
    #expect(instant.day(utcOffset: 0) == CalendarDay("2024-01-15"))
    #expect(instant.day(utcOffset: 9 * 3600, dayStart: 4 * 3600) == CalendarDay("2024-01-15"))
    #expect(Instant(milliseconds: -1).day(utcOffset: 0) == CalendarDay("1969-12-31"))
    let ends = [Int64.min, .max].map { Instant(milliseconds: $0).day(utcOffset: 0).number }
    #expect(ends == [-106_751_991_168, 106_751_991_167])
  }
}
