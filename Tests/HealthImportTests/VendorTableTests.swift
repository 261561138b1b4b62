import DayLog
import HealthImport
import Testing
import Time

/// Made-up files of the structure that each vendor's export has.
@Suite struct `Vendors' tables` {
  private func near(_ value: Double?, _ expected: Double) -> Bool {
    value.map { abs($0 - expected) < 1e-9 } ?? false
  }

  @Test func `of Fitbit's older account export give scores, variability and oxygen`() throws {
    let score = try importText(
      """
      sleep_log_entry_id,timestamp,overall_score,deep_sleep_in_minutes,resting_heart_rate,restlessness
      51,2024-02-01T06:30:00Z,82,70,58,0.05
      """
    ) { $0.zone = Zone.centralEurope }
    #expect(score.format == "fitbit")
    #expect(score.values("sleep_score") == ["2024-02-01": 82])
    #expect(score.summary.skipped.contains { $0.name == "sleep_log_entry_id" })
    let hrv = try importText(
      "timestamp,rmssd,nremhr,entropy\n2024-02-01T00:00:00,31.5,55.2,2.1\n")
    #expect(hrv.values("hrv_rmssd") == ["2024-02-01": 31.5])
    let zones = try importText(
      """
      date_time,heart_zone_id,total_minutes
      2024-02-01T10:00,FAT_BURN,1
      2024-02-01T10:01,CARDIO,2
      """)
    #expect(zones.values("active_zone_minutes") == ["2024-02-01": 3])
  }

  @Test func `of Fitbit's newer account export count devices that overlap once`() throws {
    let batch = try importText(
      """
      timestamp,steps,data source
      2024-02-01T10:00:00Z,50,Watch
      2024-02-01T10:01:00Z,60,Watch
      2024-02-01T10:01:00Z,55,Phone
      2024-02-01T23:30:00Z,7,Watch
      """
    ) { $0.zone = Zone.centralEurope }
    #expect(batch.format == "fitbit")
    #expect(batch.values("steps") == ["2024-02-01": 110, "2024-02-02": 7])
  }

  @Test func `of Fitbit's lists are told apart by their names`() throws {
    let steps = try importText(
      #"[{"dateTime": "02/01/24 10:00:00", "value": "12"}, {"dateTime": "02/01/24 23:30:00", "value": "5"}]"#,
      name: "steps-2024-02-01.json"
    ) { $0.zone = Zone.centralEurope }
    #expect(steps.values("steps") == ["2024-02-01": 12, "2024-02-02": 5])
    let rate = try importText(
      #"[{"dateTime": "02/01/24 10:00:00", "value": {"bpm": 60, "confidence": 2}}, {"dateTime": "02/01/24 10:00:05", "value": {"bpm": 70, "confidence": 2}}]"#,
      name: "heart_rate-2024-02-01.json"
    ) { $0.zone = Zone.centralEurope }
    #expect(rate.values("heart_rate") == ["2024-02-01": 65])
    let resting = try importText(
      #"[{"dateTime": "02/01/24 00:00:00", "value": {"date": "02/01/24", "value": 58.5, "error": 6}}, {"dateTime": "02/02/24 00:00:00", "value": {"date": null, "value": 0.0, "error": 0}}]"#,
      name: "resting_heart_rate-2024-01-01.json")
    #expect(resting.values("resting_heart_rate") == ["2024-02-01": 58.5])
  }

  @Test func `of Samsung Health are read behind their first line, by the offset beside a time`()
    throws
  {
    let steps = try importText(
      """
      com.samsung.shealth.tracker.pedometer_day_summary,6210008,5
      create_sh_ver,step_count,walk_step_count,distance,calorie,day_time
      1,8123,8000,5500.5,310.2,1704067200000,
      """, name: "com.samsung.shealth.tracker.pedometer_day_summary.2024.csv")
    #expect(steps.format == "samsung-health")
    #expect(steps.values("steps") == ["2024-01-01": 8123])
    let sleep = try importText(
      """
      com.samsung.shealth.sleep,6210008,2
      sleep_duration,efficiency,com.samsung.health.sleep.start_time,com.samsung.health.sleep.end_time,com.samsung.health.sleep.time_offset,com.samsung.health.sleep.datauuid
      430,92,2024-01-01 22:30:00.000,2024-01-02 05:50:00.000,UTC+0100,ab-c,
      """)
    #expect(near(sleep.value("sleep_hours", "2024-01-02"), 430.0 / 60))
    let rate = try importText(
      """
      com.samsung.shealth.tracker.heart_rate,6210008,2
      com.samsung.health.heart_rate.start_time,com.samsung.health.heart_rate.time_offset,com.samsung.health.heart_rate.heart_rate,com.samsung.health.heart_rate.datauuid
      2024-01-01 23:30:00.000,UTC+0100,61.0,a,
      2024-01-02 09:30:00.000,UTC+0100,63.0,b,
      """)
    #expect(rate.values("heart_rate") == ["2024-01-02": 62])
  }

  @Test func `of Samsung Health count minutes of steps, and name a table that is not read`() throws
  {
    let steps = try importText(
      """
      com.samsung.shealth.tracker.pedometer_step_count,6210008,5
      com.samsung.health.step_count.start_time,com.samsung.health.step_count.end_time,com.samsung.health.step_count.time_offset,com.samsung.health.step_count.count,com.samsung.health.step_count.datauuid
      2024-01-01 10:00:00.000,2024-01-01 10:01:00.000,UTC+0100,55,a,
      2024-01-01 10:01:00.000,2024-01-01 10:02:00.000,UTC+0100,60,b,
      """)
    #expect(steps.values("steps") == ["2024-01-01": 115])
    let other = fault {
      try importText("com.samsung.health.badge,6210008,2\nstart_time,amount\n2024-01-01,3,\n")
    }
    #expect(other?.description.contains("samsung-health") == true)
  }

  @Test func `of WHOOP give nights, recovery and the journal to the day of waking`() throws {
    let cycles = try importText(
      """
      Cycle start time,Cycle end time,Cycle timezone,Recovery score %,Resting heart rate (bpm),Heart rate variability (ms),Skin temp (celsius),Blood oxygen %,Day Strain,Energy burned (cal),Sleep onset,Wake onset,Sleep performance %,Respiratory rate (rpm),Asleep duration (min),Deep (SWS) duration (min),Sleep efficiency %
      2024-01-01 23:10:00,2024-01-02 23:00:00,UTC+01:00,66,52,64,33.9,96.1,12.4,2310,2024-01-01 23:10:00,2024-01-02 07:00:00,88,15.1,440,95,93
      """)
    #expect(cycles.format == "whoop")
    #expect(cycles.values("recovery_score") == ["2024-01-02": 66])
    #expect(cycles.values("hrv_rmssd") == ["2024-01-02": 64])
    #expect(near(cycles.value("sleep_hours", "2024-01-02"), 440.0 / 60))
    let journal = try importText(
      """
      Cycle start time,Cycle end time,Cycle timezone,Question text,Answered yes,Notes
      2024-01-01 23:10:00,2024-01-02 23:00:00,UTC+01:00,Drank any alcohol?,true,
      2024-01-02 23:10:00,2024-01-03 22:00:00,UTC+01:00,Drank any alcohol?,false,
      """)
    #expect(
      journal.values("journal.drank_any_alcohol") == ["2024-01-02": 1, "2024-01-03": 0])
  }

  @Test func `of glucose sensors have a mean and a share in range, in either unit`() throws {
    let dexcom = try importText(
      """
      Index,Timestamp (YYYY-MM-DDThh:mm:ss),Event Type,Event Subtype,Glucose Value (mg/dL)
      1,,FirstName,,
      2,2024-02-01T10:00:00,EGV,,100
      3,2024-02-01T10:05:00,EGV,,200
      4,2024-02-01T11:00:00,Calibration,,150
      """)
    #expect(dexcom.format == "dexcom-clarity")
    #expect(dexcom.values("blood_glucose") == ["2024-02-01": 150])
    #expect(dexcom.values("time_in_range") == ["2024-02-01": 50])
    let libre = try importText(
      """
      Glucose Data,Generated on,03-03-2024 10:00 UTC,Generated by,Person
      Device,Serial Number,Device Timestamp,Record Type,Historic Glucose mmol/L,Scan Glucose mmol/L
      Libre,1,15-02-2024 08:11,0,5.0,
      Libre,1,15-02-2024 08:20,1,,9.0
      """)
    #expect(libre.format == "libreview")
    #expect(near(libre.value("blood_glucose", "2024-02-15"), 5 * 18.0156))
  }

  @Test func `of sleep apps belong to the day of waking`() throws {
    let cycle = try importText(
      """
      Start;End;Sleep Quality;Regularity;Heart rate (bpm);Time in bed (seconds);Time asleep (seconds)
      2024-01-01 23:10:00;2024-01-02 07:10:00;82%;90%;58;28800;27000
      """)
    #expect(cycle.format == "sleep-cycle")
    #expect(cycle.values("sleep_hours") == ["2024-01-02": 7.5])
    #expect(cycle.values("sleep_quality") == ["2024-01-02": 82])
    let auto = try importText(
      """
      ISO8601,fromDate,toDate,bedtime,waketime,inBed,awake,asleep,efficiency,deep,hrv
      2024-01-02T23:59:59+01:00,"Monday, Jan 1, 2024","Tuesday, Jan 2, 2024",2024-01-01 23:00:00,2024-01-02 07:00:00,08:00:00,00:30:00,07:30:00,93.7,01:30:00,55
      """)
    #expect(auto.format == "autosleep")
    #expect(auto.values("sleep_hours") == ["2024-01-02": 7.5])
    #expect(auto.values("hrv") == ["2024-01-02": 55])
  }

  @Test func `of Withings, MyFitnessPal and Bearable are read`() throws {
    let pressure = try importText(
      "Date,\"Heart rate\",Systolic,Diastolic,Comments\n2024-01-02 08:00:00,60,120,80,\n")
    #expect(pressure.format == "withings")
    #expect(pressure.values("blood_pressure_systolic") == ["2024-01-02": 120])
    #expect(pressure.values("heart_rate") == ["2024-01-02": 60])
    let meals = try importText(
      """
      Date,Meal,Calories,Fat (g),Protein (g),Note
      2024-01-02,Breakfast,400.5,10,20,
      2024-01-02,Dinner,600,20,30,
      """)
    #expect(meals.values("dietary_energy") == ["2024-01-02": 1000.5])
    #expect(meals.values("protein_g") == ["2024-01-02": 50])
    let bearable = try importText(
      """
      date formatted,weekday,time of day,category,rating/amount,detail,notes
      2nd Jan 2024,Tuesday,am,Mood,7,,
      2nd Jan 2024,Tuesday,pm,Mood,5,,
      2nd Jan 2024,Tuesday,pm,Symptom,3,Headache (Severe),
      """)
    #expect(bearable.format == "bearable")
    #expect(bearable.values("mood") == ["2024-01-02": 6])
    #expect(bearable.values("symptom.headache") == ["2024-01-02": 3])
  }

  @Test func `of Loop have habits by the header or by the folder`() throws {
    let all = try importText(
      "Date,Meditate,Read pages,\n2024-01-02,2,12000,\n2024-01-01,0,3000,\n2023-12-31,-1,3000,\n",
      name: "Checkmarks.csv")
    #expect(all.format == "loop")
    #expect(all.values("meditate") == ["2024-01-02": 1, "2024-01-01": 0])
    #expect(all.values("read_pages") == ["2024-01-02": 12, "2024-01-01": 3, "2023-12-31": 3])
    let zip = StoredZip([("001 Meditate/Checkmarks.csv", "2024-01-02,2\n2024-01-01,0\n")])
    // Strengths that the app works out are not the habit.
    let strengths = fault {
      try importText("2024-01-02,0.05\n2024-01-01,0.04\n", name: "Scores.csv")
    }
    #expect(strengths?.description.contains("Checkmarks.csv") == true)
    let own = try zip.withFile { try importFile($0) }
    #expect(own.values("meditate") == ["2024-01-02": 1, "2024-01-01": 0])
  }
}

@Suite struct `Vendors' JSON` {
  @Test func `of Health Auto Export is read by name and unit`() throws {
    let batch = try importText(
      """
      {"data": {"metrics": [
        {"name": "step_count", "units": "count", "data": [
          {"date": "2024-02-06 00:00:00 -0800", "qty": 8000, "source": "Watch"},
          {"date": "2024-02-07 00:00:00 -0800", "qty": 9000}]},
        {"name": "weight_body_mass", "units": "lb", "data": [
          {"date": "2024-02-06 07:30:00 -0800", "qty": 176}]},
        {"name": "heart_rate", "units": "bpm", "data": [
          {"date": "2024-02-06 00:00:00 -0800", "Min": 50, "Avg": 64.5, "Max": 120}]},
        {"name": "sleep_analysis", "units": "hr", "data": [
          {"date": "2024-02-07 00:00:00 -0800", "totalSleep": 7.25, "deep": 1, "rem": 1.5,
           "sleepStart": "2024-02-06 23:00:00 -0800", "sleepEnd": "2024-02-07 06:45:00 -0800"}]}
      ]}}
      """)
    #expect(batch.format == "health-auto-export")
    #expect(batch.values("steps") == ["2024-02-06": 8000, "2024-02-07": 9000])
    #expect(batch.values("heart_rate") == ["2024-02-06": 64.5])
    #expect(abs((batch.value("body_mass", "2024-02-06") ?? 0) - 176 * 0.453_592_37) < 1e-9)
    #expect(batch.values("sleep_hours") == ["2024-02-07": 7.25])
  }

  @Test func `of a Daylio backup has moods by their group`() throws {
    let document = """
      {"version": 15, "customMoods": [{"id": 1, "custom_name": "", "mood_group_id": 1}, {"id": 9, "custom_name": "blursed", "mood_group_id": 4}], \
      "tags": [{"id": 3, "name": "Run"}], "dayEntries": [\
      {"id": 1, "minute": 30, "hour": 21, "day": 2, "month": 0, "year": 2024, "mood": 1, "tags": [3]},\
      {"id": 2, "minute": 0, "hour": 9, "day": 2, "month": 0, "year": 2024, "mood": 9, "tags": []}]}
      """
    let batch = try importText(document, name: "backup.json")
    #expect(batch.values("mood") == ["2024-01-02": 3.5])
    #expect(batch.values("activity.run") == ["2024-01-02": 1])
    let packed = StoredZip([("backup.daylio", base64(document))])
    #expect(try packed.withFile { try importFile($0) }.values("mood") == ["2024-01-02": 3.5])
  }

  private func base64(_ text: String) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    let bytes = Array(text.utf8)
    var result = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
      for index in 0..<4 {
        result.append(
          index <= group.count ? letters[Int(bits >> (18 - 6 * UInt32(index)) & 63)] : "=")
      }
    }
    return result
  }

  @Test func `of Google Fit's heart rate and sleep is read`() throws {
    func set(_ name: String, _ points: String) -> String {
      #"{"minStartTimeNs": "1", "maxEndTimeNs": "2", "dataSourceId": "\#(name)", "point": [\#(points)]}"#
    }
    // 2024-01-01 22:30 to 23:30 UTC, then to 05:30: one night over midnight.
    let sleep = try importText(
      set(
        "derived:com.google.sleep.segment:com.google.android.gms:merged",
        """
        {"startTimeNanos": "1704148200000000000", "endTimeNanos": "1704151800000000000", "value": [{"intVal": 4}]},
        {"startTimeNanos": "1704151800000000000", "endTimeNanos": "1704153600000000000", "value": [{"intVal": 1}]},
        {"startTimeNanos": "1704153600000000000", "endTimeNanos": "1704173400000000000", "value": [{"intVal": 5}]}
        """)
    ) { $0.zone = Zone.utc }
    #expect(sleep.values("sleep_hours") == ["2024-01-02": 6.5])
    #expect(sleep.values("sleep_deep_hours") == ["2024-01-02": 5.5])
    let rate = try importText(
      set(
        "derived:com.google.heart_rate.bpm:com.google.android.gms:merge_heart_rate_bpm",
        #"{"startTimeNanos": "1704148200000000000", "endTimeNanos": "1704148200000000000", "value": [{"fpVal": 61}]}"#
      )
    ) { $0.zone = Zone.utc }
    #expect(rate.values("heart_rate") == ["2024-01-01": 61])
  }

  @Test func `of Exist and Polar is read`() throws {
    let exist = try importText(
      #"[{"date": "2024-01-02", "value": 8123}, {"date": "2024-01-03", "value": null}]"#,
      name: "steps_2024.json")
    #expect(exist.format == "exist")
    #expect(exist.values("steps") == ["2024-01-02": 8123])
    let polar = try importText(
      #"{"date": "2024-01-02", "summary": {"stepCount": 9000, "calories": 2300, "startTime": "00:00"}}"#
    )
    #expect(polar.format == "polar")
    #expect(polar.values("steps") == ["2024-01-02": 9000])
  }
}
