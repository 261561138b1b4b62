import Foundation
import TestSupport
import Testing

@Suite struct `Imports on the command line` {
  private static let anna = "person,day,mood\nanna,2026-01-05,4\nben,2026-01-05,9\n"
  private static let ben = "person,day,steps\nben,2026-01-05,9000\n"

  private func values(_ tool: Tool) throws -> [String: Double] {
    let days = try tool.run("show", "--json").json?["days"] as? [[String: Any]]
    let day = try #require(days?.first?["values"] as? [String: [String: Any]])
    return day.compactMapValues { $0["value"] as? Double }
  }

  @Test func `a file without the person asked for is said and passed over`() throws {
    let tool = try Tool()
    let both = try tool.file("both.csv", Self.anna)
    let other = try tool.file("other.csv", Self.ben)
    let plain = try tool.file("plain.csv", "day,steps\n2026-01-05,1\n")
    let outcome = try tool.run("import", "--person", "anna", other, plain, both)
    #expect(outcome.status == 0, "\(outcome.remarks)")
    #expect(outcome.remarks.contains("passed over: \(other): does not hold that person"))
    #expect(outcome.remarks.contains("passed over: \(plain): "))
    #expect(outcome.output.hasPrefix("\(both) (csv): 1 added; 1 metric on 2026-01-05\n"))
    #expect(try values(tool) == ["mood": 4])

    // The same files again: what is known was read for that person.
    #expect(try tool.run("import", "--person", "anna", other, plain, both).status == 0)
  }

  @Test func `a person whom no file holds is bad input`() throws {
    let tool = try Tool()
    let files = [try tool.file("both.csv", Self.anna), try tool.file("other.csv", Self.ben)]
    let outcome = try tool.run(["import", "--person", "carla"] + files)
    #expect(outcome.status == 65)
    #expect(outcome.remarks.contains("no file holds the person that --person names"))
    // One file alone says whom it holds.
    let single = try tool.run("import", "--person", "carla", files[0])
    #expect(single.status == 65)
    #expect(single.remarks.contains("does not hold that person; it holds 2, such as anna, ben"))
  }

  @Test func `another day start asks again only for the files that have times`() throws {
    let tool = try Tool()
    let plain = try tool.file("plain.csv", "day,mood\n2026-01-05,4\n")
    let timed = try tool.file("timed.csv", "day,stress\n2026-01-05 02:00,4\n")
    try tool.run("import", plain, timed)
    let note = try tool.run("settings", "day.start", "04:00").remarks
    #expect(note == "note: import again, by the new day start: timed.csv\n")

    let again = try tool.run("import", plain, timed)
    #expect(again.output.contains("\(plain): 0 new, this file was imported before"))
    #expect(again.output.contains("\(timed) (csv): 1 added; 1 metric on 2026-01-04"))
    #expect(try tool.run("settings", "day.start", "04:00").remarks.isEmpty)
  }

  @Test func `says what came in, and nothing of what did not happen`() throws {
    let tool = try Tool()
    let first = try tool.file(
      "first.csv", "day,mood,steps,note\n2026-01-05,4,8000,a\n2026-01-07,5,,b\n2026-13-01,5,,\n")
    #expect(
      try tool.run("--now", "2026-01-08T08:00:00Z", "import", first).output == """
        \(first) (csv): 3 added; 2 metrics on 2 days, 2026-01-05 to 2026-01-07
          1 rejected: no readable date (line 4)
          columns not read: note (no measurement)

        """)
    try tool.run("--now", "2026-01-08T09:00:00Z", "log", "2026-01-07", "mood=7")
    let second = try tool.file(
      "second.csv", "day,mood,steps\n2026-01-05,4,9000\n2026-01-07,6,\n2026-01-08,,\n")
    #expect(
      try tool.run("--now", "2026-01-09T08:00:00Z", "import", second).output == """
        \(second) (csv): 0 added, 1 refreshed, 1 kept because typed, 1 already known; 2 metrics on 2 days, \
        2026-01-05 to 2026-01-07

        """)
    let empty = try tool.file("empty.csv", "day,mood\n2026-01-05,\n")
    #expect(try tool.run("import", empty).output == "\(empty) (csv): no values\n")
  }

  @Test
  func `says what is no file, and names only the first of a folder's files that are no export`()
    throws
  {
    let tool = try Tool()
    let missing = tool.folder.appending(path: "missing.csv").path
    #expect(try tool.run("import", missing).remarks == "diurnal: \(missing): is not there\n")

    let folder = tool.folder.appending(path: "takeout").path
    try FileManager.default.createDirectory(
      atPath: folder + "/below", withIntermediateDirectories: true)
    for index in 0..<7 { _ = try tool.file("takeout/below/\(index).txt", "nothing") }
    let table = try tool.file("takeout/days.csv", "day,,mood\n2026-01-05,note,4\n")
    let outcome = try tool.run("import", folder)
    #expect(outcome.status == 0)
    let lines = outcome.remarks.split(separator: "\n")
    #expect(lines.count == 5)
    #expect(
      lines.first?.hasPrefix("passed over: \(folder)/below/0.txt: is in no known format") == true)
    #expect(lines.last == "passed over: 3 more (--json names them)")
    #expect(
      outcome.output == """
        \(table) (csv): 1 added; 1 metric on 2026-01-05
          columns not read: (without a name) (text)

        """)
  }
}
