import HealthImport
import Testing

@Suite struct `Oura's documents of the second API` {
  @Test func `of a night and a nap add their sleep and take the night's heart`() throws {
    let batch = try importText(
      """
      {"data": [
        {"id": "a", "day": "2024-03-10", "type": "late_nap", "total_sleep_duration": 1800,
         "bedtime_start": "2024-03-10T15:00:00-08:00", "bedtime_end": "2024-03-10T15:40:00-07:00",
         "average_hrv": 90, "lowest_heart_rate": 61, "efficiency": 75},
        {"id": "b", "day": "2024-03-10", "type": "long_sleep", "total_sleep_duration": 25200,
         "deep_sleep_duration": 3600, "light_sleep_duration": 16200, "rem_sleep_duration": 5400,
         "bedtime_start": "2024-03-09T23:00:00-08:00", "bedtime_end": "2024-03-10T07:30:00-07:00",
         "average_hrv": 44, "lowest_heart_rate": 48, "average_breath": 13.5, "efficiency": 91,
         "heart_rate": {"interval": 300.0, "items": [52.0, null], "timestamp": "x"}},
        {"id": "c", "day": "2024-03-10", "type": "rest", "total_sleep_duration": 600,
         "bedtime_end": "2024-03-10T19:00:00-07:00"},
        {"id": "d", "day": "2024-03-11", "type": "deleted", "total_sleep_duration": 25200,
         "bedtime_end": "2024-03-11T07:00:00-07:00"}],
       "next_token": null}
      """)
    #expect(batch.format == "oura")
    #expect(batch.values("sleep_hours") == ["2024-03-10": 7.5])
    #expect(batch.values("sleep_deep_hours") == ["2024-03-10": 1])
    #expect(batch.values("hrv_rmssd") == ["2024-03-10": 44])
    #expect(batch.values("hrv").isEmpty)
    #expect(batch.values("resting_heart_rate") == ["2024-03-10": 48])
    #expect(batch.values("respiratory_rate") == ["2024-03-10": 13.5])
    #expect(batch.values("sleep_efficiency") == ["2024-03-10": 91])
    #expect(batch.summary.read == 4)
    #expect(batch.summary.used == 2)
    #expect(batch.summary.skipped.map(\.count) == [2])
  }

  @Test func `of the daily kinds carry their day and their scores`() throws {
    let daily = try importText(
      """
      {"data": [
        {"id": "1", "day": "2024-05-01", "score": 82, "timestamp": "2024-05-01T00:00:00+00:00",
         "contributors": {"deep_sleep": 57, "efficiency": 98, "latency": 81, "rem_sleep": 20,
                          "restfulness": 54, "timing": 84, "total_sleep": 60}},
        {"id": "2", "day": "2024-05-02", "score": null, "timestamp": "2024-05-02T00:00:00+00:00",
         "contributors": {"total_sleep": null}}], "next_token": null}
      """)
    #expect(daily.values("sleep_score") == ["2024-05-01": 82])
    #expect(daily.summary.rejected == 1)
    let readiness = try importText(
      """
      {"data": [{"id": "3", "day": "2024-05-01", "score": 66, "temperature_deviation": -0.2,
                 "temperature_trend_deviation": 0.1, "timestamp": "2024-05-01T00:00:00+00:00",
                 "contributors": {"activity_balance": 56, "recovery_index": 47}}]}
      """)
    #expect(readiness.values("readiness_score") == ["2024-05-01": 66])
    #expect(readiness.values("temperature_deviation") == ["2024-05-01": -0.2])
    let activity = try importText(
      """
      [{"id": "4", "day": "2024-05-01", "steps": 0, "active_calories": 310, "total_calories": 2400,
        "score": 0, "contributors": {"stay_active": 70}}]
      """)
    #expect(activity.values("steps") == ["2024-05-01": 0])
    #expect(activity.values("active_energy") == ["2024-05-01": 310])
    #expect(activity.values("total_energy") == ["2024-05-01": 2400])
    #expect(activity.values("activity_score").isEmpty)
    let oxygen = try importText(
      #"{"id": "5", "day": "2024-05-01", "spo2_percentage": {"average": 97.4}}"#)
    #expect(oxygen.values("oxygen_saturation") == ["2024-05-01": 97.4])
  }

  @Test func `IMP_7: with one document twice count it once`() throws {
    let night =
      #"{"id": "n", "day": "2024-05-01", "bedtime_end": "2024-05-01T07:00:00+02:00", "#
      + #""total_sleep_duration": 25200, "average_hrv": 40}"#
    let batch = try importText("{\"data\": [\(night), \(night)]}")
    #expect(batch.values("sleep_hours") == ["2024-05-01": 7])
    #expect(batch.values("hrv_rmssd") == ["2024-05-01": 40])
    #expect(batch.summary.duplicates == 1)
  }

  @Test func `of a kind that is not known are passed over, and refused where there is no other`()
    throws
  {
    let ring = #"{"id": "r", "day": "2024-05-01", "color": "silver"}"#
    let score = #"{"id": "s", "day": "2024-05-01", "score": 70, "contributors": {"rem_sleep": 1}}"#
    let batch = try importText("{\"data\": [\(ring), \(score)]}")
    #expect(batch.values("sleep_score") == ["2024-05-01": 70])
    #expect(batch.summary.skipped.map(\.count) == [1])
    let error = fault { try importText("{\"data\": [\(ring)]}") { $0.format = "oura" } }
    #expect(error?.description.contains("Oura") == true)
  }
}
