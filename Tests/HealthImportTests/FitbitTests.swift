import DayLog
import FoundationEssentials
import HealthImport
import TestSupport
import Testing

@Suite struct `Fitbit's JSON` {
  @Test func `of a night and a nap gives their sum on the day they end`() throws {
    let batch = try importText(
      """
      [{"logId": 1, "dateOfSleep": "2024-03-31", "minutesAsleep": 400, "isMainSleep": true,
        "startTime": "2024-03-30T23:50:00.000", "efficiency": 90,
        "levels": {"summary": {"deep": {"minutes": 60}, "light": {"minutes": 250},
                               "rem": {"minutes": 90}, "wake": {"minutes": 30}}}},
       {"logId": 2, "dateOfSleep": "2024-03-31", "minutesAsleep": 20, "isMainSleep": false,
        "efficiency": 100, "levels": {"summary": {"asleep": {"minutes": 20}}}}]
      """)
    #expect(batch.format == "fitbit")
    #expect(abs((batch.value("sleep_hours", "2024-03-31") ?? 0) - 7) < 1e-12)
    #expect(batch.value("sleep_deep_hours", "2024-03-31") == 1)
    #expect(batch.value("sleep_rem_hours", "2024-03-31") == 1.5)
    #expect(batch.value("sleep_efficiency", "2024-03-31") == 95)
    #expect(Set(batch.entries.map(\.key.source)) == [Source(.imported, "fitbit")])
    #expect(batch.summary.used == 2)
  }

  @Test func `IMP_7: with one log twice counts it once`() throws {
    let log = #"{"logId": 7, "dateOfSleep": "2024-01-02", "minutesAsleep": 300}"#
    let batch = try importText("{\"sleep\": [\(log), \(log)]}")
    #expect(batch.value("sleep_hours", "2024-01-02") == 5)
    #expect(batch.summary.duplicates == 1)
  }

  @Test func `IMP_17: in an archive of files that overlap counts each log once`() throws {
    func log(_ id: Int) -> String {
      #"{"logId": \#(id), "dateOfSleep": "2024-01-0\#(id)", "minutesAsleep": \#(id * 60)}"#
    }
    let zip = StoredZip([
      ("sleep-1.json", "[\(log(1)), \(log(2))]"), ("sleep-2.json", "[\(log(2)), \(log(3))]"),
      ("notes.csv", "title,text\n1,2\n"),
    ])
    let batch = try zip.withFile { try importFile($0) }
    #expect(batch.format == "fitbit")
    #expect(
      batch.values("sleep_hours") == ["2024-01-01": 1, "2024-01-02": 2, "2024-01-03": 3])
    #expect(batch.summary.duplicates == 1)
    #expect(batch.summary.skipped.map(\.name) == ["notes.csv"])
  }

  @Test func `IMP_14: keeps 0 steps and drops a weight of 0`() throws {
    let steps = try importText(
      #"{"activities-steps": [{"dateTime": "2015-08-25", "value": "0"}]}"#)
    #expect(steps.value("steps", "2015-08-25") == 0)
    let weight = fault {
      try importText(#"{"weight": [{"logId": 1, "bmi": 0, "date": "2015-08-25", "weight": 0}]}"#)
    }
    guard case .nothingRead? = weight?.reason else {
      Issue.record("a file of which nothing could be read is refused")
      return
    }
  }

  @Test func `IMP_25: with an unreadable date counts the record and reads the others`() throws {
    let batch = try importText(
      """
      {"sleep": [{"logId": 1, "dateOfSleep": "03/31/2024", "minutesAsleep": 60},
                 {"logId": 2, "dateOfSleep": "2023-02-29", "minutesAsleep": 60},
                 {"logId": 3, "dateOfSleep": "2024-02-29", "minutesAsleep": 60}]}
      """)
    #expect(batch.values("sleep_hours") == ["2024-02-29": 1])
    #expect(batch.summary.rejections.first?.first == [.record(1), .record(2)])
  }

  @Test func `with a weight after midnight gives it to the person's day`() throws {
    let text = """
      {"weight": [{"logId": 1, "bmi": 20, "date": "2015-05-14", "time": "01:10:00", "weight": 60},
                  {"logId": 2, "bmi": 21, "date": "2015-05-14", "time": "09:00:00", "weight": 62}]}
      """
    #expect(try importText(text).values("body_mass") == ["2015-05-14": 62])
    #expect(
      try importText(text) { $0.dayStart = 14_400 }.values("body_mass")
        == ["2015-05-13": 60, "2015-05-14": 62])
  }

  @Test func `that names no unit or no day is refused with what is needed`() {
    let list = fault { try importText(#"[{"logId": 1, "weight": 150, "bmi": 21}]"#) }
    guard case .unsupported(let what, let needed) = list?.reason else {
      Issue.record("a weight list of an account export is refused by name")
      return
    }
    #expect(what.contains("Fitbit"))
    #expect(needed.contains("weight_lb"))
    // Two days among the activities are no day of the summary.
    for dates in ["", #"{"startDate": "2015-06-23"}, {"startDate": "2015-06-24"}"#] {
      let summary = fault {
        try importText(
          "{\"activities\": [\(dates)], \"summary\": {\"caloriesOut\": 1218, \"steps\": 5}}")
      }
      guard case .unsupported(_, let needed) = summary?.reason else {
        Issue.record("a summary that does not say of which day is refused by name")
        continue
      }
      #expect(needed.contains("daily series"))
    }
  }

  @Test func `that is cut off is refused with the line of the fault`() {
    let cut = fault { try importText("{\"sleep\": [\n{\"dateOfSleep\": \"2024-01-01\"") }
    #expect(cut?.place == .line(2))
    #expect(cut?.description.contains("JSON") == true)
    let bytes =
      ContiguousArray("[{\"dateOfSleep\":\n\"".utf8) + [0xFF] + ContiguousArray("\"}]".utf8)
    #expect(
      fault { try importBytes(bytes) } == ImportError(file: "file", place: .line(2), .notUTF8))
  }
}

/// The same exports, read in the plainest way.
private struct SleepLog: Decodable {
  let dateOfSleep: String
  let minutesAsleep: Double
}

private struct WebAnswer: Decodable {
  struct Day: Decodable {
    let dateTime: String
    let value: String
  }
  struct Weight: Decodable {
    let date: String
    let weight: Double
  }
  let sleep: [SleepLog]?
  let weight: [Weight]?
  let steps: [Day]?

  enum CodingKeys: String, CodingKey {
    case sleep, weight
    case steps = "activities-steps"
  }
}

@Suite(.enabled(if: SharedData.isPresent, .init(rawValue: SharedData.whyAbsent)))
struct `Fitbit's genuine JSON` {
  private func decoded<Value: Decodable>(_ path: String, as type: Value.Type) throws -> Value {
    try JSONDecoder().decode(type, from: Data(contentsOf: URL(filePath: path)))
  }

  private func hours(_ logs: [SleepLog]) -> [String: Double] {
    logs.reduce(into: [:]) { $0[$1.dateOfSleep, default: 0] += $1.minutesAsleep / 60 }
  }

  private func expectNear(_ left: [String: Double], _ right: [String: Double]) {
    #expect(left.keys.sorted() == right.keys.sorted())
    for (day, value) in left { #expect(abs(value - (right[day] ?? .nan)) < 1e-12 * max(1, value)) }
  }

  @Test func `of sleep logs gives the minutes asleep of each day, as the table of them does`()
    throws
  {
    let path = SharedData.path("exports/fitbit-sleep-log/sleep-2024-03-20.json")
    let batch = try importFile(path)
    expectNear(batch.values("sleep_hours"), hours(try decoded(path, as: [SleepLog].self)))
    let table = try importFile(SharedData.path("series/person-b/fitbit-sleep.csv"))
    for metric in ["sleep_hours", "sleep_deep_hours", "sleep_rem_hours", "sleep_efficiency"] {
      let days = batch.values(metric)
      #expect(days.count == 22)
      expectNear(days, table.values(metric).filter { days[$0.key] != nil })
    }
  }

  @Test func `of the Web API gives sleep, steps and weight`() throws {
    for name in ["sleep-date", "sleep-date-range", "sleep-date-empty-sleep-list"] {
      let path = SharedData.path("exports/fitbit-web-api/fitbit-\(name).json")
      let answer = try decoded(path, as: WebAnswer.self)
      expectNear(try importFile(path).values("sleep_hours"), hours(answer.sleep ?? []))
    }
    let stepsPath = SharedData.path(
      "exports/fitbit-web-api/fitbit-activities-steps-timeseries.json")
    let steps = try #require(try decoded(stepsPath, as: WebAnswer.self).steps)
    #expect(
      try importFile(stepsPath).values("steps")
        == Dictionary(uniqueKeysWithValues: steps.map { ($0.dateTime, Double($0.value) ?? .nan) }))
    let weightPath = SharedData.path("exports/fitbit-web-api/fitbit-body-log-weight.json")
    let weights = try #require(try decoded(weightPath, as: WebAnswer.self).weight)
    let batch = try importFile(weightPath)
    #expect(
      batch.values("body_mass")
        == Dictionary(uniqueKeysWithValues: weights.map { ($0.date, $0.weight) }))
    #expect(batch.summary.remarks.count == 1)
  }

  @Test func `of a day's summary takes the day of the activities that come with it`() throws {
    let path = SharedData.path(
      "exports/fitbit-web-api/fitbit-activities-date-multiple-in-activities-list.json")
    let answer = try decoded(path, as: DaySummary.self)
    let day = try #require(answer.activities.first?.startDate)
    let batch = try importFile(path)
    #expect(batch.values("steps") == [day: answer.summary.steps])
    #expect(batch.values("total_energy") == [day: answer.summary.caloriesOut])
    let exercise = answer.summary.fairlyActiveMinutes + answer.summary.veryActiveMinutes
    #expect(batch.values("exercise_minutes") == [day: exercise])
  }
}

private struct DaySummary: Decodable {
  struct Activity: Decodable { let startDate: String }
  struct Summary: Decodable {
    let steps: Double
    let caloriesOut: Double
    let fairlyActiveMinutes: Double
    let veryActiveMinutes: Double
  }
  let activities: [Activity]
  let summary: Summary
}
