import HealthImport
import TestSupport
import Testing

@Suite struct `An export that is not read` {
  @Test func `is refused by name, with what would be needed, and is no known format`() {
    let samples = [
      ("Garmin", #"[{"userProfileId": 1, "totalSteps": 5, "calendarDate": "2024-01-01"}]"#),
      ("Withings", #"{"status": 0, "body": {"series": []}}"#),
      ("Google Fit", #"{"minStartTimeNs": "1", "dataSourceId": "derived", "point": []}"#),
      ("Daylio", "\u{FEFF}full_date,date,weekday,time,mood,activities,note\n"),
      ("Sleep as Android", "Id,Tz,From,To,Sched,Hours,Rating,Comment,\"12:14\"\n"),
      ("Plees", "sid,start,stop,rating\r\n1,2,3,4\r\n"),
    ]
    for (name, text) in samples {
      let error = fault { try importText(text) }
      guard case .unsupported(let what, let needed) = error?.reason else {
        Issue.record("\(name) is refused by name")
        continue
      }
      #expect(what.contains(name))
      #expect(needed.contains("CSV table of date"))
      #expect(!Importer.formats.contains(what))
      #expect(error?.description.contains("cannot be imported") == true)
    }
    #expect(Importer.formats == ["apple-health", "fitbit", "oura", "csv"])
  }

  @Test func `is read as a table where the person asks for it`() throws {
    let batch = try importText(
      "full_date,date,weekday,time,mood\n2024-01-02,2 January,Tuesday,10:00 pm,4\n"
    ) {
      $0.format = "csv"
      $0.dateColumn = "full_date"
    }
    #expect(batch.value("mood", "2024-01-02") == 4)
  }

  @Test(.enabled(if: SharedData.isPresent, .init(rawValue: SharedData.whyAbsent)))
  func `is known in every genuine file`() {
    let files = [
      ("Garmin", "garmin-connect/daily-summary.json"), ("Garmin", "garmin-connect/hrv.json"),
      ("Garmin", "garmin-connect/sleep.json"),
      ("Garmin", "garmin-connect/training-readiness.json"),
      ("Withings", "withings-api/withings-activity-measures.json"),
      ("Withings", "withings-api/withings-sleep-summary.json"),
      ("Google Fit", "google-fit/googlefit-merge-step-deltas.json"),
      ("Google Fit", "google-fit/googlefit-merge-weight.json"),
      ("Daylio", "daylio/sample.csv"), ("Sleep as Android", "sleep-as-android/sleep-export.csv"),
      ("Plees", "plees-tracker/plees-tracker.csv"),
    ]
    for (name, file) in files {
      guard
        case .unsupported(let what, _) = fault({
          try importFile(SharedData.path("exports/" + file))
        })?.reason
      else {
        Issue.record("\(file) is refused by name")
        continue
      }
      #expect(what.contains(name), "\(file)")
    }
  }
}
