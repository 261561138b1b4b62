import Foundation
import Testing

@Suite struct `Watching in a process that stays` {
  @Test func `runs what is eligible and ends quietly when told to`() throws {
    let tool = try Tool()
    tool.environment["DIURNAL_POWER_SUPPLY"] = tool.folder.appending(path: "none").path
    let output = try tool.file("watch.txt", "")
    let process = try tool.start(
      ["tasks", "watch"], output: try #require(FileHandle(forWritingAtPath: output)))
    let deadline = Date.now.addingTimeInterval(30)
    var text = ""
    while !text.contains("diurnal.retrain done"), process.isRunning, Date.now < deadline {
      Thread.sleep(forTimeInterval: 0.05)
      text = try String(contentsOfFile: output, encoding: .utf8)
    }
    #expect(text.contains("diurnal.retrain done"))
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 0)
    #expect(try tool.run("tasks", "watch", "--every", "0").status == 64)
  }
}
