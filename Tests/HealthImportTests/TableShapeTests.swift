import HealthImport
import TestSupport
import Testing
import Time

@Suite struct `A table as people have it` {
  @Test
  func `in other scripts is read by the names that most logs have, and names what it cannot write`()
    throws
  {
    let chinese = try importText("日期,步数,体重(kg),自定义\n2026-01-05,8123,72.4,3\n")
    #expect(chinese.value("steps", "2026-01-05") == 8123)
    #expect(chinese.value("body_mass", "2026-01-05") == 72.4)
    #expect(chinese.value("u81ea_u5b9a_u4e49", "2026-01-05") == 3)
    #expect(chinese.summary.remarks.contains { $0.contains("--map") && $0.contains("自定义") })
    let russian = try importText("Дата;Шаги;Сон;Шум\n05.01.2026;8123;7,5;2\n")
    #expect(russian.value("steps", "2026-01-05") == 8123)
    #expect(russian.value("sleep_hours", "2026-01-05") == 7.5)
    #expect(russian.value("shum", "2026-01-05") == 2)
    let emoji = try importText("date,☕️,🍎\n2026-01-05,2,3\n")
    #expect(emoji.value("hot_beverage", "2026-01-05") == 2)
    #expect(emoji.value("red_apple", "2026-01-05") == 3)
  }

  @Test(arguments: [
    "2026年1月5日", "2026年01月05日(月)", "2026년 1월 5일", "٢٠٢٦-٠١-٠٥", "Mo 05.01.2026",
    "Monday, January 5th, 2026", "２０２６-０１-０５",
  ])
  func `has dates as they are written in many places`(date: String) throws {
    #expect(
      try importText("date,steps\n\"\(date)\",8123\n").values("steps") == ["2026-01-05": 8123])
  }

  @Test(arguments: ["2026-01-05 23:30:00 CET", "2026年1月5日 午後 11:30", "2026-01-05 11:30 p.m."])
  func `has times as they are written in many places`(time: String) throws {
    let batch = try importText("time,mood\n\"\(time)\",4\n") { $0.dayStart = 23 * 3600 }
    #expect(batch.values("mood") == ["2026-01-05": 4])
  }

  @Test func `has the unit of each row where a column says it`() throws {
    let batch = try importText(
      """
      date,metric,value,unit
      2026-01-05,weight,160,lb
      2026-01-06,weight,73,kg
      2026-01-05,water,1.5,l
      2026-01-06,water,500,ml
      """)
    #expect(batch.value("body_mass", "2026-01-05") == 160 * 0.453_592_37)
    #expect(batch.value("body_mass", "2026-01-06") == 73)
    #expect(batch.values("water_ml") == ["2026-01-05": 1500, "2026-01-06": 500])
  }

  @Test func `with titles in two rows has both, and units below titles`() throws {
    let groups = try importText(
      "Date,Sleep,,Heart,\n,Hours,Deep,Resting,HRV\n2026-01-05,7.5,1.2,52,60\n")
    #expect(groups.value("sleep_hours", "2026-01-05") == 7.5)
    #expect(groups.value("sleep_deep_hours", "2026-01-05") == 1.2)
    #expect(groups.value("heart_hrv", "2026-01-05") == 60)
    #expect(groups.summary.rejected == 0)
    let units = try importText("Date,Weight,Water\n,kg,ml\n2026-01-05,72.4,1500\n")
    #expect(units.value("body_mass", "2026-01-05") == 72.4)
    #expect(units.value("water_ml", "2026-01-05") == 1500)
  }

  @Test func `without titles is refused rather than losing its first row`() {
    #expect(fault { try importText("2026-01-05\t6\n2026-01-06\t7\n") }?.reason == .noHeader)
  }

  @Test func `of spans has sleep on the day of waking, as the union`() throws {
    let typed = try importText(
      """
      Start,End,Type
      2026-01-05 23:00,2026-01-06 07:00,Sleep
      2026-01-06 06:00,2026-01-06 07:30,Sleep
      2026-01-06 14:00,2026-01-06 14:30,Nap
      2026-01-06 18:00,2026-01-06 18:45,Running
      """)
    #expect(typed.values("sleep_hours") == ["2026-01-06": 9])
    #expect(typed.values("running") == ["2026-01-06": 0.75])
    let plain = try importText(
      "start,end,rating\n2026-01-05 23:00,2026-01-06 07:00,4\n", name: "sleep.csv")
    #expect(plain.values("sleep_hours") == ["2026-01-06": 8])
    #expect(plain.values("sleep_rating") == ["2026-01-06": 4])
    let hours = try importText(
      "start,end,sleep hours,sleep quality\n2026-01-05 23:00,2026-01-06 07:00,7.5,80\n")
    #expect(hours.values("sleep_hours") == ["2026-01-06": 7.5])
    #expect(hours.values("sleep_quality") == ["2026-01-06": 80])
  }

  @Test func `of stages has their hours, and time awake joins a night`() throws {
    let batch = try importText(
      """
      start,end,stage
      2026-01-05 23:00,2026-01-06 01:00,light
      2026-01-06 01:00,2026-01-06 03:00,awake
      2026-01-06 03:00,2026-01-06 05:00,deep
      2026-01-06 05:00,2026-01-06 06:00,REM
      """)
    #expect(batch.values("sleep_hours") == ["2026-01-06": 5])
    #expect(batch.values("sleep_deep_hours") == ["2026-01-06": 2])
    #expect(batch.values("sleep_rem_hours") == ["2026-01-06": 1])
  }

  @Test func `has stones with pounds, and knows what is no measurement`() throws {
    let batch = try importText("date,weight,zip,bp sys\n2026-01-05,11 st 6 lb,10115,120\n")
    #expect(batch.value("body_mass", "2026-01-05") == 160 * 0.453_592_37)
    #expect(batch.value("blood_pressure_systolic", "2026-01-05") == 120)
    #expect(batch.summary.skipped.map(\.name) == ["zip"])
  }

  @Test func `takes a rating for a rating and energy for energy`() throws {
    let batch = try importText("Date,Energy (kcal),Energy\n2026-01-05,2000,6\n")
    #expect(batch.value("energy", "2026-01-05") == 6)
    #expect(batch.value("energy_kcal", "2026-01-05") == 2000)
  }

  @Test func `has the name of its file only where nothing else is in it`() throws {
    let one = try importText("date,value,note\n2026-01-05,6,a\n", name: "mood.csv")
    #expect(one.values("mood") == ["2026-01-05": 6])
    let two = try importText("date,focus,reading (min)\n2026-01-05,6,20\n", name: "mood.csv")
    #expect(two.value("reading_min", "2026-01-05") == 20)
    #expect(two.value("focus", "2026-01-05") == 6)
  }

  @Test func `in UTF-16 without a mark is read`() throws {
    let bytes = "date,mood\n2026-01-05,4\n".utf16.flatMap {
      [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
    }
    #expect(try importBytes(ContiguousArray(bytes)).values("mood") == ["2026-01-05": 4])
  }

  @Test func `with several tables in it is read table by table`() throws {
    let batch = try importText(
      """
      Body
      Date,Weight,Fat
      2026-01-05,72.4,18

      Activities
      Date,Calories Burned,Steps
      2026-01-05,"2,310","8,123"

      Sleep
      Start Time,End Time,Minutes Asleep,Minutes Awake
      2026-01-05 11:10PM,2026-01-06 7:00AM,420,50
      """)
    #expect(batch.values("body_mass") == ["2026-01-05": 72.4])
    #expect(batch.values("steps") == ["2026-01-05": 8123])
    #expect(batch.values("sleep_hours") == ["2026-01-06": 7])
    #expect(batch.values("minutes_awake") == ["2026-01-06": 50])
    #expect(batch.summary.rejected == 0)
    // Titles that come again are of the same table.
    let joined = try importText("date,mood\n2026-01-05,4\ndate,mood\n2026-01-06,5\n")
    #expect(joined.values("mood") == ["2026-01-05": 4, "2026-01-06": 5])
    #expect(joined.summary.rejected == 0)
  }
}
