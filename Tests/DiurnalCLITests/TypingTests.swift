import Foundation
import Testing

@Suite struct `Typing on the command line` {
  private static let now = ["--now", "2026-01-07T10:00:00Z"]

  private func tool(_ words: String...) throws -> Tool {
    let tool = try Tool()
    #expect(try tool.run(Self.now + ["log"] + words).status == 0)
    return tool
  }

  @Test func `a value without a day is today's, and days are written as people say them`() throws {
    let tool = try tool("mood=7")
    for (word, day) in [
      ("yesterday", "2026-01-06"), ("-3", "2026-01-04"), ("monday", "2026-01-05"),
      ("wed", "2026-01-07"), ("tomorrow", "2026-01-08"),
    ] {
      let outcome = try tool.run(Self.now + ["log", word, "energy=3"])
      #expect(outcome.output == "\(day) energy logged\n" || word == "yesterday", "\(outcome)")
      #expect(outcome.output.hasPrefix(day))
    }
    #expect(
      try tool.run(Self.now + ["show", "--csv", "--from", "monday", "--to", "today"]).output
        == "day,energy,mood\n2026-01-05,3,\n2026-01-06,3,\n2026-01-07,3,7\n")
    #expect(
      try tool.run(Self.now + ["show", "--csv", "--last", "1", "mood"]).output
        == "day,mood\n2026-01-07,7\n")
  }

  @Test(arguments: [
    ("mod=7", "mood"), ("sleep=7", "sleep_hours"), ("weight=70", "body_mass"),
    ("stepss=70", "steps"),
  ])
  func `a new name near another is remarked on, unless it is meant`(word: String, near: String)
    throws
  {
    let tool = try tool("mood=7")
    let outcome = try tool.run(Self.now + ["log", word])
    #expect(outcome.status == 0)
    #expect(outcome.remarks.contains("near \(near)"))
    #expect(outcome.remarks.contains("--new"))
    #expect(outcome.output.contains("a new metric"))
    #expect(try tool.run(Self.now + ["log", word]).remarks == "", "it is not new any more")
    #expect(try self.tool("mood=7").run(Self.now + ["log", "--new", word]).remarks == "")
  }

  @Test func `a new name that is near nothing is only called new`() throws {
    let outcome = try tool("mood=7").run(Self.now + ["log", "gratitude=7", "coffee=2"])
    #expect(outcome.remarks == "")
    #expect(outcome.output.contains("gratitude logged, a new metric"))
  }

  @Test func `on a terminal a near name is asked about`() throws {
    let tool = try tool("mood=7")
    let shown = try tool.runOnTerminal(Self.now + ["log", "mod=4"])
    #expect(shown.contains("Did you mean mood? [y/N]"))
  }

  @Test func `forgetting asks, says what would go, and knows the name`() throws {
    let tool = try tool("2026-01-05", "mood=7", "energy=3")
    let shown = try tool.run("show", "--csv").output
    let unknown = try tool.run("forget", "--yes", "2026-01-05", "mod")
    #expect(unknown.status == 65)
    #expect(unknown.remarks.contains("did you mean mood?"))
    let dry = try tool.run("forget", "--dry-run", "2026-01-05")
    #expect(dry.status == 0)
    #expect(dry.output == "energy, mood of 2026-01-05 would be gone for good, from every source.\n")
    let refused = try tool.run("forget", "2026-01-05", "mood")
    #expect(refused.status == 1)
    #expect(refused.remarks.contains("--yes"))
    #expect(try tool.run("show", "--csv").output == shown)
    #expect(try tool.run("forget", "--yes", "2026-01-05", "mood").status == 0)
    #expect(try tool.run("show", "--csv").output == "day,energy\n2026-01-05,3\n")
    let cleared = try tool.run("log", "2026-01-05", "--clear", "enrgy")
    #expect(cleared.status == 65)
    #expect(cleared.remarks.contains("did you mean energy?"))
  }

  @Test func `a day that is far from all others is meant only where it is said so`() throws {
    let tool = try tool("mood=7")
    for day in ["0001-01-01", "2206-01-07", "1926-01-07"] {
      let refused = try tool.run(Self.now + ["log", day, "mood=5"])
      #expect(refused.status == 1, "\(day)")
      #expect(refused.remarks.contains("--yes"))
    }
    #expect(try tool.run(Self.now + ["log", "--yes", "0001-01-01", "mood=5"]).status == 0)
    #expect(
      try tool.run(Self.now + ["log", "0001-01-02", "mood=5"]).status == 0, "not far any more")
    let table = try tool.file("far.csv", "day,steps\n1970-01-01,5\n2026-01-01,6\n2026-01-02,7\n")
    let imported = try tool.run(Self.now + ["import", table])
    #expect(imported.output.contains("1970-01-01 lies far from the others"))
    #expect(try tool.run(Self.now + ["train"]).remarks.contains("too far back"))
  }

  @Test func `a mistyped store is made by nothing but log, import and sync merge`() throws {
    let tool = try tool("mood=7")
    let sync = tool.folder.appending(path: "sync.jsonl").path
    #expect(try tool.run("sync", "export", sync).status == 0)
    let queue = try tool.file("queue.json", "")
    let path = tool.folder.appending(path: "folder/lgo.sqlite").path
    for words in [
      ["train"], ["forget", "--yes", "today"], ["queue", "drain"], ["queue", "add", queue],
      ["settings", "day.start", "04:00"], ["tasks", "run"], ["show"], ["predict"], ["doctor"],
    ] {
      let outcome = try tool.run(["--store", path] + words)
      #expect(outcome.status != 0, "\(words)")
      #expect(
        !FileManager.default.fileExists(atPath: tool.folder.appending(path: "folder").path),
        "\(words)")
    }
    #expect(try tool.run("--store", path, "sync", "merge", sync).status == 0)
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func `a young log is told how far it is, by whatever command`() throws {
    let tool = try tool("2026-01-05", "mood=7")
    for words in [
      ["train"], ["predict"], ["predict", "mood"], ["explain", "mood"], ["train", "mood"],
    ] {
      let outcome = try tool.run(Self.now + words)
      #expect(
        (outcome.output + outcome.remarks).contains(
          "mood has 1 of 28 days; about four weeks to go"),
        "\(words): \(outcome)")
    }
    for command in ["predict", "explain", "backtest", "train", "insights"] {
      let words = command == "insights" ? [command, "--outcome", "mod"] : [command, "mod"]
      #expect(try tool.run(Self.now + words).status == 65, "\(command)")
    }
  }

  @Test func `errors are JSON where JSON is asked for`() throws {
    let tool = try tool("mood=7")
    for words in [["predict", "mod"], ["show", "--form", "x"], ["import", "/nowhere.csv"]] {
      let outcome = try tool.run(["--json"] + words)
      let json =
        try JSONSerialization.jsonObject(with: Data(outcome.remarks.utf8)) as? [String: Any]
      let error = try #require(json?["error"] as? [String: Any])
      #expect(error["code"] as? Int == Int(outcome.status))
      #expect(error["message"] is String)
    }
  }
}
