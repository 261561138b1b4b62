import DayLog
import FoundationEssentials
import HealthImport
import TestSupport
import Testing
import Time

@Suite struct `Oura's JSON` {
  @Test func `of a night and a nap adds their sleep and takes the night's heart`() throws {
    let batch = try importText(
      """
      {"sleep": [
        {"summary_date": "2021-03-01", "bedtime_end": "2021-03-02T10:29:33+05:30", "is_longest": 1,
         "total": 21600, "rmssd": 50, "hr_lowest": 51, "breath_average": 13.5, "score": 0},
        {"summary_date": "2021-03-01", "bedtime_end": "2021-03-02T15:00:00+05:30", "is_longest": 0,
         "total": 1800, "rmssd": 90, "hr_lowest": 60, "breath_average": 15, "score": 40}]}
      """)
    #expect(batch.format == "oura")
    #expect(batch.values("sleep_hours") == ["2021-03-02": 6.5])
    #expect(batch.values("hrv_rmssd") == ["2021-03-02": 50])
    #expect(batch.values("resting_heart_rate") == ["2021-03-02": 51])
    #expect(batch.values("respiratory_rate") == ["2021-03-02": 13.5])
    #expect(batch.values("sleep_score").isEmpty)
  }

  @Test func `IMP_8: takes a night's day from its own offset unless a zone is asked for`() throws {
    let text = """
      {"sleep": [{"summary_date": "2024-01-01", "bedtime_end": "2024-01-02T02:00:00+05:30",
                  "total": 3600}]}
      """
    #expect(try importText(text).values("sleep_hours") == ["2024-01-02": 1])
    #expect(
      try importText(text) { $0.zone = Zone.centralEurope }.values("sleep_hours") == [
        "2024-01-01": 1
      ])
  }

  @Test func `IMP_15: gives RMSSD its own metric, and 0 of it is missing`() throws {
    let batch = try importText(
      """
      {"sleep": [{"summary_date": "2024-01-01", "bedtime_end": "2024-01-02T08:00:00+01:00",
                  "total": 3600, "rmssd": 0, "hr_lowest": 0},
                 {"summary_date": "2024-01-02", "bedtime_end": "2024-01-03T08:00:00+01:00",
                  "total": 3600, "rmssd": 44, "hr_lowest": 50}]}
      """)
    #expect(batch.values("hrv").isEmpty)
    #expect(batch.values("hrv_rmssd") == ["2024-01-03": 44])
    #expect(batch.values("resting_heart_rate") == ["2024-01-03": 50])
  }

  @Test func `IMP_7: with one period twice counts it once`() throws {
    let night = #"{"bedtime_end": "2021-03-02T08:00:00+01:00", "total": 25200, "rmssd": 40}"#
    let batch = try importText("{\"sleep\": [\(night), \(night)], \"summary_date\": null}")
    #expect(batch.values("sleep_hours") == ["2021-03-02": 7])
    #expect(batch.summary.duplicates == 1)
  }

  @Test func `IMP_22: with a byte order mark is read`() throws {
    let text = "\u{FEFF}{\"activity\": [{\"summary_date\": \"2024-02-28\", \"steps\": 3}]}"
    #expect(try importText(text).values("steps") == ["2024-02-28": 3])
  }

  @Test func `that holds no part that is known is refused`() {
    let error = fault { try importText(#"{"tags": [{"text": "x"}]}"#) { $0.format = "oura" } }
    #expect(error?.description.contains("readiness") == true)
  }

  @Test func `of all parts in one file gives each its day`() throws {
    let batch = try importText(
      """
      {"profile": {"age": 1},
       "readiness": [{"summary_date": "2024-02-28", "score": 70},
                     {"summary_date": "2024-02-29", "score": 0}],
       "activity": [{"summary_date": "2024-02-28", "steps": 0, "cal_active": 12, "cal_total": 2000},
                    {"summary_date": "29.2.2024", "steps": 9}]}
      """)
    #expect(batch.values("readiness_score") == ["2024-02-29": 70])
    #expect(batch.values("steps") == ["2024-02-28": 0])
    #expect(batch.values("total_energy") == ["2024-02-28": 2000])
    #expect(batch.summary.skipped.map(\.name) == ["profile"])
    #expect(batch.summary.rejections.map(\.reason).sorted() == ["no readable date", "no value"])
  }
}

/// The records and the joined table of them, read in the plainest way.
private struct Answer: Decodable {
  struct Record: Decodable {
    let summaryDate: String
    let steps: Double?
    let calActive: Double?
    let score: Double?
    let total: Double?
    let rmssd: Double?
    let hrLowest: Double?
  }
  let sleep: [Record]?
  let readiness: [Record]?
  let activity: [Record]?
}

@Suite(.enabled(if: SharedData.isPresent, .init(rawValue: SharedData.whyAbsent)))
struct `Oura's genuine JSON` {
  private func answer(_ name: String) throws -> Answer {
    let path = SharedData.path("exports/oura-api-v1/\(name).json")
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Answer.self, from: Data(contentsOf: URL(filePath: path)))
  }

  private func batch(_ name: String) throws -> ImportBatch {
    try importFile(SharedData.path("exports/oura-api-v1/\(name).json"))
  }

  private func days(
    _ records: [Answer.Record], later: Int, _ value: (Answer.Record) -> Double?
  ) throws -> [String: Double] {
    try records.reduce(into: [:]) { days, record in
      let day = try #require(CalendarDay(record.summaryDate)).advanced(by: later)
      days[day.description] = value(record)
    }
  }

  @Test func `of March 2021 gives what its records say`() throws {
    let sleep = try #require(try answer("sleep").sleep)
    let nights = try batch("sleep")
    let hours = try days(sleep, later: 1) { $0.total.map { $0 / 3600 } }
    let read = nights.values("sleep_hours")
    #expect(read.keys.sorted() == hours.keys.sorted())
    for (day, value) in read { #expect(abs(value - (hours[day] ?? .nan)) < 1e-12 * value) }
    #expect(try nights.values("hrv_rmssd") == days(sleep, later: 1) { $0.rmssd })
    #expect(try nights.values("resting_heart_rate") == days(sleep, later: 1) { $0.hrLowest })
    let readiness = try #require(try answer("readiness").readiness)
    #expect(
      try batch("readiness").values("readiness_score") == days(readiness, later: 1) { $0.score })
    let activity = try #require(try answer("activity").activity)
    let active = try batch("activity")
    #expect(try active.values("steps") == days(activity, later: 0) { $0.steps })
    #expect(try active.values("active_energy") == days(activity, later: 0) { $0.calActive })
  }

  @Test func `of March 2021 agrees with the table that was joined from it`() throws {
    let columns = [
      ("sleep", "sleep_hours", "sleep_h"), ("sleep", "hrv_rmssd", "hrv_rmssd_ms"),
      ("sleep", "resting_heart_rate", "sleeping_hr_lowest_bpm"),
      ("sleep", "respiratory_rate", "breath_rate_per_min"),
      ("readiness", "readiness_score", "readiness_score"), ("activity", "steps", "steps"),
      ("activity", "active_energy", "active_kcal"),
    ]
    let rows = try PlainTable(SharedData.path("series/person-a/daily.csv")).rows
    for (file, metric, column) in columns {
      let read = try batch(file).values(metric)
      #expect(read.count > 20)
      for row in rows {
        guard let value = read[row["date"] ?? ""] else { continue }
        // The table's hours are rounded to four places.
        #expect(abs(value - (Double(row[column] ?? "") ?? .nan)) <= 5.001e-5, "\(column)")
      }
    }
  }
}
