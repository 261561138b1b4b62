import CSQLite
import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite(.serialized) struct `Models that are wanted` {
  private static let evening = ["--now", "2026-01-01T21:00:00Z", "--zone", "UTC"]
  private static let wanted = ["mood", "mood 3 days ahead", "mood<=4"]

  private let tool: Tool

  /// A log of a hundred days with three models.
  init() throws {
    tool = try Tool()
    var table = "date,mood\n"
    for day in 0..<100 {
      let date = Date(timeIntervalSince1970: 1_757_376_000 + Double(day) * 86_400)
      table += "\(date.formatted(.iso8601.year().month().day())),\([3, 5, 7, 4, 6, 8][day % 6])\n"
    }
    let file = try tool.file("mood.csv", table)
    #expect(try tool.run(Self.evening + ["import", file]).status == 0)
    for words in [
      ["--target", "mood", "--target", "mood<=4"], ["--target", "mood", "--horizon", "3"],
    ] {
      let outcome = try tool.run(Self.evening + ["train"] + words)
      #expect(outcome.status == 0, "\(outcome.remarks)")
    }
    #expect(try models() == Self.wanted)
  }

  private func models() throws -> [String] {
    var handle: OpaquePointer?
    try #require(unsafe sqlite3_open(tool.store, &handle) == SQLITE_OK)
    defer { unsafe sqlite3_close(handle) }
    var statement: OpaquePointer?
    let sql = "SELECT target FROM model ORDER BY target"
    try #require(unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK)
    defer { unsafe sqlite3_finalize(statement) }
    var found: [String] = []
    while unsafe sqlite3_step(statement) == SQLITE_ROW {
      unsafe found.append(String(cString: sqlite3_column_text(statement, 0)))
    }
    return found
  }

  @Test(arguments: [
    ["predict"], ["train"], ["tasks", "run"], ["show"], ["log", "today", "mood=5"],
  ])
  func `come back with the next command after forgetting was killed`(next: [String]) throws {
    for delay in [0.02, 0.05, 0.1, 0.2] {
      let day = "2025-09-\(20 + Int(delay * 40))"
      let process = try tool.start(Self.evening + ["forget", "--yes", day], output: .nullDevice)
      Thread.sleep(forTimeInterval: delay)
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let outcome = try tool.run(Self.evening + next)
      #expect(outcome.status == 0, "after \(delay) s: \(outcome.remarks)")
      #expect(try models() == Self.wanted, "killed after \(delay) s")
    }
  }

  @Test func `are there after two forgettings at once, and what each said is true`() throws {
    for round in 0..<3 {
      let output = FileHandle.nullDevice
      let both = try ["2025-09-1\(round)", "2025-10-1\(round)"].map {
        try tool.start(Self.evening + ["forget", "--yes", $0], output: output)
      }
      for process in both {
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
      }
      #expect(try models() == Self.wanted, "round \(round)")
    }
  }

  @Test func `are there after a training beside a forgetting`() throws {
    for round in 0..<3 {
      let training = try tool.start(Self.evening + ["train", "--full"], output: .nullDevice)
      Thread.sleep(forTimeInterval: 0.03 * Double(round + 1))
      #expect(try tool.run(Self.evening + ["forget", "--yes", "2025-10-2\(round)"]).status == 0)
      training.waitUntilExit()
      #expect(training.terminationStatus == 0)
      #expect(try models() == Self.wanted, "round \(round)")
    }
  }

  @Test func `are not lost to a reader in whose way forgetting stands`() throws {
    var reader: OpaquePointer?
    try #require(unsafe sqlite3_open(tool.store, &reader) == SQLITE_OK)
    let begin = "BEGIN; SELECT count(*) FROM entry"
    try #require(unsafe sqlite3_exec(reader, begin, nil, nil, nil) == SQLITE_OK)
    let outcome = try tool.run(Self.evening + ["forget", "--yes", "2025-10-05"])
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("trained anew: mood, mood 3 days ahead, mood<=4"))
    #expect(outcome.remarks.contains("another program is reading the log"))
    unsafe sqlite3_close(reader)
    let next = try tool.run(Self.evening + ["forget", "--yes", "2025-10-06", "--json"])
    #expect(next.json?["traces_pending"] as? Bool == false)
    #expect(try models() == Self.wanted)
  }
}
