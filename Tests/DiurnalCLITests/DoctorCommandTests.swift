import Foundation
import Testing

@Suite struct `The doctor` {
  private static let now = ["--now", "2026-01-05T10:00:00Z"]

  private func healthy() throws -> Tool {
    let tool = try Tool()
    tool.environment["DIURNAL_POWER_SUPPLY"] = tool.folder.path  // without a supply
    #expect(try tool.run(Self.now + ["log", "today", "mood=5"]).status == 0)
    return tool
  }

  private func problems(_ outcome: Tool.Outcome) throws -> [String] {
    try #require(outcome.json?["problems"] as? [String])
  }

  @Test func `finds nothing wrong with a sound log`() throws {
    let tool = try healthy()
    let outcome = try tool.run(Self.now + ["doctor", "--json"])
    // The kernel is the machine's affair; the rest is ours.
    #expect(try problems(outcome).allSatisfy { $0.contains("OPENBLAS_CORETYPE") })
    #expect(outcome.status == (try problems(outcome).isEmpty ? 0 : 1))
    #expect(outcome.json?["mode"] as? String == "0600")
    #expect(outcome.json?["threads"] as? Int == 1)
    #expect(outcome.json?["schema"] as? Int == outcome.json?["known_schema"] as? Int)
    #expect((outcome.json?["files"] as? [[String: Any]])?.count == 1)
    #expect(outcome.json?["power_evidence"] as? String == "no battery is discharging")
  }

  @Test func `tells of a log that others can open, and how to close it`() throws {
    let tool = try healthy()
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: tool.store)
    let outcome = try tool.run(Self.now + ["doctor", "--json"])
    #expect(outcome.status == 1)
    #expect(try problems(outcome).contains { $0.contains("chmod 600") })
  }

  @Test func `tells of a file that is no log, and of none at all, and makes none`() throws {
    let tool = try Tool()
    let missing = try tool.run("doctor")
    #expect(missing.status == 1)
    #expect(missing.output.contains("There is no log at"))
    #expect(!FileManager.default.fileExists(atPath: tool.store))
    let text = try tool.file("letter.txt", String(repeating: "Dear reader. ", count: 100))
    let foreign = try tool.run("--store", text, "doctor")
    #expect(foreign.status == 1)
    #expect(foreign.output.contains("is not a Diurnal log"))
    #expect(!foreign.output.contains("chmod"), "who may open a letter is not its affair")
    let device = try tool.run("--store", "/dev/null", "doctor")
    #expect(device.status == 1)
    #expect(!device.output.contains("chmod"))
  }

  @Test func `says in words that a task was due and nothing ran it`() throws {
    let tool = try healthy()
    let outcome = try tool.run("--now", "2026-03-01T10:00:00Z", "doctor")
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("! diurnal.retrain has been due since"))
    #expect(outcome.output.contains("diurnal tasks install"))
  }
}
