import Scheduling
import Testing
import Time

@Suite struct `A daily task` {
  /// Sydney in 2019: summer time ended on 7 April at 03:00 and began on 6 October at 02:00.
  static let sydney = Zone(posix: "AEST-10AEDT,M10.1.0,M4.1.0/3") ?? .utc
  static let schedule = TaskSchedule.daily(hour: 2, minute: 30)

  private func day(_ zone: Zone, _ moment: Instant) -> Int { zone.day(of: moment).number }

  private func moment(_ zone: Zone, _ day: Int) -> Instant {
    zone.start(of: CalendarDay(number: day), dayStart: 9000)
  }

  @Test func `SCH_9: a daily run comes once per calendar day, through both changes of the clock`() {
    // 1 January to 31 December 2019, each run at its earliest moment.
    var moment = Instant(milliseconds: 1_546_264_800_000)
    var days: [Int] = []
    while days.count < 364 {
      moment = Self.schedule.next(after: moment, in: Self.sydney)
      days.append(day(Self.sydney, moment))
    }
    #expect(days == Array(days[0]..<(days[0] + 364)))
  }

  @Test func `SCH_9: in the gap it comes when the clock is put forward`() {
    // 02:30 on 6 October is left out: 02:00 becomes 03:00 at 2019-10-05T16:00:00Z.
    let number = 18_175
    #expect(
      moment(Self.sydney, number)
        == Instant(milliseconds: 1_570_291_200_000))
    #expect(day(Self.sydney, Instant(milliseconds: 1_570_291_200_000)) == number)
  }

  @Test func `SCH_9: in the repeated hour it comes the first time only`() {
    // 02:30 on 7 April comes at 15:30Z and at 16:30Z of the day before.
    let number = 17_993
    let first = moment(Self.sydney, number)
    #expect(first == Instant(milliseconds: 1_554_566_400_000 - 30 * 60_000))
    let next = Self.schedule.next(after: first, in: Self.sydney)
    #expect(day(Self.sydney, next) == number + 1)
    // A run in the second of the two hours is still that day's.
    let late = first.advanced(by: .hours(1))
    #expect(Self.schedule.next(after: late, in: Self.sydney) == next)
  }

  @Test func `clamps what is out of range instead of trapping`() {
    let last = Instant(milliseconds: .max)
    #expect(last.advanced(by: .days(1)) == last)
    #expect(Instant(milliseconds: .min).advanced(by: .days(-1)).milliseconds == .min)
    // As a damaged record may have it.
    let ends = [Instant(milliseconds: .min), last].map {
      Self.sydney.day(of: $0).number
    }
    #expect(ends == [-106_751_991_167, 106_751_991_167])
    #expect(Self.schedule.next(after: last, in: Self.sydney) <= last)
  }
}
