import DayLog
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
    let ring = #"{"id": "r", "day": "2024-05-01", "contributors": {"level": 2}}"#
    let score = #"{"id": "s", "day": "2024-05-01", "score": 70, "contributors": {"rem_sleep": 1}}"#
    let batch = try importText("{\"data\": [\(ring), \(score)]}")
    #expect(batch.values("sleep_score") == ["2024-05-01": 70])
    #expect(batch.summary.skipped.map(\.count) == [1])
    let error = fault { try importText("{\"data\": [\(ring)]}") }
    #expect(error?.description.contains("no document of Oura") == true)
  }
}

@Suite struct `Oura's tables` {
  @Test func `of an account export are documents, one a row`() throws {
    let sleep = try importText(
      """
      id;average_breath;average_hrv;bedtime_end;bedtime_start;day;deep_sleep_duration;efficiency;\
      heart_rate;light_sleep_duration;lowest_heart_rate;rem_sleep_duration;total_sleep_duration;type
      a1;14.2;65;2026-06-01T06:30:00.000+02:00;2026-05-31T23:15:00.000+02:00;2026-06-01;5400;92;\
      {"interval":300.0,"items":[60.0,null]};13800;48;6000;25200;long_sleep
      a2;;;2026-06-01T15:30:00.000+02:00;2026-06-01T15:00:00.000+02:00;2026-06-01;0;80;{};1800;;0;1800;late_nap
      a3;0;0;2026-06-02T01:00:00.000+02:00;2026-06-02T00:30:00.000+02:00;2026-06-02;0;0;{};0;0;0;900;deleted

      """)
    #expect(sleep.format == "oura")
    #expect(sleep.values("sleep_hours") == ["2026-06-01": 7.5])
    #expect(sleep.values("hrv_rmssd") == ["2026-06-01": 65])
    #expect(sleep.values("resting_heart_rate") == ["2026-06-01": 48])
    let score = try importText(
      """
      id;contributors;day;score;timestamp
      b1;{"deep_sleep": 95, "total_sleep": 65};2025-12-03;71;2025-12-03T00:00:00.000+00:00
      b2;"{""deep_sleep"": 95, ""total_sleep"": 65}";2025-12-04;72;2025-12-04T00:00:00.000+00:00

      """)
    #expect(score.values("sleep_score") == ["2025-12-03": 71, "2025-12-04": 72])
    let readiness = try importText(
      "id;contributors;day;score;temperature_deviation;timestamp\nc;{};2026-06-01;81;-0.2;x\n")
    #expect(readiness.values("readiness_score") == ["2026-06-01": 81])
    #expect(readiness.values("temperature_deviation") == ["2026-06-01": -0.2])
    let activity = try importText(
      """
      id;active_calories;day;equivalent_walking_distance;score;steps;total_calories
      d;520;2026-06-01;6200;88;8421;2450

      """)
    #expect(activity.values("steps") == ["2026-06-01": 8421])
    #expect(activity.values("active_energy") == ["2026-06-01": 520])
    let oxygen = try importText(
      """
      id;breathing_disturbance_index;day;spo2_percentage
      e;3;2026-06-01;97.4
      f;3;2026-06-02;{"average": 96.5}

      """)
    #expect(oxygen.values("oxygen_saturation") == ["2026-06-01": 97.4, "2026-06-02": 96.5])
  }

  @Test func `of trends have durations in seconds, in both generations of their headers`() throws {
    let first = try importText(
      """
      date,Sleep Score,Total Bedtime,Total Sleep Time,REM Sleep Time,Light Sleep Time,Deep Sleep Time,\
      Sleep Efficiency,Sleep Timing,Sleep Timing,Average Resting Heart Rate,Lowest Resting Heart Rate,\
      Average HRV,Temperature Deviation (°C),Respiratory Rate,Activity Burn,Total Burn,Steps,Readiness Score
      2020-06-26,82,30600,27000,5400,16200,5400,88,12,34,53.1,48,62,-0.2,13.5,420,2500,9000,77
      2020-06-27,0,,,,,,,,,,,,,,100,2000,0,0

      """)
    #expect(first.values("sleep_hours") == ["2020-06-26": 7.5])
    #expect(first.values("sleep_rem_hours") == ["2020-06-26": 1.5])
    #expect(first.values("hrv_rmssd") == ["2020-06-26": 62])
    #expect(first.values("resting_heart_rate") == ["2020-06-26": 48])
    #expect(first.values("respiratory_rate") == ["2020-06-26": 13.5])
    #expect(first.values("temperature_deviation") == ["2020-06-26": -0.2])
    #expect(first.values("sleep_score") == ["2020-06-26": 82])
    #expect(first.values("readiness_score") == ["2020-06-26": 77])
    #expect(first.values("steps") == ["2020-06-26": 9000, "2020-06-27": 0])
    #expect(first.values("active_energy") == ["2020-06-26": 420, "2020-06-27": 100])
    #expect(first.summary.skipped.map(\.name) == ["Sleep Timing"])

    let second = try importText(
      """
      date,Sleep Score,Total Sleep Duration,REM Sleep Duration,Average HRV,Lowest Resting Heart Rate
      2026-01-01,80,25200,5400,78,42
      2026-01-02,82,None,None,None,None

      """)
    #expect(second.values("sleep_hours") == ["2026-01-01": 7])
    #expect(second.values("hrv_rmssd") == ["2026-01-01": 78])
    #expect(second.values("sleep_score") == ["2026-01-01": 80, "2026-01-02": 82])
    #expect(second.entries.first?.key.source.name == "oura")
  }

  @Test func `IMP_26: with any other header twice are refused`() {
    let error = fault {
      try importText(
        "date,Sleep Score,Lowest Resting Heart Rate,Steps,Steps\n2026-01-01,80,42,1,2\n")
    }
    #expect(error?.reason == .repeatedColumn("Steps"))
  }
}
