import Foundation
import TestSupport
import Testing

@Suite struct `The daily nudge` {
  private static let year = SharedData.checkout.appending(path: "Datasets/year.csv").path
  private static let evening = ["--now", "2025-12-31T20:00:00Z"]

  /// A log with a model whose forecast stands out, and a desktop that writes down what it is asked to show.
  private func tool(notify: String = #"printf '%s\n' "$@" >> "${0%/*}/shown""#) throws -> Tool {
    let tool = try Tool()
    tool.environment["DIURNAL_POWER_SUPPLY"] = try battery(tool)
    let desktop = try tool.file("notify-send", "#!/bin/sh\n\(notify)\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: desktop)
    tool.environment["PATH"] = tool.folder.path + ":/usr/bin:/bin"
    try tool.run(Self.evening + ["import", Self.year])
    try tool.run(Self.evening + ["train", "--target", "mood"])
    return tool
  }

  /// On battery nothing is trained anew, which would take longest here.
  private func battery(_ tool: Tool) throws -> String {
    let battery = tool.folder.appending(path: "power/BAT0")
    try FileManager.default.createDirectory(at: battery, withIntermediateDirectories: true)
    for (name, text) in [("type", "Battery"), ("status", "Discharging"), ("present", "1")] {
      try Data(text.utf8).write(to: battery.appending(path: name))
    }
    return tool.folder.appending(path: "power").path
  }

  @Test func `is printed, shown, listed and sent once, and the week is looked back on`() throws {
    let tool = try tool()
    let run = try tool.run(Self.evening + ["tasks", "run"])
    #expect(run.output.contains("diurnal.engagement done"))
    #expect(run.output.contains("a nudge: printed, and shown by notify-send"))
    #expect(run.output.contains("mood may be lower tomorrow than your mean"))
    #expect(run.output.contains("You see this as"))
    #expect(run.output.contains("Week 2026-W01: 2025-12-29 to 2026-01-04"))
    let shown = try String(
      contentsOf: tool.folder.appending(path: "shown"), encoding: .utf8)
    #expect(
      shown.contains("--app-name=Diurnal\n--\nDiurnal\nmood may be lower tomorrow than your mean"))
    #expect(
      shown.contains("Diurnal\nA look back on week 2026-W01: diurnal insights --week 2025-12-29\n"))

    let again = try tool.run("--now", "2025-12-31T21:00:00Z", "tasks", "run")
    #expect(!again.output.contains("nudge"))
    let status = try tool.run(Self.evening + ["tasks", "status", "--json"])
    let nudges = try #require(status.json?["nudges"] as? [[String: Any]])
    #expect(nudges.count == 1)
    #expect(nudges[0]["sent"] as? Bool == true)
    #expect(nudges[0]["delivery"] as? String == "printed, and shown by notify-send")
    #expect((nudges[0]["text"] as? String)?.contains("mood may be lower") == true)
    let next = try tool.run("--now", "2026-01-01T12:00:00Z", "tasks", "run")
    #expect(next.output.contains("diurnal.engagement done"))
  }

  @Test func `is not said to be printed where the output goes nowhere`() throws {
    for (notify, words) in [
      ("exit 0", "shown by notify-send"), ("exit 3", "not shown; notify-send ended with code 3"),
    ] {
      let tool = try tool(notify: notify)
      let process = try tool.start(
        Self.evening + ["tasks", "run"], output: FileHandle.nullDevice)
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      let status = try tool.run(Self.evening + ["tasks", "status", "--json"])
      let nudges = try #require(status.json?["nudges"] as? [[String: Any]])
      #expect(nudges.first?["delivery"] as? String == words)
    }
  }

  @Test func `is not sent in quiet hours, nor where notifications are off, and says so`() throws {
    let tool = try tool(notify: "exit 3")
    let night = ["--now", "2025-12-31T23:30:00Z"]
    #expect(
      try tool.run(night + ["tasks", "run"]).output.contains("no nudge: these are quiet hours"))
    // Due again when the quiet hours end.
    let status = try tool.run(night + ["tasks", "status", "--json"])
    let tasks = try #require(status.json?["tasks"] as? [[String: Any]])
    let engagement = try #require(
      tasks.first { $0["identifier"] as? String == "diurnal.engagement" })
    #expect(engagement["earliest"] as? String == "2026-01-01T07:00:00Z")

    // A desktop that fails is told of, and takes nothing from the task.
    let morning = try tool.run("--now", "2026-01-01T08:00:00Z", "tasks", "run")
    #expect(morning.output.contains("a nudge: printed; notify-send ended with code 3"))
    #expect(morning.output.contains("diurnal.engagement done"))

    try tool.run("--now", "2026-01-01T09:00:00Z", "settings", "notifications", "off")
    let off = try tool.run("--now", "2026-01-02T08:00:00Z", "tasks", "run")
    #expect(off.output.contains("no nudge: notifications are switched off"))
    let listed = try tool.run("--now", "2026-01-02T08:00:00Z", "tasks", "status").output
    #expect(listed.contains("notifications are switched off"))
    #expect(listed.contains("mood may be lower"))
  }

  @Test func `comes when the person wants it, and no other text is an interval`() throws {
    let tool = try Tool()
    tool.environment["DIURNAL_POWER_SUPPLY"] = try battery(tool)
    for (key, value) in [
      ("quiet.hours", "25:00-07:00"), ("refresh.every", "5min"), ("refresh.every", "4"),
      ("insight.every", "0d"), ("retrain.every", "999999d"),
    ] {
      let refused = try tool.run(Self.evening + ["settings", key, value])
      #expect(refused.status == 64, "\(key) \(value)")
      #expect(refused.remarks.contains("is no value of \(key)"))
    }
    #expect(!FileManager.default.fileExists(atPath: tool.store))
    try tool.run(Self.evening + ["log", "mood=5"])
    #expect(try tool.run("settings", "refresh.every").output.contains("4h"))
    try tool.run(Self.evening + ["tasks", "run"])
    try tool.run(Self.evening + ["settings", "refresh.every", "90min"])
    try tool.run(Self.evening + ["settings", "quiet.hours", "21:00-06:30"])
    let status = try tool.run(Self.evening + ["tasks", "status", "--json"])
    let tasks = try #require(status.json?["tasks"] as? [[String: Any]])
    let earliest = Dictionary(
      uniqueKeysWithValues: tasks.map {
        ($0["identifier"] as? String ?? "", $0["earliest"] as? String)
      })
    #expect(earliest["diurnal.refresh"] == "2025-12-31T21:30:00Z")
    #expect(earliest["diurnal.engagement"] == "2026-01-01T06:30:00Z")
  }
}
