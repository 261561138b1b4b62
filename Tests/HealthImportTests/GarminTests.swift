import DayLog
import FoundationEssentials
import HealthImport
import TestSupport
import Testing

@Suite struct `Garmin's JSON` {
  @Test func `of daily summaries gives each its day, and levels below 0 are missing`() throws {
    let batch = try importText(
      """
      [{"userProfileId": 1, "calendarDate": "2025-06-14", "totalSteps": 0, "restingHeartRate": null,
        "activeKilocalories": 99.0, "totalKilocalories": 2252.0, "moderateIntensityMinutes": 12,
        "vigorousIntensityMinutes": 3, "averageStressLevel": -1},
       {"userProfileId": 1, "calendarDate": "2025-06-15", "totalSteps": 700, "restingHeartRate": 51,
        "averageStressLevel": 24, "bodyBatteryAtWakeTime": 92},
       {"userProfileId": 1, "calendarDate": "2025-06-15", "totalSteps": 900, "restingHeartRate": 53}]
      """)
    #expect(batch.format == "garmin")
    #expect(batch.values("steps") == ["2025-06-14": 0, "2025-06-15": 900])
    #expect(batch.values("resting_heart_rate") == ["2025-06-15": 52])
    #expect(batch.values("active_energy") == ["2025-06-14": 99])
    #expect(batch.values("exercise_minutes") == ["2025-06-14": 15])
    #expect(batch.values("stress_level") == ["2025-06-15": 24])
    #expect(Set(batch.entries.map(\.key.source)) == [Source(.imported, "garmin")])
  }

  @Test func `IMP_10: of a night belongs to the day on which it ends by its local clock`() throws {
    // 1751866648 read as UTC is 2025-07-07 05:37:28; the moment itself is later by the offset.
    let batch = try importText(
      """
      {"dailySleepDTO": {"userProfilePK": 1, "calendarDate": "2025-07-06", "sleepTimeSeconds": 24300,
         "napTimeSeconds": 1800, "sleepEndTimestampGMT": 1751888248000,
         "sleepEndTimestampLocal": 1751866648000, "deepSleepSeconds": 5400,
         "remSleepSeconds": 3600, "averageRespirationValue": 13.0,
         "sleepScores": {"overall": {"value": 83, "qualifierKey": "GOOD"}}},
       "restingHeartRate": 44, "avgOvernightHrv": 41.0}
      """)
    #expect(batch.values("sleep_hours") == ["2025-07-07": 7.25])
    #expect(batch.values("sleep_deep_hours") == ["2025-07-07": 1.5])
    #expect(batch.values("sleep_score") == ["2025-07-07": 83])
    #expect(batch.values("resting_heart_rate") == ["2025-07-07": 44])
    #expect(batch.values("hrv_rmssd") == ["2025-07-07": 41])
  }

  @Test func `of an account export's nights adds up their stages`() throws {
    let batch = try importText(
      """
      [{"sleepStartTimestampGMT": "2020-02-01T22:10:00.0", "calendarDate": "2020-02-02",
        "sleepEndTimestampGMT": "2020-02-02T05:40:00.0", "deepSleepSeconds": 3600,
        "lightSleepSeconds": 18000, "remSleepSeconds": 3600, "awakeSleepSeconds": 1800,
        "sleepWindowConfirmationType": "ENHANCED_CONFIRMED_FINAL", "averageRespiration": 14.0,
        "sleepScores": {"overallScore": 70}},
       {"sleepStartTimestampGMT": "2020-02-02T22:10:00.0", "calendarDate": "2020-02-03",
        "sleepWindowConfirmationType": "UNCONFIRMED"}]
      """)
    #expect(batch.values("sleep_hours") == ["2020-02-02": 7])
    #expect(batch.values("sleep_score") == ["2020-02-02": 70])
    #expect(batch.values("respiratory_rate") == ["2020-02-02": 14])
    #expect(batch.summary.skipped.map(\.count) == [1])
  }

  @Test func `IMP_15: of heart-rate variability is RMSSD`() throws {
    let batch = try importText(
      """
      {"userProfilePk": 1, "hrvSummary": {"calendarDate": "2023-07-20", "weeklyAvg": 39,
         "lastNightAvg": 42, "lastNight5MinHigh": 66}, "hrvReadings": []}
      """)
    #expect(batch.values("hrv_rmssd") == ["2023-07-20": 42])
    #expect(batch.entries.count == 1)
  }

  @Test func `of training readiness takes the one that was made on waking`() throws {
    let batch = try importText(
      """
      [[{"userProfilePK": 1, "calendarDate": "2025-07-07", "score": 50,
         "inputContext": "UPDATE_REALTIME_VARIABLES"},
        {"userProfilePK": 1, "calendarDate": "2025-07-07", "score": 80,
         "inputContext": "AFTER_WAKEUP_RESET"}],
       [{"userProfilePK": 1, "calendarDate": "2025-07-06", "score": 66,
         "inputContext": "AFTER_POST_EXERCISE_RESET"}]]
      """)
    #expect(batch.values("readiness_score") == ["2025-07-07": 80])
    #expect(batch.summary.skipped.map(\.count) == [2])
    #expect(batch.summary.read == 3)
  }

  @Test func `that holds nothing that is known is refused`() {
    let error = fault {
      try importText(#"[{"userProfilePK": 1, "calendarDate": "2024-01-01", "badge": 1}]"#)
    }
    #expect(error?.description.contains("Garmin Connect") == true)
  }
}

/// The same answers, read in the plainest way.
private struct Answer: Decodable {
  struct Night: Decodable {
    struct Scores: Decodable {
      struct Score: Decodable { let value: Double }
      let overall: Score
    }
    let calendarDate: String
    let sleepTimeSeconds: Double
    let napTimeSeconds: Double
    let remSleepSeconds: Double
    let sleepScores: Scores
  }
  struct Variability: Decodable {
    let calendarDate: String
    let lastNightAvg: Double
  }
  let calendarDate: String?
  let totalSteps: Double?
  let restingHeartRate: Double?
  let activeKilocalories: Double?
  let moderateIntensityMinutes: Double?
  let vigorousIntensityMinutes: Double?
  let dailySleepDTO: Night?
  let hrvSummary: Variability?
  let score: Double?
  let inputContext: String?
}

@Suite(.enabled(if: SharedData.isPresent, .init(rawValue: SharedData.whyAbsent)))
struct `Garmin's genuine JSON` {
  private func path(_ name: String) -> String {
    SharedData.path("exports/garmin-connect/\(name).json")
  }

  private func answers<Value: Decodable>(_ name: String, as type: Value.Type) throws -> Value {
    try JSONDecoder().decode(type, from: Data(contentsOf: URL(filePath: path(name))))
  }

  private func byDay(
    _ answers: [Answer], _ day: (Answer) -> String?, _ value: (Answer) -> Double?
  ) -> [String: Double] {
    answers.reduce(into: [:]) { days, answer in
      if let day = day(answer) { days[day] = value(answer) }
    }
  }

  @Test func `of daily summaries gives what they say`() throws {
    let summaries = try answers("daily-summary", as: [Answer].self)
    let batch = try importFile(path("daily-summary"))
    #expect(batch.values("steps") == byDay(summaries, \.calendarDate, \.totalSteps))
    #expect(
      batch.values("resting_heart_rate") == byDay(summaries, \.calendarDate, \.restingHeartRate))
    #expect(batch.values("active_energy") == byDay(summaries, \.calendarDate, \.activeKilocalories))
    let exercise = byDay(summaries, \.calendarDate) {
      ($0.moderateIntensityMinutes ?? .nan) + ($0.vigorousIntensityMinutes ?? .nan)
    }
    #expect(batch.values("exercise_minutes") == exercise)
  }

  @Test func `of nights, their variability and the readiness on waking gives what they say`() throws
  {
    let nights = try answers("sleep", as: [Answer].self)
    let sleep = try importFile(path("sleep"))
    let hours = byDay(nights, \.dailySleepDTO?.calendarDate) { answer in
      answer.dailySleepDTO.map { ($0.sleepTimeSeconds + $0.napTimeSeconds) / 3600 }
    }
    #expect(sleep.values("sleep_hours") == hours)
    let rem = byDay(nights, \.dailySleepDTO?.calendarDate) { answer in
      answer.dailySleepDTO.map { $0.remSleepSeconds / 3600 }
    }
    #expect(sleep.values("sleep_rem_hours") == rem)
    let scores = byDay(
      nights, \.dailySleepDTO?.calendarDate, \.dailySleepDTO?.sleepScores.overall.value)
    #expect(sleep.values("sleep_score") == scores)

    let variability = byDay(
      try answers("hrv", as: [Answer].self), \.hrvSummary?.calendarDate, \.hrvSummary?.lastNightAvg)
    #expect(try importFile(path("hrv")).values("hrv_rmssd") == variability)

    let morning = try answers("training-readiness", as: [[Answer]].self).flatMap(\.self)
      .filter { $0.inputContext == "AFTER_WAKEUP_RESET" }
    #expect(
      try importFile(path("training-readiness")).values("readiness_score")
        == byDay(morning, \.calendarDate, \.score))
  }
}
