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

@Suite struct `A process that is granted too little` {
  @Test(arguments: ["ulimit -v 320000", "ulimit -n 12"])
  func `says so before anything is changed`(limit: String) throws {
    let tool = try Tool()
    let outcome = try tool.runInShell(limit, ["log", "today", "mood=7"])
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.remarks.contains("nothing was done; raise the limit"))
    #expect(!FileManager.default.fileExists(atPath: tool.store))
  }
}

@Suite struct `A day of long ago` {
  @Test func `is kept and shown, named by the import that brings it, and not learned from`() throws
  {
    let tool = try Tool()
    let rows = (1...40).map { "2026-01-\($0 < 10 ? "0" : "")\($0),\($0 % 7)" }.prefix(31)
    let table = try tool.file(
      "far.csv", (["day,mood", "1970-01-01,5"] + rows).joined(separator: "\n") + "\n")
    let now = ["--now", "2026-02-01T10:00:00Z"]
    let imported = try tool.run(now + ["import", table])
    #expect(imported.output.contains("1970-01-01 lies far from the others"))
    let trained = try tool.run(now + ["train"])
    #expect(trained.status == 0)
    #expect(trained.remarks.contains("not learned from: 1 day up to 1970-01-01 lies too far back"))
    #expect(try tool.run(now + ["show", "--csv"]).output.contains("1970-01-01,5"))
  }
}
