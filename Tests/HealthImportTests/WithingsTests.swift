import DayLog
import FoundationEssentials
import HealthImport
import TestSupport
import Testing
import Time

@Suite struct `Withings' JSON` {
  @Test func `of activity keeps the larger total of a day and 0 steps`() throws {
    let batch = try importText(
      """
      {"status": 0, "body": {"activities": [
        {"date": "2015-06-20", "steps": 5458, "calories": 241, "totalcalories": 2300.5,
         "moderate": 1140, "intense": 60, "soft": 1980},
        {"date": "2015-06-18", "steps": 0, "calories": 0},
        {"date": "2015-06-20", "steps": 5000, "calories": 200},
        {"date": "20.6.2015", "steps": 1}], "more": false, "offset": 0}}
      """)
    #expect(batch.format == "withings")
    #expect(batch.values("steps") == ["2015-06-18": 0, "2015-06-20": 5458])
    #expect(batch.values("exercise_minutes") == ["2015-06-20": 20])
    #expect(batch.values("total_energy") == ["2015-06-20": 2300.5])
    #expect(batch.summary.rejections.map(\.reason) == ["no readable date"])
  }

  @Test func `IMP_10: of a night belongs to the day it ends on in the zone it names`() throws {
    // Ends 2023-10-31 23:30 UTC: half past midnight of 1 November in Central Europe.
    let text = """
      {"status": 0, "body": {"series": [
        {"id": 1, "timezone": "Europe/Paris", "startdate": 1698778800, "enddate": 1698795000,
         "date": "2023-10-31", "data": {"lightsleepduration": 7200, "deepsleepduration": 3600,
         "remsleepduration": 1800, "wakeupduration": 600, "rr_average": 14, "sleep_score": 0,
         "sleep_efficiency": 0.9}}]}}
      """
    let named = try importText(text) { $0.zoneNamed = { _ in Zone.centralEurope } }
    #expect(named.values("sleep_hours") == ["2023-11-01": 3.5])
    #expect(named.values("sleep_rem_hours") == ["2023-11-01": 0.5])
    #expect(named.values("respiratory_rate") == ["2023-11-01": 14])
    #expect(named.values("sleep_efficiency") == ["2023-11-01": 90])
    #expect(named.values("sleep_score").isEmpty)
    // Without the zone the record's own day stands.
    #expect(try importText(text).values("sleep_hours") == ["2023-10-31": 3.5])
  }

  @Test func `of a scale counts measurements, not goals`() throws {
    let text = """
      {"status": 0, "body": {"updatetime": 1700000000, "timezone": "Europe/Paris", "measuregrps": [
        {"grpid": 1, "category": 1, "date": 1698795000, "measures": [
          {"value": 79300, "type": 1, "unit": -3}, {"value": 215, "type": 6, "unit": -1},
          {"value": 5, "type": 999, "unit": 0}]},
        {"grpid": 1, "category": 1, "date": 1698795000, "measures": [
          {"value": 79300, "type": 1, "unit": -3}]},
        {"grpid": 2, "category": 2, "date": 1698795000, "measures": [
          {"value": 70, "type": 1, "unit": 0}]},
        {"grpid": 3, "category": 1, "date": 1698820000, "measures": [
          {"value": 79, "type": 1, "unit": 0}, {"value": 1, "type": 1, "unit": 4000}]}]}}
      """
    let batch = try importText(text) { $0.zoneNamed = { _ in Zone.centralEurope } }
    // A day's body mass is the latest.
    #expect(batch.values("body_mass") == ["2023-11-01": 79])
    #expect(batch.values("body_fat_percentage") == ["2023-11-01": 21.5])
    #expect(batch.summary.duplicates == 1)
    #expect(batch.summary.remarks.isEmpty)
    // At 00:30 the day before has not ended for a person whose day starts at four.
    let late = try importText(text) {
      $0.zoneNamed = { _ in Zone.centralEurope }
      $0.dayStart = 14_400
    }
    #expect(late.values("body_mass") == ["2023-10-31": 79.3, "2023-11-01": 79])
    #expect(fault { try importText(text) }?.reason == .noZone)
  }

  @Test func `without a list that is known is refused`() {
    let error = fault { try importText(#"{"status": 0, "body": {"series": {}}}"#) }
    #expect(error?.description.contains("measuregrps") == true)
  }
}

/// The same answers, read in the plainest way.
private struct Answer: Decodable {
  struct Body: Decodable {
    let activities: [Activity]?
    let series: [Night]?
  }
  struct Activity: Decodable {
    let date: String
    let steps: Double
    let calories: Double
  }
  struct Night: Decodable {
    struct Stages: Decodable {
      let lightsleepduration: Double
      let deepsleepduration: Double
    }
    let date: String
    let data: Stages
  }
  let body: Body
}

@Suite(.enabled(if: SharedData.isPresent, .init(rawValue: SharedData.whyAbsent)))
struct `Withings' genuine JSON` {
  private func read(_ name: String) throws -> (Answer.Body, ImportBatch) {
    let path = SharedData.path("exports/withings-api/withings-\(name).json")
    let answer = try JSONDecoder().decode(
      Answer.self, from: Data(contentsOf: URL(filePath: path)))
    // Both nights end in British summer time, an hour behind Central European.
    return (
      answer.body,
      try importFile(path) { $0.zoneNamed = { _ in Zone(name: "BST", utcOffset: 3600) } }
    )
  }

  @Test func `gives the activity and the sleep of its days`() throws {
    let (activity, active) = try read("activity-measures")
    let days = try #require(activity.activities)
    #expect(
      active.values("steps") == Dictionary(uniqueKeysWithValues: days.map { ($0.date, $0.steps) }))
    #expect(
      active.values("active_energy")
        == Dictionary(uniqueKeysWithValues: days.map { ($0.date, $0.calories) }))
    let (sleep, slept) = try read("sleep-summary")
    let nights = try #require(sleep.series)
    #expect(
      slept.values("sleep_hours")
        == Dictionary(
          uniqueKeysWithValues: nights.map {
            ($0.date, ($0.data.lightsleepduration + $0.data.deepsleepduration) / 3600)
          }))
  }

}
