import Foundation
import Testing

@Suite struct `The queue on the command line` {
  private static let symptom =
    #"{"id":"s1","kind":"symptom","at":"2024-05-01T09:00:00+02:00","name":"headache","severity":3}"#
  private static let morning =
    #"{"id":"c1","kind":"check-in","at":"2024-05-01T08:00:00+02:00","mood":4,"energy":3}"#
  private static let evening =
    #"{"id":"c2","kind":"check-in","at":"2024-05-01T20:00:00+02:00","mood":6}"#
  private static let newer = #"{"id":"n1","kind":"photo","at":"2024-05-01T20:00:00+02:00"}"#

  private func added(_ payloads: String...) throws -> Tool {
    let tool = try Tool()
    let file = try tool.file("payloads.json", payloads.joined(separator: "\n"))
    #expect(try tool.run("queue", "add", file).status == 0)
    return tool
  }

  @Test func `payloads of every kind are listed byte for byte in the order of arrival`()
    throws
  {
    let tool = try added(Self.newer, Self.symptom, Self.morning)
    let lines = [Self.newer, Self.symptom, Self.morning].map { $0 + "\n" }
    #expect(try tool.run("queue", "list").output == lines.joined())
    let again = try tool.run("queue", "add", tool.folder.appending(path: "payloads.json").path)
    #expect(again.output == "0 added, 3 known already\n")
    let listed = try #require(
      try tool.run("queue", "list", "--json").json?["payloads"] as? [[String: Any]])
    #expect(listed.map { $0["known"] as? Bool } == [false, true, true])
  }

  @Test func `QUE_1: draining one kind leaves every other payload as it was`() throws {
    let tool = try added(Self.newer, Self.symptom, Self.morning)
    let drained = try tool.run("queue", "drain", "--kind", "symptom")
    #expect(drained.output == "symptom: 1 applied\n2 still waiting\n")
    #expect(try tool.run("queue", "list").output == Self.newer + "\n" + Self.morning + "\n")
    #expect(
      try tool.run("show", "--csv").output == "day,symptom.headache\n2024-05-01,3\n")
  }

  @Test func `QUE_2: a payload that was applied is acknowledged and not applied again`() throws {
    let tool = try added(Self.symptom)
    #expect(try tool.run("queue", "drain").status == 0)
    let again = try tool.run("queue", "add", tool.folder.appending(path: "payloads.json").path)
    #expect(again.output == "0 added, 1 known already\n")
    #expect(try tool.run("queue", "list").output.isEmpty)
  }

  @Test func `draining without a kind applies every known one, and the later check-in counts`()
    throws
  {
    let tool = try added(Self.evening, Self.newer, Self.morning)
    let drained = try tool.run("queue", "drain", "--json")
    #expect(drained.json?["waiting"] as? Int == 1)
    #expect(try tool.run("queue", "list").output == Self.newer + "\n")
    #expect(try tool.run("show", "--csv").output == "day,energy,mood\n2024-05-01,3,6\n")
  }

  @Test func `a payload that cannot be read waits on and is named`() throws {
    let broken = #"{"id":"s9","kind":"symptom","at":"2024-05-01T09:00:00Z","name":"cough"}"#
    let tool = try added(broken, Self.symptom)
    let drained = try tool.run("queue", "drain")
    #expect(drained.status == 65)
    #expect(drained.remarks.contains("s9"))
    #expect(try tool.run("queue", "list").output == broken + "\n")
  }

  @Test func `a file with an error adds nothing and tells its line`() throws {
    let tool = try added(Self.symptom)
    let file = try tool.file("bad.json", Self.morning + "\n\n" + #"{"kind":"symptom"}"# + "\n")
    let missing = try tool.run("queue", "add", file)
    #expect(missing.status == 65)
    #expect(missing.remarks.contains("bad.json:3: the key \"id\" is missing"))
    let torn = try tool.file("torn.json", Self.morning + "\n{\"id\":")
    #expect(try tool.run("queue", "add", torn).remarks.contains("torn.json:2"))
    #expect(try tool.run("queue", "drain", "--kind", "symptoms").status == 64)
    #expect(try tool.run("queue", "list").output == Self.symptom + "\n")
  }
}
