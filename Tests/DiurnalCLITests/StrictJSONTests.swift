import Foundation
import TestSupport
import Testing

@Suite struct `JSON output` {
  private static let commands = [
    ["show"], ["show", "--provenance"], ["metrics"], ["train"], ["predict"], ["explain"],
    ["backtest"], ["insights"], ["queue", "list"], ["settings"], ["tasks", "status"], ["doctor"],
  ]

  /// The output of a command that succeeded, strictly read; nil where it failed, which is said on standard error.
  private func value(_ tool: Tool, _ words: [String]) throws -> Any? {
    let outcome = try tool.run(["--now", "2024-05-02T09:00:00Z", "--json"] + words)
    guard outcome.status == 0 else {
      #expect([1, 65, 74].contains(outcome.status), "\(words): \(outcome.status)")
      // What is wrong is one object on standard error.
      let error = try JSONSerialization.jsonObject(with: Data(outcome.remarks.utf8))
      let fields = (error as? [String: [String: Any]])?["error"]
      #expect(fields?["code"] as? Int32 == outcome.status, "\(words): \(outcome.remarks)")
      #expect((fields?["message"] as? String)?.isEmpty == false, "\(words)")
      if outcome.output.isEmpty { return nil }
      return try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
    }
    // Some commands print a line for each item: each stands for itself.
    let lines = outcome.output.split(separator: "\n")
    return try lines.map { line in
      try JSONSerialization.jsonObject(with: Data(line.utf8), options: .fragmentsAllowed)
    }
  }

  @Test(arguments: commands)
  func `CLI_2: is strict on an empty log and on one of one day`(words: [String]) throws {
    let tool = try Tool()
    _ = try value(tool, words)
    #expect(try tool.run("log", "2024-05-01", "mood=4").status == 0)
    _ = try value(tool, words)
    #expect(try tool.run("log", "2024-05-01", "--clear", "mood").status == 0)
    _ = try value(tool, words)
  }

  @Test func `CLI_2: has null for what is missing, and no day that nothing is known of`() throws {
    let tool = try Tool()
    try tool.run("log", "2024-05-01", "mood=4")
    try tool.run("log", "2024-05-01", "--clear", "mood")
    #expect(try tool.run("show", "--json").output == "{\"days\":[]}\n")
    try tool.run("log", "2024-05-01", "mood=4")
    try tool.run("log", "2024-05-03", "energy=2")
    let table = try tool.run("show", "--csv").output
    #expect(table == "day,energy,mood\n2024-05-01,,4\n2024-05-03,2,\n")
    let metrics = try tool.run("metrics", "--json").json?["metrics"] as? [[String: Any]]
    #expect(metrics?.first?["unit"] is NSNull)
    for words in [["show"], ["metrics"]] {
      let output = try tool.run(words + ["--json"]).output.lowercased()
      #expect(!output.contains("nan") && !output.contains("inf"))
    }
  }
}
