import Foundation
import Testing

@Suite struct `The state of the tasks` {
  private static let now = ["--now", "2026-01-05T10:00:00Z"]

  private func tool() throws -> Tool {
    let tool = try Tool()
    tool.environment["DIURNAL_POWER_SUPPLY"] = tool.folder.path  // without a supply
    tool.environment["DIURNAL_NETWORK"] = tool.folder.appending(path: "none").path
    return tool
  }

  private func tasks(_ outcome: Tool.Outcome) throws -> [[String: Any]] {
    try #require(outcome.json?["tasks"] as? [[String: Any]])
  }

  @Test func `is told as it is, before any launch mends it, and telling it changes nothing`() throws
  {
    let tool = try tool()
    // What a restored backup, or another program, may leave: a log on which nothing was ever submitted.
    try tool.run(Self.now + ["log", "today", "mood=5"])
    try tool.sqlite("DELETE FROM record WHERE space = 'scheduler'")
    for _ in 0..<2 {
      let status = try tool.run(Self.now + ["tasks", "status"])
      #expect(status.status == 0)
      #expect(status.output.contains("nothing waits for it"))
      #expect(status.output.contains("! no background task has ever been submitted on this log"))
      let doctor = try tool.run(Self.now + ["doctor"])
      #expect(doctor.status == 1)
      #expect(doctor.output.contains("! no background task has ever been submitted on this log"))
    }
    let json = try tasks(try tool.run(Self.now + ["tasks", "status", "--json"]))
    #expect(
      json.allSatisfy { $0["registered"] as? Bool == true && $0["pending"] as? Bool == false })
    #expect(Set(json.compactMap { $0["reason"] as? String }) == ["not-submitted"])
    // The next command that changes the log is a launch.
    try tool.run(Self.now + ["log", "today", "mood=6"])
    let mended = try tasks(try tool.run(Self.now + ["tasks", "status", "--json"]))
    #expect(mended.allSatisfy { $0["pending"] as? Bool == true })
  }

  @Test func `names a run whose process is gone, and the next launch lets it run again`() throws {
    let tool = try tool()
    try tool.run(Self.now + ["log", "today", "mood=5"])
    let owner = "0/0/1/1"
    try tool.sqlite(
      """
      UPDATE record SET bytes = CAST(json_set(CAST(bytes AS TEXT), '$.lastRunNumber', 7, '$.runs',
        json('[{"began":1767607200000,"identifier":"diurnal.retrain","number":7,"owner":"\(owner)"}]'))
        AS BLOB) WHERE space = 'scheduler'
      """)
    let status = try tool.run(Self.now + ["tasks", "status"])
    #expect(status.output.contains("its process ended in the middle of the run that began at"))
    #expect(status.output.contains("! diurnal.retrain was left in the middle of the run"))
    // It may have been the end of its process, so it waits as after a failure.
    #expect(
      try tool.run(Self.now + ["tasks", "run"]).output.contains(
        "not again before 2026-01-05T10:05:00Z"))
    let later = try tool.run("--now", "2026-01-05T10:06:00Z", "tasks", "run")
    #expect(later.output.contains("diurnal.retrain done"))
  }

  @Test func `of a log that may only be read is told all the same`() throws {
    let tool = try tool()
    try tool.run(Self.now + ["log", "today", "mood=5"])
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: tool.store)
    // What one command asks for is due in the next of the same moment.
    #expect(try tool.run(Self.now + ["tasks", "status"]).output.contains("due since"))
  }

  @Test func `that cannot be read is begun anew by the next launch, and the loop goes on`() throws {
    let tool = try tool()
    try tool.run(Self.now + ["log", "today", "mood=5"])
    try tool.sqlite("UPDATE record SET bytes = x'7B00' WHERE space = 'scheduler'")
    let status = try tool.run(Self.now + ["tasks", "status"])
    #expect(status.status == 0)
    #expect(status.output.contains("! no background task has ever been submitted on this log"))
    #expect(try tool.run(Self.now + ["tasks", "run"]).output.contains("diurnal.retrain done"))
  }

  @Test func `is told with the last runs where they are asked for`() throws {
    let tool = try tool()
    try tool.run(Self.now + ["log", "today", "mood=5"])
    try tool.run(Self.now + ["tasks", "run"])
    let shown = try tool.run(Self.now + ["tasks", "status", "--history"])
    #expect(shown.output.contains("run of"))
    #expect(shown.output.contains("diurnal.refresh     2026-01-05T10:00:00Z"))
    let json = try tool.run(Self.now + ["tasks", "status", "--history", "--json"])
    let history = try #require(json.json?["history"] as? [[String: Any]])
    #expect(
      history.compactMap { $0["identifier"] as? String } == [
        "diurnal.insight", "diurnal.engagement", "diurnal.retrain", "diurnal.refresh",
      ])
    #expect(history.allSatisfy { $0["success"] as? Bool == true })
    #expect(!(try tool.run(Self.now + ["tasks", "status"]).output.contains("run of")))
  }
}
