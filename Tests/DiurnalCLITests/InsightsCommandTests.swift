import Foundation
import TestSupport
import Testing

@Suite struct `Insights on the command line` {
  @Test func `CLI_2: JSON is strict also without a log, with an empty one and with one day`() throws
  {
    let tool = try Tool()
    let none = try tool.run("insights", "--json")
    #expect(none.status == 0 && none.remarks.contains("there is no log"))
    #expect((none.json?["insights"] as? [Any])?.isEmpty == true)

    #expect(try tool.run("settings", "notifications", "on").status == 0)
    let empty = try tool.run("--now", "2024-03-10T20:00:00Z", "insights", "--json")
    #expect(empty.status == 0 && empty.json?["days"] is NSNull)
    #expect((empty.json?["metrics"] as? [Any])?.isEmpty == true)

    #expect(try tool.run("log", "2024-03-10", "steps=6000").status == 0)
    let one = try tool.run("--now", "2024-03-10T20:00:00Z", "insights", "--json")
    let metric = try #require((one.json?["metrics"] as? [[String: Any]])?.first)
    #expect(metric["mean"] is NSNull && metric["days"] as? Int == 1)
    #expect(metric["reason"] as? String == "1 of 7 days has a value; 3 are needed")
    #expect((one.json?["streak"] as? [String: Any])?["days"] as? Int == 1)
    #expect(try tool.run("--now", "2024-03-10T20:00:00Z", "insights").status == 0)
  }

  @Test(arguments: ["en_US.UTF-8", "de_DE.UTF-8"])
  func `FEA_6: a Sunday's week is the one that ends on it, whatever the locale`(
    locale: String
  ) throws {
    let tool = try Tool()
    tool.environment["LC_ALL"] = locale
    for words in [
      ["--now", "2024-03-10T12:00:00Z", "insights"], ["insights", "--week", "2024-03-10"],
    ] {
      let week = try tool.run(words + ["--json"]).json?["week"] as? [String: Any]
      #expect(week?["first"] as? String == "2024-03-04")
      #expect(week?["last"] as? String == "2024-03-10")
    }
    #expect(
      try tool.run("insights", "--week", "2024-03-10").output.contains("2024-03-04 to 2024-03-10"))
  }

  @Test func `the made-up year shows what was put into it, and nothing that was not`() throws {
    let tool = try Tool()
    let year = SharedData.checkout.appending(path: "Datasets/year.csv").path
    #expect(try tool.run("import", year).status == 0)
    let now = ["--now", "2025-12-31T20:00:00Z", "insights"]
    let json = try #require(try tool.run(now + ["--json"]).json)
    let found = try #require(json["insights"] as? [[String: Any]])
    let ahead = found.filter { $0["lag"] as? Int == 1 }.map {
      "\($0["factor"] ?? "") -> \($0["outcome"] ?? "")"
    }
    let truth = [
      "sleep_hours -> mood", "stress -> mood", "hrv -> mood", "exercise_minutes -> mood",
      "sleep_hours -> symptom.headache", "stress -> symptom.headache",
    ]
    #expect(Set(ahead) == Set(truth))
    // 0.55 for 0.9 hours.
    let sleep = try #require(
      found.first { $0["factor"] as? String == "sleep_hours" && $0["outcome"] as? String == "mood" }
    )
    let step = try #require(sleep["step"] as? Double)
    let (lower, upper) = (sleep["lower"] as? Double ?? 0, sleep["upper"] as? Double ?? 0)
    #expect(lower < 0.55 / 0.9 * step && 0.55 / 0.9 * step < upper)
    // Every test is accounted for.
    let unshown = try #require(json["not_shown"] as? [[String: Any]])
    let tested = unshown.count { !($0["p"] is NSNull) } + found.count
    #expect(json["tested"] as? Int == tested)

    let text = try tool.run(now).output
    #expect(text.contains("The day after days with sleep_hours 1 h higher, mood was"))
    #expect(!text.contains("because") && !text.contains("cause"))
    let all = try tool.run(now + ["--all"]).output
    #expect(all.count > text.count)
    #expect(try tool.run(now + ["--outcome", "mod"]).status == 65)
  }
}
