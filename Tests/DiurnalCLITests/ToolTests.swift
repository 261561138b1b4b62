import Foundation
import TestSupport
import Testing

@Suite struct `The diurnal tool` {
  private static let year = SharedData.checkout.appending(path: "Datasets/year.csv").path
  private static let evening = ["--now", "2025-12-31T20:00:00Z"]

  private func days(_ tool: Tool, _ words: String...) throws -> [[String: Any]] {
    let outcome = try tool.run(["show", "--json"] + words)
    #expect(outcome.status == 0, "\(outcome.remarks)")
    return try #require(outcome.json?["days"] as? [[String: Any]])
  }

  private func value(_ day: [String: Any], _ metric: String) -> [String: Any]? {
    (day["values"] as? [String: Any])?[metric] as? [String: Any]
  }

  @Test func `a typed value wins over an import and survives the next one`() throws {
    let tool = try Tool()
    let table = try tool.file("days.csv", "day,mood,steps\n2026-01-05,4,8000\n")
    try tool.run(["--now", "2026-01-06T08:00:00Z", "import", table])
    #expect(
      try tool.run("--now", "2026-01-06T09:00:00Z", "log", "2026-01-05", "mood=7").status == 0)
    let later = try tool.file("later.csv", "day,mood,steps\n2026-01-05,3,9000\n")
    #expect(try tool.run("--now", "2026-01-07T08:00:00Z", "import", later).status == 0)

    let day = try #require(try days(tool).first)
    #expect(value(day, "mood")?["value"] as? Double == 7)
    #expect(value(day, "mood")?["origin"] as? String == "typed")
    #expect(value(day, "steps")?["value"] as? Double == 9000)

    #expect(try tool.run("log", "2026-01-05", "--clear", "mood").status == 0)
    let cleared = try #require(try days(tool).first)
    #expect(value(cleared, "mood")?["value"] as? Double == 3)
  }

  @Test func `IMP_17: the same file twice changes nothing and says so`() throws {
    let tool = try Tool()
    try tool.run(["import", Self.year])
    let before = try tool.run("show", "--csv").output
    let again = try tool.run(["import", Self.year, "--json"])
    let file = try #require((again.json?["files"] as? [[String: Any]])?.first)
    #expect(file["known"] as? Bool == true)
    #expect(file["added"] as? Int == 0)
    #expect(try tool.run("show", "--csv").output == before)
  }

  @Test func `SCH_1: the retrain request is pending right after the first start`() throws {
    let tool = try Tool()
    #expect(try tool.run("tasks", "status").status == 74)
    try tool.run(Self.evening + ["log", "today", "mood=5"])
    let status = try tool.run(Self.evening + ["tasks", "status", "--json"])
    let tasks = try #require(status.json?["tasks"] as? [[String: Any]])
    let retrain = try #require(
      tasks.first { $0["identifier"] as? String == "diurnal.retrain" })
    #expect(retrain["registered"] as? Bool == true)
    #expect(retrain["pending"] as? Bool == true)
    #expect(retrain["last_run"] is NSNull)
    #expect(retrain["last_submit_error"] is NSNull)
  }

  @Test func `the loop retrains on external power only, and predicts what training by hand does`()
    throws
  {
    let tool = try Tool()
    try tool.run(Self.evening + ["import", Self.year])
    let battery = tool.folder.appending(path: "power/BAT0")
    try FileManager.default.createDirectory(at: battery, withIntermediateDirectories: true)
    for (name, text) in [("type", "Battery"), ("status", "Discharging"), ("present", "1")] {
      try Data(text.utf8).write(to: battery.appending(path: name))
    }
    tool.environment["DIURNAL_POWER_SUPPLY"] = tool.folder.appending(path: "power").path

    let idle = try tool.run(Self.evening + ["tasks", "run"])
    #expect(idle.output.contains("diurnal.retrain did not run: waiting for external power"))
    #expect(try tool.run(Self.evening + ["predict"]).status == 1)

    tool.environment["DIURNAL_POWER_SUPPLY"] = tool.folder.path  // without a supply
    let run = try tool.run(Self.evening + ["tasks", "run"])
    #expect(run.output.contains("diurnal.retrain done"), "\(run.output) \(run.remarks)")

    let byLoop = try tool.run(Self.evening + ["predict", "mood", "--json", "--contributions"])
    #expect(byLoop.status == 0, "\(byLoop.remarks)")
    let byHand = try Tool()
    try byHand.run(Self.evening + ["import", Self.year])
    try byHand.run(Self.evening + ["train", "--target", "mood"])
    let expected = try byHand.run(Self.evening + ["predict", "mood", "--json", "--contributions"])
    #expect(byLoop.output == expected.output)

    let prediction = try #require(
      (byLoop.json?["predictions"] as? [[String: Any]])?.first)
    #expect(prediction["day"] as? String == "2026-01-01")
    let parts = try #require(prediction["contributions"] as? [[String: Any]])
    let sum = parts.compactMap { $0["value"] as? Double }
      .reduce(try #require(prediction["intercept"] as? Double), +)
    #expect(abs(sum - (try #require(prediction["model"] as? Double))) <= 1e-12 * 100)
    #expect(prediction["baseline"] is Double)
  }

  @Test func `a forgotten day leaves the models as if it had never been logged`() throws {
    let (forgotten, never) = (try Tool(), try Tool())
    let rows = try String(contentsOfFile: Self.year, encoding: .utf8).split(separator: "\n")
    let whole = try forgotten.file("whole.csv", rows.joined(separator: "\n") + "\n")
    let without = rows.filter { !$0.hasPrefix("2025-06-10,") }
    #expect(without.count == rows.count - 1)
    let part = try never.file("part.csv", without.joined(separator: "\n") + "\n")
    try forgotten.run(Self.evening + ["import", whole])
    try never.run(Self.evening + ["import", part])
    for tool in [forgotten, never] { try tool.run(Self.evening + ["train", "--target", "mood"]) }
    let outcome = try forgotten.run(Self.evening + ["forget", "--yes", "2025-06-10"])
    #expect(outcome.output.contains("trained anew: mood"), "\(outcome.output) \(outcome.remarks)")

    for command in ["predict", "backtest"] {
      let words = Self.evening + [command, "--json"]
      #expect(try forgotten.run(words).output == (try never.run(words)).output)
    }
    // A device that only hears of it has its models trained anew too.
    let other = try Tool()
    try other.run(Self.evening + ["import", whole])
    try other.run(Self.evening + ["train", "--target", "mood"])
    let wish = forgotten.folder.appending(path: "sync.jsonl").path
    try forgotten.run("sync", "export", wish)
    let heard = try other.run(Self.evening + ["sync", "merge", wish])
    #expect(heard.output.contains("trained anew: mood"), "\(heard.output) \(heard.remarks)")
    let predict = Self.evening + ["predict", "--json"]
    #expect(try other.run(predict).output == (try never.run(predict)).output)

    // Neither a second import nor another file brings it back.
    try forgotten.run(Self.evening + ["import", part])
    try forgotten.run(Self.evening + ["import", Self.year])
    #expect(try days(forgotten, "--from", "2025-06-10", "--to", "2025-06-10").isEmpty)
  }

  @Test func `too few days are no model, said in words, and no failure`() throws {
    let tool = try Tool()
    let table = try tool.file("few.csv", "day,mood\n2025-12-01,4\n2025-12-02,5\n")
    try tool.run(Self.evening + ["import", table])
    let soon = ["--now", "2025-12-03T20:00:00Z"]
    let all = try tool.run(soon + ["train"])
    #expect(all.status == 0)
    #expect(all.output.contains("28 days"))
    // Four weeks later the metric rests.
    #expect(try tool.run(Self.evening + ["train"]).output.contains("every target rests"))
    let named = try tool.run(soon + ["train", "--target", "mood"])
    #expect(named.status == 0)
    #expect(named.output.contains("mood has 2 of 28 days"))
  }

  @Test func `bad input is a sentence, an exit code and an unchanged log`() throws {
    let tool = try Tool()
    let good = try tool.file("good.csv", "day,mood\n2026-01-05,4\n")
    try tool.run(["import", good])
    let before = try tool.run("show", "--json").output
    let repeated = try tool.file("repeated.csv", "day,steps,steps\n2024-05-01,5000,7000\n")
    let empty = try tool.file("empty.csv", "")
    let cases: [(words: [String], status: Int32, says: String)] = [
      (["import", repeated], 65, "steps"), (["import", empty], 65, "empty"),
      (["import", "/nowhere/at/all.csv"], 74, "is not there"),
      (["log", "2026-02-30", "mood=3"], 64, "yyyy-MM-dd"),
      (["log", "2026-01-05", "mood=high"], 65, "not a number"),
      (["train", "--target", "mod"], 65, "mood"), (["predict"], 1, "every target rests"),
      (["predit"], 64, "did you mean predict?"), (["show", "--form", "x"], 64, "--from"),
      (["settings", "notifcations", "off"], 64, "notifications"),
      (["queue", "--json"], 64, "diurnal queue list"), (["queue", "ad"], 64, "diurnal queue add"),
      (["--zone", "Europe/Nowhere", "show"], 64, "Europe/Nowhere"),
    ]
    for (words, status, says) in cases {
      let outcome = try tool.run(words)
      #expect(outcome.status == status, "\(words): \(outcome.remarks)")
      #expect(outcome.remarks.contains(says), "\(words): \(outcome.remarks)")
      #expect(outcome.output.isEmpty, "\(words)")
    }
    #expect(!(try tool.run("log", "2026-01-05", "mood=high").remarks.contains("high")))
    #expect(try tool.run("show", "--json").output == before)
  }

  @Test func `the days are shown of the metrics asked for alone`() throws {
    let tool = try Tool()
    let table = try tool.file(
      "days.csv", "day,mood,steps,stress\n2026-01-05,4,8000,2\n2026-01-06,,9000,\n2026-01-07,,,3\n")
    try tool.run("import", table)
    #expect(
      try tool.run("show", "--csv", "--metric", "mood", "--metric", "steps").output
        == "day,mood,steps\n2026-01-05,4,8000\n2026-01-06,,9000\n")
    let wrong = try tool.run("show", "--metric", "step")
    #expect(wrong.status == 65)
    #expect(wrong.remarks.contains("the metric step; did you mean steps?"))
  }

  @Test
  func
    `a folder of exports is read whole, and a file that cannot be read takes nothing from the others`()
    throws
  {
    let tool = try Tool()
    let folder = tool.folder.appending(path: "exports/below")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let good = try tool.file("exports/a.csv", "day,mood\n2026-01-05,4\n")
    _ = try tool.file(
      "exports/below/b.json", #"{"activities-steps": [{"dateTime": "2026-01-05", "value": "9"}]}"#)
    _ = try tool.file("exports/below/route.gpx", "<?xml version=\"1.0\"?><gpx></gpx>")
    _ = try tool.file("exports/.hidden.csv", "no,export\n1,2\n")
    let outcome = try tool.run("import", tool.folder.appending(path: "exports").path)
    #expect(outcome.status == 0, "\(outcome.remarks)")
    #expect(outcome.remarks.contains("/below/route.gpx: is a recorded route"))
    #expect(try days(tool).count == 1)

    let bad = try tool.file("exports/bad.csv", "day,steps,steps\n2026-01-05,1,2\n")
    let later = try tool.file("later.csv", "day,mood\n2026-01-06,5\n")
    let mixed = try tool.run("import", bad, good, later, "--json")
    #expect(mixed.status == 65)
    #expect(mixed.remarks.contains("1 of 3 files"))
    let files = try #require(mixed.json?["files"] as? [[String: Any]])
    #expect(files.map { $0["known"] as? Bool } == [nil, true, false])
    #expect((files[0]["error"] as? String)?.contains("steps") == true)
    #expect(try days(tool).count == 2)
  }

  @Test
  func
    `moments without an offset stand on the days of this machine's zone, and the person is told`()
    throws
  {
    let tool = try Tool()
    tool.environment["TZ"] = "Asia/Tokyo"
    let sleeps = try tool.file(
      "sleeps.csv", "sid,start,stop,rating\n1,1698778800000,1698795000000,0\n")
    let outcome = try tool.run("import", sleeps)
    #expect(outcome.output.contains("--zone"))
    #expect(try days(tool).map { $0["day"] as? String } == ["2023-11-01"])
    #expect(try tool.run("import", sleeps).output.contains("imported before"))
    // In another zone it is another import, and what the first put on another day goes.
    #expect(try tool.run("--zone", "America/New_York", "import", sleeps).status == 0)
    #expect(try days(tool).map { $0["day"] as? String } == ["2023-10-31"])
  }

  @Test func `today is open, a future day is kept and is never today`() throws {
    let tool = try Tool()
    let table = try tool.file(
      "days.csv", "day,mood\n2026-01-04,4\n2026-01-05,5\n2026-03-01,6\n")
    let now = ["--now", "2026-01-05T10:00:00Z"]
    try tool.run(now + ["import", table])
    let shown = try tool.run(now + ["show", "--json"])
    let days = try #require(shown.json?["days"] as? [[String: Any]])
    #expect(days.map { $0["today"] as? Bool } == [false, true, false])
    #expect(days.map { $0["future"] as? Bool } == [nil, nil, true])
  }

  @Test func `CLI_1: today is the day in the zone of the process`() throws {
    let tool = try Tool()
    tool.environment["TZ"] = "Asia/Singapore"
    let now = ["--now", "2026-04-30T23:08:00Z"]
    try tool.run(now + ["log", "today", "mood=5"])
    #expect(try days(tool).map { $0["day"] as? String } == ["2026-05-01"])
    // As systems without zone files have it.
    tool.environment["TZ"] = "<+14>-14"
    try tool.run(["--now", "2026-05-01T12:00:00Z", "log", "today", "mood=5"])
    #expect(try days(tool).map { $0["day"] as? String } == ["2026-05-01", "2026-05-02"])
  }

  @Test func `STO_7: a day logged in one zone is the same day in any other`() throws {
    let tool = try Tool()
    let table = try tool.file("days.csv", "day,steps\n2024-03-10,5000\n")
    tool.environment["TZ"] = "Pacific/Auckland"
    // Noon of the 11th in New Zealand, late on the 10th in California.
    let now = ["--now", "2024-03-10T23:30:00Z"]
    try tool.run(now + ["log", "today", "mood=4"])
    try tool.run(now + ["import", table])
    for zone in ["Pacific/Auckland", "America/Los_Angeles", "UTC"] {
      tool.environment["TZ"] = zone
      #expect(
        try days(tool).map { $0["day"] as? String } == ["2024-03-10", "2024-03-11"], "\(zone)")
    }
    let shown = try days(tool)
    #expect(value(shown[1], "mood")?["value"] as? Double == 4)
    #expect(value(shown[0], "steps")?["value"] as? Double == 5000)
  }

  @Test func `CLI_2: JSON is strict on an empty log and on a log of one day, and missing is null`()
    throws
  {
    let tool = try Tool()
    let now = ["--now", "2026-01-05T10:00:00Z", "--json"]
    let commands = [
      ["settings"], ["settings", "notifications", "on"], ["show"], ["metrics"], ["queue", "list"],
      ["queue", "drain"],
      ["tasks", "status"], ["insights"], ["train"], ["doctor"],
    ]
    for round in 0..<2 {
      for words in commands {
        let outcome = try tool.run(now + words)
        #expect(outcome.json != nil, "\(words), \(outcome.output) \(outcome.remarks)")
        #expect(outcome.output.last == "\n" && outcome.output.dropLast().allSatisfy { $0 != "\n" })
        if words != ["doctor"] { #expect(outcome.status == 0, "\(words)") }
      }
      if round == 0 { try tool.run(now + ["log", "today", "mood=5"]) }
    }
    let metrics = try #require(
      try tool.run(now + ["metrics"]).json?["metrics"] as? [[String: Any]])
    #expect(metrics.first?["unit"] is NSNull)
    let order = try #require(try tool.run("settings", "--json").json?["sources.order"] as? String)
    #expect(order.hasPrefix("apple-health/typed,apple-health,"))
  }

  @Test func `MRG_3: notifications are on when never set, and off stays off`() throws {
    let tool = try Tool()
    #expect(try tool.run("settings", "--json").json?["notifications"] as? String == "on")
    try tool.run("settings", "notifications", "off")
    #expect(try tool.run("settings", "--json").json?["notifications"] as? String == "off")
    #expect(try tool.run("settings", "--json").json?["notifications"] as? String == "off")
  }

  @Test func `every command shows an example`() throws {
    let tool = try Tool()
    let overview = try tool.run("--help")
    #expect(overview.status == 0)
    let lines = overview.output.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex(of: "Commands:"))
    let commands = lines[(start + 1)...].prefix { !$0.isEmpty }.compactMap { line in
      // Two blanks or more end the name.
      line.dropFirst(2).firstRange(of: "  ").map { String(line.dropFirst(2)[..<$0.lowerBound]) }
    }
    #expect(commands.count == 26 && commands.contains("tasks status"))
    for command in commands {
      let words = command.split(separator: " ").map(String.init)
      let help = try tool.run(words + ["--help"])
      #expect(help.status == 0)
      #expect(help.output.contains("Example:\n  diurnal \(command)"), "\(command)")
      #expect(help.output.contains("Options of every command:"))
    }
  }

  @Test func `help is found by whatever people try for it`() throws {
    let tool = try Tool()
    let overview = try tool.run("--help").output
    for words in [["-h"], ["help"], ["--json", "help"]] {
      #expect(try tool.run(words).output == overview, "\(words)")
    }
    let help = try tool.run("queue", "add", "--help").output
    for words in [["help", "queue", "add"], ["queue", "add", "-h"], ["-h", "queue", "add"]] {
      #expect(try tool.run(words).output == help, "\(words)")
    }
    #expect(try tool.run("--jsno").remarks.contains("did you mean --json?"))
    #expect(try tool.run("lg").remarks.contains("did you mean log?"))
    #expect(!(try tool.run("foo").remarks.contains("did you mean")), "nothing is near it")
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
  func `a result that could not be written is a failure, and what was logged stays`() throws {
    let tool = try Tool()
    for words in [["log", "2026-01-05", "mood=5"], ["show", "--json"], ["--help"]] {
      let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
      let process = try tool.start(words, output: full)
      process.waitUntilExit()
      #expect(process.terminationStatus == 74, "\(words)")
    }
    #expect(try tool.run("show", "--csv").output == "day,mood\n2026-01-05,5\n")
  }
}

@Suite struct `The simulated loop from the command line` {
  @Test func `takes the same course for the same seed, and holds every invariant`() throws {
    let tool = try Tool()
    let words = ["tasks", "simulate", "--days", "60", "--json"]
    let first = try tool.run(words + ["--seed", "7"])
    #expect(first.status == 0, "\(first.remarks)")
    #expect(first.json?["violation"] is NSNull)
    #expect(first.json?["days"] as? Int == 60)
    #expect(try tool.run(words + ["--seed", "7"]).output == first.output)
    #expect(try tool.run(words + ["--seed", "8"]).output != first.output)
    #expect(try tool.run("tasks", "simulate", "--days", "0").status == 64)
  }
}
