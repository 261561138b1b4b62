import DayLog
import FoundationEssentials
import HealthImport
import TestSupport
import Testing
import Time

@Suite struct `A Daylio diary` {
  private let header = "full_date,date,weekday,time,mood,activities,note_title,note\n"

  @Test func `gives the mean mood of a day, and each activity as a 0 or 1`() throws {
    let batch = try importText(
      header + """
        2024-05-02,2 May,Thursday,9:10 am,rad ,"run | movies / tv ","",""
        2024-05-01,1 May,Wednesday,10:00 pm,good,run,"","a, ""quoted""
        note"
        2024-05-01,1 May,Wednesday,12:30 PM,awful,"","",""

        """)
    #expect(batch.format == "daylio")
    #expect(batch.values("mood") == ["2024-05-01": 2.5, "2024-05-02": 5])
    #expect(batch.values("activity.run") == ["2024-05-01": 1, "2024-05-02": 1])
    #expect(batch.values("activity.movies_tv") == ["2024-05-01": 0, "2024-05-02": 1])
    #expect(batch.summary.used == 3)
    #expect(Set(batch.entries.map(\.key.source)) == [Source(.imported, "daylio")])
  }

  @Test func `takes the person's number for a word, and counts a word that has none by its line`()
    throws
  {
    let text = header + "2024-05-01,1 May,Wednesday,22:00,Blursed,\"\",\"\",\"\"\n"
    let unknown = try importText(text + "2024-05-02,2 May,Thursday,22:00,good,\"\",\"\",\"\"\n")
    #expect(unknown.values("mood") == ["2024-05-02": 4])
    #expect(unknown.summary.rejections.first?.first == [.line(2)])
    #expect(unknown.summary.rejections.first?.reason.contains("--map") == true)
    #expect(
      try importText(text) { $0.metrics = ["blursed": "2.5"] }.values("mood") == ["2024-05-01": 2.5]
    )
    // Where it is the only entry, nothing was read.
    #expect(fault { try importText(text) }?.description.contains("--map WORD=NUMBER") == true)
    let error = fault { try importText(text) { $0.metrics = ["blursed": "low"] } }
    #expect(error?.description.contains("WORD=NUMBER") == true)
  }

  @Test func `puts an entry after midnight on the day before where the day starts later`() throws {
    // Newer phones write a narrow space before AM and PM.
    let text = header + "2024-05-02,2 May,Thursday,1:30\u{202F}AM,bad,\"\",\"\",\"\"\n"
    #expect(try importText(text).values("mood") == ["2024-05-02": 2])
    #expect(try importText(text) { $0.dayStart = 14_400 }.values("mood") == ["2024-05-01": 2])
  }

  @Test func `IMP_25: with a date that the calendar has not names its line`() throws {
    let batch = try importText(
      "\u{FEFF}" + header + "2023-02-29,29 February,Wednesday,10:00 pm,good,,,\n"
        + "2023-03-01,1 March,Wednesday,10:00 pm,good,,,\n")
    #expect(batch.values("mood") == ["2023-03-01": 4])
    #expect(batch.summary.rejections.first?.first == [.line(2)])
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
}

@Suite struct `A Sleep as Android export` {
  private func record(
    _ id: Int, from start: String = "1. 5. 2024 23:00", to end: String, hours: String,
    rating: String = "0.0", adjust: String = "0"
  ) -> String {
    """
    Id,Tz,From,To,Sched,Hours,Rating,Comment,Framerate,Snore,Noise,Cycles,DeepSleep,LenAdjust,Geo,"7:00"
    "\(id)","Europe/London","\(start)","\(end)","2. 5. 2024 7:00","\(hours)","\(rating)","a ""b"" #c",\
    "10007","-1","-1.0","-1","-1.0","\(adjust)","","0.0"

    """
  }

  @Test func `IMP_11: adds up the records that end on a day, less the minutes awake`() throws {
    let batch = try importText(
      record(1, to: "02. 05. 2024 7:00", hours: "8.000", rating: "3.0", adjust: "-30")
        + record(2, from: "2. 5. 2024 14:00", to: "2. 5. 2024 15:00", hours: "1.000", rating: "4.0")
        + record(
          3, from: "2. 5. 2024 23:30", to: "03. 05. 2024 7:00", hours: "7.000", adjust: "-1.0"))
    #expect(batch.format == "sleep-as-android")
    #expect(batch.values("sleep_hours") == ["2024-05-02": 8.5, "2024-05-03": 7])
    #expect(batch.values("sleep_quality") == ["2024-05-02": 3.5])
    #expect(batch.summary.used == 3)
  }

  @Test func `IMP_7: with one record twice counts it once`() throws {
    let night = record(1, to: "2. 5. 2024 7:00", hours: "8.000")
    let batch = try importText(night + night)
    #expect(batch.values("sleep_hours") == ["2024-05-02": 8])
    #expect(batch.summary.duplicates == 1)
  }

  @Test
  func `IMP_25: with an unreadable date counts the record, and is refused where it has no other`()
    throws
  {
    let bad = record(1, to: "30. 2. 2024 7:00", hours: "8.000")
    let batch = try importText(
      bad + record(2, to: "2. 5. 2024 7:00", hours: "eight")
        + record(3, to: "2. 5. 2024 7:00", hours: "6"))
    #expect(batch.values("sleep_hours") == ["2024-05-02": 6])
    #expect(batch.summary.rejections.map(\.first) == [[.line(2)], [.line(4)]])
    #expect(fault { try importText(bad) }?.reason == .noReadableDate(rows: 1))
  }
}

@Suite struct `A Plees Tracker export` {
  @Test func `adds up the sleeps that end on a day of the zone, and takes ratings that were given`()
    throws
  {
    let text = """
      sid,start,stop,rating,comment
      1,1698778800000,1698795000000,0,
      2,1698822000000,1698825600000,4,nap
      2,1698822000000,1698825600000,4,nap
      3,1698825600000,1698822000000,4,
      4,x,1698825600000,4,

      """
    let batch = try importText(text) { $0.zone = Zone.centralEurope }
    #expect(batch.format == "plees-tracker")
    #expect(batch.values("sleep_hours") == ["2023-11-01": 5.5])
    #expect(batch.values("sleep_quality") == ["2023-11-01": 4])
    #expect(batch.summary.duplicates == 1)
    #expect(batch.summary.rejections.map(\.reason) == ["end before start", "no readable date"])
    let there = try importText(text) { $0.localZone = Zone.utc }
    #expect(there.values("sleep_hours") == ["2023-10-31": 4.5, "2023-11-01": 1])
    #expect(there.summary.remarks.contains { $0.contains("--zone") })
    #expect(fault { try importText(text) }?.reason == .noZone)
  }
}

@Suite(.enabled(if: SharedData.isPresent, .init(rawValue: SharedData.whyAbsent)))
struct `Diaries of real people` {
  private func expectNear(_ left: [String: Double], _ right: [String: Double]) {
    #expect(left.keys.sorted() == right.keys.sorted())
    for (day, value) in left { #expect(abs(value - (right[day] ?? .nan)) <= 1e-12 * max(1, value)) }
  }

  @Test func `of Daylio give their moods and activities`() throws {
    let path = SharedData.path("exports/daylio/sample.csv")
    let batch = try importFile(path)
    let numbers = ["average": 3.0, "sad": 2.0]
    var moods: [String: Double] = [:]
    var activities: Set<String> = []
    // No cell before the activities holds a comma.
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst()
    {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      let word = cells[4].split(separator: " ").first.map(String.init) ?? ""
      moods[String(cells[0])] = numbers[word]
      let quoted = line.split(separator: "\"", omittingEmptySubsequences: false)[1]
      activities.formUnion(quoted.split(separator: "|").map { $0.filter { $0 != " " } })
    }
    expectNear(batch.values("mood"), moods)
    let found = Set(batch.entries.map(\.key.metric.name).filter { $0.hasPrefix("activity.") })
    #expect(found.count == activities.count)
  }

  @Test func `of Sleep as Android give the hours of each day`() throws {
    let path = SharedData.path("exports/sleep-as-android/sleep-export.csv")
    var hours: [String: Double] = [:]
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    where line.hasPrefix("\"") {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map {
        $0.filter { $0 != "\"" }
      }
      let date = cells[3].split(separator: " ").prefix(3).map { $0.filter { $0 != "." } }
      let day = "\(date[2])-\(date[1])-\(date[0])"
      hours[day, default: 0] += try #require(Double(cells[5]))
    }
    // Two records of one day overlap by minutes, which count once.
    let read = try importFile(path).values("sleep_hours")
    #expect(read.keys.sorted() == hours.keys.sorted())
    for (day, value) in read {
      let sum = try #require(hours[day])
      #expect(value <= sum + 1e-12 && value > sum - 0.02)
    }
  }

  @Test func `of Plees Tracker give the hours of each day`() throws {
    let path = SharedData.path("exports/plees-tracker/plees-tracker.csv")
    let rows = try PlainTable(path).rows
    let spans = try rows.map { row in
      (try #require(Int64(row["start"] ?? "")), try #require(Int64(row["stop"] ?? "")))
    }
    let hours = spans.reduce(into: [String: Double]()) { days, span in
      let day = Instant(milliseconds: span.1).day(utcOffset: 0).description
      days[day, default: 0] += Double(span.1 - span.0) / 3_600_000
    }
    expectNear(try importFile(path) { $0.zone = Zone.utc }.values("sleep_hours"), hours)
  }
}
