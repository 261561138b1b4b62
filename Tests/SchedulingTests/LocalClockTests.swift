import FoundationEssentials
import Scheduling
import Testing

@Suite struct `A clock on the wall` {
  /// Sydney in 2019: summer time ended on 7 April at 03:00 and began on 6 October at 02:00.
  static let sydney = LocalClock { moment in
    let seconds = moment.milliseconds / 1000
    return seconds < 1_554_566_400 || seconds >= 1_570_291_200 ? 39_600 : 36_000
  }
  static let schedule = TaskSchedule.daily(hour: 2, minute: 30)

  private func day(_ clock: LocalClock, _ moment: Moment) -> Int { clock.dayNumber(at: moment) }

  @Test func `SCH_9: a daily run comes once per calendar day, through both changes of the clock`() {
    // 1 January to 31 December 2019, each run at its earliest moment.
    var moment = Moment(milliseconds: 1_546_264_800_000)
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
      Self.sydney.moment(secondOfDay: 9000, ofDay: number)
        == Moment(milliseconds: 1_570_291_200_000))
    #expect(day(Self.sydney, Moment(milliseconds: 1_570_291_200_000)) == number)
  }

  @Test func `SCH_9: in the repeated hour it comes the first time only`() {
    // 02:30 on 7 April comes at 15:30Z and at 16:30Z of the day before.
    let number = 17_993
    let first = Self.sydney.moment(secondOfDay: 9000, ofDay: number)
    #expect(first == Moment(milliseconds: 1_554_566_400_000 - 30 * 60_000))
    let next = Self.schedule.next(after: first, in: Self.sydney)
    #expect(day(Self.sydney, next) == number + 1)
    // A run in the second of the two hours is still that day's.
    let late = first.advanced(by: .hours(1))
    #expect(Self.schedule.next(after: late, in: Self.sydney) == next)
  }

  @Test func `leaves a day out where its zone does`() {
    // Samoa went from 29 to 31 December 2011 at midnight.
    let samoa = LocalClock { $0.milliseconds < 1_325_239_200_000 ? -36_000 : 50_400 }
    let skipped = samoa.moment(secondOfDay: 9000, ofDay: 15_338)
    #expect(skipped == Moment(milliseconds: 1_325_239_200_000))
    #expect(samoa.dayNumber(at: skipped) == 15_339)
    #expect(samoa.moment(secondOfDay: 9000, ofDay: 15_337).milliseconds == 1_325_161_800_000)
  }

  @Test func `counts days before 1970 downwards`() {
    #expect(LocalClock.utc.dayNumber(at: Moment(milliseconds: -1)) == -1)
    #expect(LocalClock.utc.dayNumber(at: Moment(milliseconds: -86_400_000)) == -1)
    #expect(LocalClock.utc.dayNumber(at: Moment(milliseconds: -86_400_001)) == -2)
  }

  @Test func `clamps what is out of range instead of trapping`() {
    let last = Moment(milliseconds: .max)
    #expect(last.advanced(by: .days(1)) == last)
    #expect(Moment(milliseconds: .min).advanced(by: .days(-1)).milliseconds == .min)
    // As a damaged record may have it.
    let ends = [Moment(milliseconds: .min), last].map {
      Self.sydney.dayNumber(at: $0)
    }
    #expect(ends == [-106_751_991_167, 106_751_991_167])
  }
}
