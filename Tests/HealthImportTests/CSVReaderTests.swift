import DayLog
import HealthImport
import TestSupport
import Testing
import Time

@Suite struct `A table` {
  @Test(arguments: ["\n", "\r\n", "\r"])
  func `IMP_23: is read with any line end`(end: String) throws {
    let text = ["date,mood,note", "2024-01-01,3,\"a\(end)b\"", "2024-01-02,4,c", ""].joined(
      separator: end)
    let batch = try importText(text)
    #expect(batch.values("mood") == ["2024-01-01": 3, "2024-01-02": 4])
    #expect(batch.summary.skipped.map(\.name) == ["note"])
    let wrong = fault { try importText(text + "2024-02-30,5,d") }
    #expect(wrong == nil)
  }

  @Test(arguments: [",", ";", "\t"])
  func `is read with any of three separators`(separator: String) throws {
    let batch = try importText(
      "date,mood,energy\n2024-01-01,3,\n2024-01-02,,4.5\n".replacing(",", with: separator))
    #expect(batch.values("mood") == ["2024-01-01": 3])
    #expect(batch.values("energy") == ["2024-01-02": 4.5])
  }

  @Test func `IMP_22: loses its byte order mark, and is refused when empty or without a date`()
    throws
  {
    let batch = try importText("\u{FEFF}date,mood\n2024-01-01,3\n")
    #expect(batch.values("mood") == ["2024-01-01": 3])
    #expect(fault { try importText("") }?.reason == .empty)
    #expect(
      fault { try importText("mood,energy\n1,2\n") }?.reason
        == .noDateColumn(columns: ["mood", "energy"]))
  }

  @Test func `IMP_24: has numbers with a point, or a decimal comma that nothing contradicts`()
    throws
  {
    #expect(
      try importText("date;mood\n2024-01-01;3,5\n2024-01-02;-0,25\n").values("mood")
        == ["2024-01-01": 3.5, "2024-01-02": -0.25])
    let mixed = fault { try importText("date;a;b\n2024-01-01;3,5;1\n2024-01-02;3.5;1\n") }
    #expect(mixed?.reason == .mixedDecimalMarks)
    #expect(mixed?.place == .line(3))
    // In a comma file a quoted comma groups digits, as nothing else could.
    let grouped = try importText("date,a\n2024-01-01,\"1,234\"\n2024-01-02,5\n")
    #expect(grouped.values("a") == ["2024-01-01": 1234, "2024-01-02": 5])
  }

  @Test(arguments: [
    "12/01/2026", "2024-02-30", "01.02.2024", "20240101", "2024-01-01x", "2024-13-01",
    "2024-01-01T25:00", "2024-01-01T10:00+2", "yesterday",
  ])
  func `IMP_25: has dates written in one way, and guesses none that is written in another`(
    date: String
  ) throws {
    let batch = try importText("date,mood\n2024-01-01,3\n\(date),9\n2024-01-03,4\n")
    #expect(batch.values("mood") == ["2024-01-01": 3, "2024-01-03": 4])
    #expect(batch.summary.rejections.map(\.reason) == ["no readable date"])
    #expect(batch.summary.rejections.first?.first == [.line(3)])
  }

  @Test(arguments: ["2024-02-30", "2024-01-01x", "2024-13-01", "2024-01-01T25:00", "yesterday"])
  func `IMP_25: without a single date is refused`(date: String) {
    #expect(
      fault { try importText("date,mood\n\(date),9\n") }?.reason == .noReadableDate(rows: 1))
  }

  @Test func `IMP_25: whose dates could have the day or the month first is refused`() {
    #expect(
      fault { try importText("date,mood\n12/01/2026,9\n") }?.reason == .openDates(isMixed: false))
    #expect(
      fault { try importText("date,mood\n12/13/2026,9\n13/12/2026,9\n") }?.reason
        == .openDates(isMixed: true))
  }

  @Test func `IMP_26: with a repeated header is refused by its name`() {
    #expect(
      fault { try importText("date,mood,mood\n2024-01-01,3,4\n") }?.reason
        == .repeatedColumn("mood"))
  }

  @Test func `IMP_27: that is not UTF-8 is refused at the line of the first bad byte`() throws {
    let text = ContiguousArray("date,mood,note\n2024-01-01,3,a\n2024-01-02,4,".utf8) + [0xE9, 10]
    let wrong = fault { try importBytes(text) }
    #expect(wrong?.reason == .notUTF8)
    #expect(wrong?.place == .line(3))
    // Even where it lies beyond the first 64 KiB.
    var long = "date,mood,note\n"
    var day = CalendarDay(number: 0)
    while long.utf8.count < 100_000 {
      long += "\(day),3,é\n"
      day = day.advanced(by: 1)
    }
    let late = fault { try importBytes(ContiguousArray(long.utf8) + [0xC3]) }
    #expect(late?.reason == .notUTF8)
    #expect(late?.place == .line(day.number + 2))
  }

  @Test(arguments: [true, false])
  func `in UTF-16 with a mark is read`(littleEndian: Bool) throws {
    var bytes: ContiguousArray<UInt8> = littleEndian ? [0xFF, 0xFE] : [0xFE, 0xFF]
    for unit in "date,mood\r\n2024-01-01,3\r\n".utf16 {
      let (low, high) = (UInt8(unit & 0xFF), UInt8(unit >> 8))
      bytes.append(contentsOf: littleEndian ? [low, high] : [high, low])
    }
    #expect(try importBytes(bytes).values("mood") == ["2024-01-01": 3])
    bytes.append(0)
    #expect(fault { try importBytes(bytes) }?.reason == .notUTF8)
  }

  @Test func `IMP_14: keeps a zero that was counted and drops one that was never measured`() throws
  {
    let batch = try importText(
      "date,steps,hrv_rmssd_ms,resting_hr,weight_kg,readiness_score\n2024-01-01,0,0,0,0,0\n")
    #expect(batch.entries.map(\.key.metric) == [.steps])
    #expect(batch.value("steps", "2024-01-01") == 0)
  }

  @Test func `IMP_15: keeps SDNN and RMSSD apart`() throws {
    let batch = try importText("date,hrv_sdnn_ms,rmssd\n2024-01-01,50,30\n")
    #expect(batch.value("hrv", "2024-01-01") == 50)
    #expect(batch.value("hrv_rmssd", "2024-01-01") == 30)
  }

  @Test func `has one value a day: ratings have a mean, counts add up`() throws {
    let timed = try importText(
      "logged_at,mood,steps\n2024-01-01T08:00,2,100\n2024-01-01T20:00,4,900\n2024-01-01T20:00,4,900\n"
    )
    #expect(timed.value("mood", "2024-01-01") == 3)
    #expect(timed.value("steps", "2024-01-01") == 1000)
    #expect(timed.summary.duplicates == 1)
    let plain = try importText("date,mood\n2024-01-01,2\n2024-01-01,4\n")
    #expect(plain.value("mood", "2024-01-01") == 3)
  }

  @Test func `counts a moment to the day of its clock, its zone or the day start`() throws {
    let text = "logged_at,mood\n2024-01-02T01:30:00+02:00,3\n"
    #expect(try importText(text).values("mood") == ["2024-01-02": 3])
    #expect(
      try importText(text) { $0.dayStart = 4 * 3600 }.values("mood") == ["2024-01-01": 3])
    let moved = try importText("logged_at,mood\n2024-01-02T00:30:00+02:00,3\n") {
      $0.zone = Zone.centralEurope
    }
    #expect(moved.values("mood") == ["2024-01-01": 3])
  }

  @Test func `obeys the column, format and metric asked for`() throws {
    let batch = try importText("when;Stimmung;x\n31.12.2023 08:15;3;1\n1.1.2024 9:00;4;2\n") {
      $0.dateColumn = "when"
      $0.dateFormat = "d.M.yyyy H:mm"
      $0.metrics = ["Stimmung": "mood", "x": "-"]
    }
    #expect(batch.values("mood") == ["2023-12-31": 3, "2024-01-01": 4])
    #expect(batch.summary.skipped.map(\.name) == ["x"])
    let text = "date,a\n2024-01-01,1\n"
    #expect(
      fault { try importText(text) { $0.dateColumn = "day" } }?.reason
        == .missingColumn("day", columns: ["date", "a"]))
    #expect(
      fault { try importText(text) { $0.metrics = ["a": "Über"] } }?.reason
        == .invalidMetric("Über"))
    #expect(
      fault { try importText(text) { $0.dateFormat = "never" } }?.reason
        == .invalidDateFormat("never"))
  }

  @Test func `of several people is refused with who they are until one is chosen`() throws {
    let text = "person,date,mood\nanna,2024-01-01,1\nben,2024-01-01,5\n"
    #expect(fault { try importText(text) }?.reason == .severalPeople(["anna", "ben"]))
    #expect(try importText(text) { $0.person = "ben" }.values("mood") == ["2024-01-01": 5])
    #expect(
      fault { try importText(text) { $0.person = "eve" } }?.reason
        == .unknownPerson(known: ["anna", "ben"]))
  }

  @Test func `with an open quote or text after a closed one is refused at its line`() {
    let open = fault { try importText("date,note\n2024-01-01,\"a\n\nb") }
    #expect(open?.reason == .unclosedQuote)
    #expect(open?.place == .line(2))
    #expect(fault { try importText("date,a\n2024-01-01,\"1\"2\n") }?.place == .line(2))
  }

  @Test(arguments: ["inf", "1e999", "0x10", "1 00", "--1", "1e", "."])
  func `has no number where text only looks like one`(cell: String) throws {
    let batch = try importText("date,a\n2024-01-01,\(cell)\n2024-01-02,7\n")
    #expect(batch.values("a") == ["2024-01-02": 7])
    #expect(batch.summary.rejected == 1)
  }

  @Test(arguments: 0..<64 as Range<UInt64>)
  func `that was broken anywhere is read or refused, and never kills`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var bytes = ContiguousArray(
      "person,date,steps,hrv_rmssd_ms,\"no\"\"te\"\r\na,2024-01-01,12,3.5,\"x\ny\"\r\na,2024-01-02T10:00:00+01:00,1e3,,z\n"
        .utf8)
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let at = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.remove(at: at)
      default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: at)
      }
    }
    if let batch = try? importBytes(bytes) {
      #expect(batch.entries.allSatisfy { $0.value?.isFinite == true })
    }
  }
}

@Suite(.enabled(if: SharedData.isPresent, .init(rawValue: SharedData.whyAbsent)))
struct `Tables of real people` {
  @Test func `of a ring become its days`() throws {
    let path = SharedData.path("series/person-a/daily.csv")
    let batch = try importFile(path)
    let table = try PlainTable(path)
    #expect(batch.summary.read == 739)
    for (column, metric) in [
      ("sleep_h", "sleep_hours"), ("hrv_rmssd_ms", "hrv_rmssd"), ("steps", "steps"),
      ("sleeping_hr_lowest_bpm", "resting_heart_rate"), ("active_kcal", "active_energy"),
      ("breath_rate_per_min", "respiratory_rate"), ("awake_h", "awake_h"),
    ] {
      let expected = table.rows.filter { !($0[column] ?? "").isEmpty }
      let values = batch.values(metric)
      #expect(values.count == expected.count)
      for row in expected {
        #expect(values[row["date"] ?? ""] == Double(row[column] ?? ""))
      }
    }
    let readiness = table.rows.filter { !["", "0"].contains($0["readiness_score"] ?? "") }
    #expect(batch.values("readiness_score").count == readiness.count)
    #expect(batch.summary.skipped.map(\.name) == ["bedtime_start", "bedtime_end"])
  }

  @Test func `of mood check-ins become daily means`() throws {
    let path = SharedData.path("series/person-b/mood-checkins.csv")
    let batch = try importFile(path)
    var sums: [String: (Double, Double)] = [:]
    var seen: Set<[String: String]> = []
    for row in try PlainTable(path).rows where seen.insert(row).inserted {
      guard let value = Double(row["happy"] ?? "") else { continue }
      let day = String((row["answered_at"] ?? "").prefix(10))
      sums[day, default: (0, 0)].0 += value
      sums[day, default: (0, 0)].1 += 1
    }
    #expect(batch.values("happy").count == 713)
    #expect(batch.values("happy") == sums.mapValues { $0.0 / $0.1 })
  }

  @Test func `of evening ratings and weights are read with their offsets`() throws {
    let ratings = try importFile(SharedData.path("series/person-b/evening-ratings.csv"))
    #expect(ratings.values("productivity").count > 300)
    #expect(ratings.summary.rejected == 0)
    let weights = try importFile(SharedData.path("series/person-b/weight.csv"))
    #expect(weights.values("body_mass").count == 203)
  }

  @Test func `of sleep logs add naps to the night's day`() throws {
    let path = SharedData.path("series/person-b/fitbit-sleep.csv")
    let batch = try importFile(path)
    var minutes: [String: Double] = [:]
    for row in try PlainTable(path).rows {
      minutes[row["date_of_sleep"] ?? "", default: 0] += Double(row["minutes_asleep"] ?? "") ?? 0
    }
    let values = batch.values("sleep_hours")
    #expect(values.count == 271)
    for (day, sum) in minutes { #expect(abs((values[day] ?? 0) * 60 - sum) < 1e-9) }
  }

  @Test func `of 47 people are read one person at a time`() throws {
    let path = SharedData.path("series/lifesnaps/daily.csv")
    guard case .severalPeople(let people)? = fault({ try importFile(path) })?.reason else {
      Issue.record("several people are not refused")
      return
    }
    #expect(people.count == 47)
    let rows = try PlainTable(path).rows
    for person in people.prefix(3) {
      let batch = try importFile(path) { $0.person = person }
      let own = rows.filter { $0["person"] == person }
      #expect(batch.summary.read == own.count)
      let hrv = own.compactMap { Double($0["rmssd"] ?? "") }.filter { $0 != 0 }
      #expect(batch.values("hrv_rmssd").count == hrv.count)
      for row in own {
        let day = row["date"] ?? ""
        #expect(batch.value("steps", day) == Double(row["steps"] ?? ""))
        let minutes = Double(row["minutesAsleep"] ?? "").flatMap { $0 == 0 ? nil : $0 / 60 }
        #expect(batch.value("sleep_hours", day) == minutes)
      }
    }
  }

  @Test func `of a fitness tracker keep the larger of two part days`() throws {
    let path = SharedData.path("series/fitabase-2016/dailyActivity.csv")
    let rows = try PlainTable(path).rows
    for person in Set(rows.compactMap { $0["Id"] }).sorted().prefix(6) {
      let batch = try importFile(path) { $0.person = person }
      var largest: [String: Double] = [:]
      for row in rows where row["Id"] == person {
        let parts = (row["ActivityDate"] ?? "").split(separator: "/").compactMap { Int($0) }
        let day = try #require(CalendarDay(year: parts[2], month: parts[0], day: parts[1]))
        let steps = try #require(Double(row["TotalSteps"] ?? ""))
        largest[day.description] = max(largest[day.description] ?? 0, steps)
      }
      #expect(batch.values("steps") == largest)
    }
    let sleep = try importFile(SharedData.path("series/fitabase-2016/sleepDay.csv")) {
      $0.person = "100001"
    }
    #expect(abs((sleep.value("sleep_hours", "2016-04-12") ?? 0) - 327 / 60) < 1e-12)
    let weight = try importFile(SharedData.path("series/fitabase-2016/weightLogInfo.csv")) {
      $0.person = "100001"
    }
    #expect(weight.values("body_mass").keys.sorted() == ["2016-04-05", "2016-05-02", "2016-05-03"])
    // One column has two ways of writing a date, and hours of one digit in both.
    let weights = SharedData.path("series/fitabase-2016/weightLogInfo.csv")
    for (person, rows) in Dictionary(grouping: try PlainTable(weights).rows, by: { $0["Id"] ?? "" })
    {
      let batch = try importFile(weights) { $0.person = person }
      let days = Set(rows.compactMap { $0["Date"]?.split(separator: " ").first }.map(Self.day))
      #expect(Set(batch.values("body_mass").keys) == days, "\(person)")
      #expect(batch.summary.rejected == 0)
    }
  }

  /// `M/d/yyyy` as `yyyy-MM-dd`.
  private static func day(_ american: Substring) -> String {
    let parts = american.split(separator: "/").map(String.init)
    func two(_ text: String) -> String { text.count == 1 ? "0" + text : text }
    return "\(parts[2])-\(two(parts[0]))-\(two(parts[1]))"
  }
}
