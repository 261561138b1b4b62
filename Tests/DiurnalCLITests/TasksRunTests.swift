import CSQLite
import Foundation
import Testing

@Suite struct `Running what is eligible` {
  private func tool() throws -> Tool {
    let tool = try Tool()
    tool.environment["DIURNAL_POWER_SUPPLY"] = tool.folder.path  // without a supply
    return tool
  }

  @Test func `in many processes at once runs each task in one of them`() throws {
    let tool = try tool()
    try tool.run("--now", "2026-01-05T10:00:00Z", "log", "today", "mood=5")
    let words = ["--now", "2026-01-05T10:00:00Z", "--json", "tasks", "run"]
    let processes = try (0..<6).map { number in
      let path = try tool.file("run-\(number)", "")
      let output = try #require(FileHandle(forWritingAtPath: path))
      return (path: path, process: try tool.start(words, output: output))
    }
    var begun: [String] = []
    for (path, process) in processes {
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      let text = try Data(contentsOf: URL(filePath: path))
      let json = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
      let runs = try #require(json["runs"] as? [[String: Any]])
      #expect(runs.allSatisfy { $0["success"] as? Bool == true })
      begun += runs.compactMap { $0["identifier"] as? String }
    }
    #expect(
      begun.sorted() == [
        "diurnal.engagement", "diurnal.insight", "diurnal.refresh", "diurnal.retrain",
      ])
  }

  @Test func `on a log that another program keeps to itself fails in words, and changes nothing`()
    throws
  {
    let tool = try tool()
    try tool.run("log", "today", "mood=5")
    var handle: OpaquePointer?
    try #require(unsafe sqlite3_open(tool.store, &handle) == SQLITE_OK)
    defer { unsafe sqlite3_close(handle) }
    try #require(
      unsafe sqlite3_exec(handle, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
    let locked = try tool.run("tasks", "run")
    #expect(locked.status == 1)
    #expect(locked.remarks.contains("Another process is writing to \(tool.store)"))
    // To look needs no lock.
    #expect(try tool.run("tasks", "status").status == 0)
    unsafe sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
    #expect(try tool.run("tasks", "run").output.contains("diurnal.retrain done"))
  }
}
