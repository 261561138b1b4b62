import CSQLite
import Foundation
import Testing

@Suite struct `Settings on the command line` {
  @Test func `are shown of no log, and none is made`() throws {
    let tool = try Tool()
    let shown = try tool.run("settings", "--json")
    #expect(shown.status == 0)
    #expect(shown.json?["notifications"] as? String == "on")
    #expect(shown.json?["day.start"] as? String == "00:00")
    #expect(!FileManager.default.fileExists(atPath: tool.store))
  }

  @Test func `STO_5: are shown of a log that cannot be written to, and nothing is tried`() throws {
    let tool = try Tool()
    try tool.run("settings", "quiet.hours", "21:00-06:30")
    var handle: OpaquePointer?
    try #require(unsafe sqlite3_open(tool.store, &handle) == SQLITE_OK)
    try #require(
      unsafe sqlite3_exec(handle, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
    let shown = try tool.run("settings", "quiet.hours")
    #expect(shown.output == "  quiet.hours  21:00-06:30\n")
    #expect(shown.remarks == "")
    unsafe sqlite3_close(handle)
    try tool.run("settings", "quiet.hours", "--unset")
    #expect(try tool.run("settings", "quiet.hours").output == "  quiet.hours  22:00-07:00\n")
  }

  @Test
  func `that are lists may have blanks, and folders are kept as they are found from anywhere`()
    throws
  {
    let tool = try Tool()
    try tool.run("log", "2026-01-05", "mood=4")
    try tool.run("log", "2026-01-05", "--clear", "mood")
    try tool.run("settings", "sources.order", " oura, fitbit ,")
    #expect(try tool.run("settings", "sources.order").output == "  sources.order  oura, fitbit\n")
    let table = try tool.file("days.csv", "day,steps\n2026-01-05,8000\n")
    #expect(try tool.run("import", table).status == 0)
    let exports = tool.folder.appending(path: "my exports/below")
    try FileManager.default.createDirectory(at: exports, withIntermediateDirectories: true)
    _ = try tool.file("my exports/below/a.csv", "day,mood\n2026-01-05,4\n")
    try tool.run("settings", "refresh.sources", "missing, my exports")
    let folder = tool.folder.resolvingSymlinksInPath().path
    #expect(
      try tool.run("settings", "refresh.sources").output
        == "  refresh.sources  \(folder)/missing, \(folder)/my exports\n")
    let run = try tool.run("tasks", "run")
    #expect(run.output.contains("diurnal.refresh not done"))
    #expect(run.output.contains("\(folder)/missing: is not there"))
    #expect(try tool.run("show", "--csv").output == "day,mood,steps\n2026-01-05,4,8000\n")
  }
}
