import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct `Sync on the command line` {
  private func typed(_ words: String...) throws -> Tool {
    let tool = try Tool()
    #expect(try tool.run(["--now", "2026-01-06T09:00:00Z", "log"] + words).status == 0)
    return tool
  }

  @Test func `two devices that merge each other's files show the same days`() throws {
    let (phone, laptop) = (
      try typed("2026-01-05", "mood=7"), try typed("2026-01-04", "energy=3")
    )
    var files: [String] = []
    for tool in [phone, laptop] {
      let file = tool.folder.appending(path: "sync.jsonl").path
      #expect(try tool.run("sync", "export", file).status == 0)
      files.append(file)
    }
    for _ in 0..<2 {
      #expect(try phone.run("sync", "merge", files[1]).status == 0)
      #expect(try laptop.run("sync", "merge", files[0]).status == 0)
    }
    let shown = try phone.run("show", "--csv").output
    #expect(shown == "day,energy,mood\n2026-01-04,3,\n2026-01-05,,7\n")
    #expect(try laptop.run("show", "--csv").output == shown)
    let again = try laptop.run("sync", "merge", files[0], "--json")
    #expect(again.json?["added"] as? Int == 0)
    #expect(again.json?["unchanged"] as? Int == 1)
  }

  @Test func `imported values are exported only when asked for`() throws {
    let tool = try typed("2026-01-05", "mood=7")
    let table = try tool.file("days.csv", "day,steps\n2026-01-05,8000\n")
    #expect(try tool.run("import", table).status == 0)
    let file = tool.folder.appending(path: "sync.jsonl").path
    #expect(try tool.run("sync", "export", file, "--json").json?["entries"] as? Int == 1)
    let all = try tool.run("sync", "export", file, "--imported", "--json")
    #expect(all.json?["entries"] as? Int == 2)
  }

  @Test func `CLI_3: an export replaces its file as a whole or leaves it`() throws {
    let tool = try typed("2026-01-05", "mood=7")
    let file = try tool.file("sync.jsonl", #"{"kind":"diurnal-log","version":1}"#)
    #expect(try tool.run("sync", "export", file).status == 0)
    let first = try String(contentsOfFile: file, encoding: .utf8)
    #expect(first.hasPrefix(#"{"kind":"diurnal-log","version":1}"#))
    let before = try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).sorted()
    #expect(try tool.run("sync", "export", file).status == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == first)
    let after = try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).sorted()
    #expect(after == before)
    let nowhere = try tool.run("sync", "export", "/nowhere/at/all.jsonl")
    #expect(nowhere.status == 74)
    #expect(nowhere.remarks.contains("/nowhere/at/all.jsonl"))
  }

  @Test func `CLI_3: an export that finds no room leaves the file, and nothing beside it`() throws {
    let tool = try typed("2026-01-05", "mood=7")
    let lines = (0..<4000).map {
      #"{"kind":"entry","day":"2025-01-01","metric":"m\#($0)","origin":"typed","source":"a","as_of":1,"value":5}"#
    }
    let large = try tool.file(
      "large.jsonl",
      ([#"{"kind":"diurnal-log","version":1}"#] + lines).joined(separator: "\n"))
    #expect(try tool.run("sync", "merge", large).status == 0)
    let old = #"{"kind":"diurnal-log","version":1}"#
    let file = try tool.file("sync.jsonl", old)
    let before = try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).sorted()
    // Room for the index beside the log, and not for the export: 256 blocks of 512 or 1,024 bytes.
    let outcome = try tool.runInShell(
      "trap '' XFSZ; ulimit -f 256", ["sync", "export", file])
    #expect(outcome.status == 74, "\(outcome.remarks)")
    #expect(outcome.remarks.contains("\(file) cannot be written"))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == old)
    let after = try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).sorted()
    #expect(after == before)
  }

  @Test func `an export replaces neither a device nor a link`() throws {
    let tool = try typed("2026-01-05", "mood=7")
    let pipe = tool.folder.appending(path: "pipe").path
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    #expect(try tool.run("sync", "export", pipe).status == 74)
    let kind = try FileManager.default.attributesOfItem(atPath: pipe)[.type]
    #expect(kind as? FileAttributeType != .typeRegular)
    let target = try tool.file("target.jsonl", "")
    let link = tool.folder.appending(path: "link.jsonl").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    #expect(try tool.run("sync", "export", link).status == 0)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
    #expect(try String(contentsOfFile: target, encoding: .utf8).contains("mood"))
  }

  @Test func `a file with an error merges nothing and tells its path and line`() throws {
    let tool = try typed("2026-01-05", "mood=7")
    let file = try tool.file(
      "broken.jsonl",
      """
      {"kind":"diurnal-log","version":1}
      {"kind":"entry","day":"2026-01-01","metric":"mood","origin":"typed","source":"a","as_of":1,"value":5}
      {"kind":"entry","day":"2026-01-02","metric":"mood","origin":"typed","source":"a","as_of":1,"va
      """)
    let outcome = try tool.run("sync", "merge", file)
    #expect(outcome.status == 65)
    #expect(outcome.remarks.contains("\(file):3: "))
    #expect(!outcome.remarks.contains("line 3"), "the line is named once")
    #expect(try tool.run("show", "--csv").output == "day,mood\n2026-01-05,7\n")
  }

  @Test func `an export never takes the place of a log, by whatever name it is called`() throws {
    let tool = try typed("2026-01-05", "mood=7")
    let other = try typed("2026-01-05", "energy=3")
    let symbolic = tool.folder.appending(path: "symbolic.jsonl").path
    try FileManager.default.createSymbolicLink(
      atPath: symbolic, withDestinationPath: tool.store)
    let hard = tool.folder.appending(path: "hard.jsonl").path
    try FileManager.default.linkItem(atPath: tool.store, toPath: hard)
    let shown = try tool.run("show", "--csv").output
    for path in [tool.store, symbolic, hard, other.store, tool.store + "-wal"] {
      for words in [["sync", "export", path], ["sync", "export", "--force", path]] {
        let outcome = try tool.run(words)
        #expect(outcome.status == 64)
        #expect(outcome.remarks.contains("\(path) is a log, which nothing is written over"))
      }
    }
    #expect(try tool.run("show", "--csv").output == shown)
    #expect(try other.run("show", "--csv").output == "day,energy\n2026-01-05,3\n")
  }

  @Test func `a file that is no export stays unless the person says that it may go`() throws {
    let tool = try typed("2026-01-05", "mood=7")
    let diary = try tool.file("diary.txt", "Dear diary")
    let refused = try tool.run("sync", "export", diary)
    #expect(refused.status == 1)
    #expect(refused.remarks.contains("--force"))
    #expect(try String(contentsOfFile: diary, encoding: .utf8) == "Dear diary")
    let nowhere = tool.folder.appending(path: "nowhere.jsonl").path
    try FileManager.default.createSymbolicLink(
      atPath: nowhere, withDestinationPath: tool.folder.appending(path: "none").path)
    #expect(try tool.run("sync", "export", nowhere).status == 74)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: nowhere).hasSuffix("none"))
    #expect(try tool.run("sync", "export", "--force", diary).status == 0)
    #expect(try String(contentsOfFile: diary, encoding: .utf8).contains("diurnal-log"))
  }

  @Test func `what a killed export left is removed by the next, and what a live one writes is not`()
    throws
  {
    let tool = try typed("2026-01-05", "mood=7")
    let file = tool.folder.appending(path: "sync.jsonl").path
    // No process has a number beyond the system's limit.
    let abandoned = try tool.file("sync.jsonl.2000000000.partial", "secret")
    let live = try tool.file("sync.jsonl.\(getpid()).partial", "being written")
    #expect(try tool.run("sync", "export", file).status == 0)
    #expect(!FileManager.default.fileExists(atPath: abandoned))
    #expect(FileManager.default.fileExists(atPath: live))
  }
}
