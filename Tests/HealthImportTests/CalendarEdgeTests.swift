import DayLog
import HealthImport
import Testing
import Time

@Suite struct `A record of a day that no log has` {
  /// One record that a clock or the day start moves out of the years 0001 to 9999, and a good one.
  struct Case: CustomTestStringConvertible {
    let format: String
    let text: String
    let place: ImportError.Place
    var testDescription: String { format }
  }

  static let cases = [
    Case(
      format: "csv", text: "date,mood\n0001-01-01 02:00,4\n2024-05-01 12:00,5\n", place: .line(2)),
    Case(
      format: "daylio",
      text: "full_date,date,weekday,time,mood,activities\n0001-01-01,,,02:00,good,walk\n"
        + "2024-05-01,,,21:00,good,walk\n", place: .line(2)),
    Case(
      format: "plees-tracker",
      text: "sid,start,stop,rating\n1,-62135600000000,-62135596801000,4\n2,0,3600000,4\n",
      place: .line(2)),
    Case(
      format: "withings",
      text: """
        {"status":0,"body":{"timezone":"UTC","measuregrps":[
        {"grpid":1,"category":1,"date":-62135596801,"measures":[{"value":70,"type":1,"unit":0}]},
        {"grpid":2,"category":1,"date":1714543200,"measures":[{"value":70,"type":1,"unit":0}]}]}}
        """, place: .record(1)),
    Case(
      format: "google-fit",
      text: """
        {"dataSourceId":"derived:x:merge_steps:merge_step_deltas","maxEndTimeNs":"0","point":[
        {"startTimeNanos":"253402315200000000000","value":[{"intVal":40}]},
        {"startTimeNanos":"1714543200000000000","value":[{"intVal":40}]}]}
        """, place: .record(1)),
    Case(
      format: "garmin",
      text: """
        [{"dailySleepDTO":{"userProfilePK":1,"sleepEndTimestampLocal":253402300800000,
        "sleepTimeSeconds":3600}},{"dailySleepDTO":{"calendarDate":"2024-05-01",
        "sleepTimeSeconds":3600}}]
        """, place: .record(1)),
    Case(
      format: "apple-health",
      text: export(
        record(
          "HKQuantityTypeIdentifierStepCount", "5", "0001-01-01 02:00:00", "0001-01-01 02:05:00")
          + record(
            "HKQuantityTypeIdentifierStepCount", "5", "2024-05-01 12:00:00", "2024-05-01 12:05:00")),
      place: .record(1)),
  ]

  @Test(arguments: cases)
  func `is counted and named, and takes nothing from its neighbours`(item: Case) throws {
    let batch = try importText(item.text) {
      $0.localZone = Zone.utc
      $0.dayStart = 14_400
    }
    #expect(batch.format == item.format)
    #expect(batch.summary.rejections.map(\.reason) == ["a day outside the years 0001 to 9999"])
    #expect(batch.summary.rejections.first?.first == [item.place])
    #expect(Set(batch.entries.map(\.key.day)).count == 1)
    #expect(batch.summary.used == 1)
  }
}

@Suite struct `The day start` {
  @Test(arguments: [
    ("date,mood\n2024-05-01,5\n", false), ("date,mood\n2024-05-01 12:00,5\n", true),
    (
      "full_date,date,weekday,time,mood,activities\n2024-05-01,,,21:00,good,\n",
      true
    ),
    ("[{\"dateOfSleep\":\"2024-05-01\",\"minutesAsleep\":400}]", false),
    ("{\"activities-steps\":[{\"dateTime\":\"2024-05-01\",\"value\":\"9000\"}]}", false),
    ("sid,start,stop,rating\n2,0,3600000,4\n", false),
    (
      "{\"weight\":[{\"logId\":1,\"bmi\":22,\"date\":\"2024-05-01\",\"time\":\"07:00:00\",\"weight\":70}]}",
      true
    ),
    (export(""), true),
  ])
  func `can move the days of a file that has times, and of no other`(
    text: String, isUsed: Bool
  ) throws {
    let batch = try importText(text) { $0.localZone = Zone.utc }
    #expect(batch.summary.usesDayStart == isUsed)
  }
}
