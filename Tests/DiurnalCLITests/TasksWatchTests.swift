import CSQLite
import Foundation
import Testing

@Suite struct `Watching in a process that stays` {
  /// Starts watching, and reads what it says until it has said this, has ended, or a minute is over.
  private func watch(_ tool: Tool, until words: String) throws -> (Process, text: String) {
    let output = try tool.file("watch.txt", "")
    let process = try tool.start(
      ["tasks", "watch"], output: try #require(FileHandle(forWritingAtPath: output)))
    let deadline = Date.now.addingTimeInterval(60)
    var text = ""
    while !text.contains(words), process.isRunning, Date.now < deadline {
      Thread.sleep(forTimeInterval: 0.05)
      text = try String(contentsOfFile: output, encoding: .utf8)
    }
    return (process, text)
  }

  @Test func `runs what is eligible and ends quietly when told to`() throws {
    let tool = try Tool()
    try tool.run("log", "today", "mood=5")
    tool.environment["DIURNAL_POWER_SUPPLY"] = tool.folder.path  // without a supply
    let (process, text) = try watch(tool, until: "diurnal.retrain done")
    #expect(text.contains("diurnal.retrain done"))
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 0)
    #expect(try tool.run("tasks", "watch", "--every", "0").status == 64)
  }

  @Test func `goes on where another program keeps the log to itself for a while`() throws {
    let tool = try Tool()
    try tool.run("log", "today", "mood=5")
    var handle: OpaquePointer?
    try #require(unsafe sqlite3_open(tool.store, &handle) == SQLITE_OK)
    defer { unsafe sqlite3_close(handle) }
    try #require(
      unsafe sqlite3_exec(handle, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
    let (process, text) = try watch(tool, until: "the next look tries again")
    #expect(text.contains("Another process is writing to \(tool.store)"))
    #expect(process.isRunning)
    unsafe sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test func `is not kept from the other tasks, nor from its end, by a pipe among the exports`()
    throws
  {
    let tool = try Tool()
    tool.environment["DIURNAL_POWER_SUPPLY"] = tool.folder.path  // without a supply
    let exports = tool.folder.appending(path: "exports")
    try FileManager.default.createDirectory(at: exports, withIntermediateDirectories: true)
    try #require(unsafe mkfifo(exports.appending(path: "pipe").path, 0o600) == 0)
    try tool.run("settings", "refresh.sources", exports.path)
    let (process, text) = try watch(tool, until: "diurnal.insight done")
    #expect(text.contains("diurnal.refresh done") && text.contains("diurnal.insight done"))
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(
      try tool.run("tasks", "status").output.contains("pipe: is a pipe or device"))
  }
}
