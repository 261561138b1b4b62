import Foundation
import Testing

/// Names that would act on a terminal, in everything that comes from outside and is told of.
@Suite struct `Hostile names on the command line` {
  private static let evil = "\u{1B}[31mEVIL\u{1B}]0;pwn\u{7}\u{202E}\u{9B}2J"
  private static let inJSON = #"\u001b[31mEVIL\u001b]0;pwn\u0007\u202e\u009b2J"#

  /// What one of them leaves on its way out: nothing that acts.
  private func expectHarmless(
    _ outcome: Tool.Outcome, _ words: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for text in [outcome.output, outcome.remarks] {
      let active = text.unicodeScalars.filter {
        [.control, .format].contains($0.properties.generalCategory) && $0 != "\n"
      }
      #expect(active.isEmpty, "\(words)", sourceLocation: sourceLocation)
    }
  }

  /// A log that holds them: sources, a queue, a file that a refresh could not read.
  private func tool() throws -> Tool {
    let tool = try Tool()
    let sync = try tool.file(
      "hostile.jsonl",
      """
      {"kind":"diurnal-log","version":1}
      {"kind":"entry","day":"2025-12-01","metric":"mood","origin":"typed","source":"\(Self.inJSON)","as_of":1764600000000,"value":3}
      {"kind":"entry","day":"2025-12-01","metric":"sleep_hours","origin":"imported","source":"=cmd|' /C calc'!A0","as_of":1764600000000,"value":7}

      """)
    #expect(try tool.run("--now", "2026-01-01T00:00:00Z", "sync", "merge", sync).status == 0)
    let queue = try tool.file(
      "queue.json",
      #"{"id":"\#(Self.inJSON)","kind":"symptom","at":"2025-12-01T09:00:00Z","name":"a\u009bb","severity":"x"}"#
    )
    #expect(try tool.run("queue", "add", queue).status == 0)
    let folder = tool.folder.appending(path: "exports")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("{".utf8).write(to: folder.appending(path: "\(Self.evil)\n! all is well.csv"))
    #expect(try tool.run("settings", "refresh.sources", folder.path).status == 0)
    tool.environment["DIURNAL_POWER_SUPPLY"] = tool.folder.path
    return tool
  }

  @Test func `do nothing but be read, whatever command tells of them`() throws {
    let tool = try tool()
    let now = ["--now", "2026-01-01T12:00:00Z"]
    for words in [
      ["show", "--provenance"], ["show", "--provenance", "--csv"], ["metrics"], ["queue", "list"],
      ["queue", "drain"], ["tasks", "run"], ["tasks", "status"], ["doctor"], ["insights"],
      ["settings"],
    ] {
      let outcome = try tool.run(now + words)
      expectHarmless(outcome, words)
      expectHarmless(try tool.run(now + words + ["--json"]), words)
    }
    let shown = try tool.run("show", "--provenance", "--from", "2025-12-01").output
    #expect(shown.contains(Self.inJSON))
    #expect(
      try tool.run("show", "--provenance", "--csv").output.contains("imported,'=cmd|' /C calc'!A0"))
    // A line of its own would be taken for one of ours.
    let status = try tool.run(now + ["tasks", "status"]).output
    #expect(!status.split(separator: "\n").contains { $0.hasPrefix("! all is well") })
    let sources = try tool.run("metrics", "--json").json?["metrics"] as? [[String: Any]]
    let names = sources?.compactMap { ($0["sources"] as? [[String: String]])?.first?["name"] }
    #expect(names?.contains(Self.evil) == true, "JSON tells the name itself")
  }

  @Test func `do nothing in what an import says of a file`() throws {
    let tool = try Tool()
    let attribute = "&#27;[31m&#7;\u{202E}\u{9B}2J"
    let export = try tool.file(
      "export.xml",
      """
      <?xml version="1.0"?><HealthData><Record type="HKQuantity\(attribute)Foo" sourceName="W\(attribute)" unit="count" startDate="2025-01-01 10:00:00 +0000" endDate="2025-01-01 10:05:00 +0000" value="5"/>
      <Record type="HKQuantityTypeIdentifierStepCount" sourceName="W\(attribute)" unit="co\(attribute)unt" startDate="2025-01-01 10:00:00 +0000" endDate="2025-01-01 10:05:00 +0000" value="5"/>
      <Record type="HKQuantityTypeIdentifierStepCount" sourceName="W\(attribute)" unit="count" startDate="2025-01-01 11:00:00 +0000" endDate="2025-01-01 11:05:00 +0000" value="5"/></HealthData>
      """)
    let table = try tool.file(
      "table.csv", "day,mood,\"\(Self.evil)\nx\"\n2025-01-01,5,tired \(Self.evil)\n")
    let people = try tool.file(
      "people.csv", "id,day,steps\n\(Self.evil),2025-01-01,5\nb,2025-01-01,6\n")
    let none = try tool.file("none\u{1B}[2J.csv", "\(Self.evil),b\n1,2\n")
    for path in [export, table, people, none, "/nowhere/\(Self.evil)"] {
      for words in [["import", path], ["import", path, "--json"]] {
        expectHarmless(try tool.run(words), words)
      }
    }
    expectHarmless(try tool.run("show", "--provenance"), ["show"])
  }
}
