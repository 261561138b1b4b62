import Foundation
import TestSupport
import Testing

@Suite struct `The looks of the output` {
  private static let evening = ["--now", "2025-12-31T20:00:00Z"]
  private static let reading = [
    ["show"], ["show", "--last", "3", "--provenance"], ["show", "mood", "--last", "40"],
    ["predict"], ["explain", "mood"], ["explain", "symptom.headache"], ["backtest"],
    ["insights"], ["insights", "--all"], ["metrics"], ["settings"],
    ["tasks", "status"], ["doctor"], ["--help"], ["log", "--help"], ["settings", "--help"],
    ["import", "--help"], ["tasks", "--help"],
  ]

  /// A log of a year with models.
  private func trained() throws -> Tool {
    let tool = try Tool()
    let year = SharedData.checkout.appending(path: "Datasets/year.csv").path
    #expect(try tool.run(Self.evening + ["import", year]).status == 0)
    let train = ["train", "mood", "symptom.headache", "sleep_hours", "steps"]
    #expect(try tool.run(Self.evening + train).status == 0)
    return tool
  }

  @Test func `no line of any command is wider than the terminal`() throws {
    let tool = try trained()
    for width in [60, 80, 100, 120] {
      tool.environment["COLUMNS"] = "\(width)"
      for words in Self.reading {
        let outcome = try tool.run(Self.evening + words)
        #expect(!outcome.output.isEmpty, "\(words): \(outcome.remarks)")
        // A path or a name that is longer than a line cannot be divided.
        let store = tool.store
        for line in (outcome.output + outcome.remarks).split(separator: "\n")
        where !line.contains(store) {
          #expect(line.count <= width, "\(words) at \(width): \(line)")
        }
      }
    }
  }

  @Test func `a terminal without other letters than ASCII gets no others`() throws {
    let tool = try trained()
    tool.environment["LC_ALL"] = "C"
    for words in Self.reading {
      let outcome = try tool.run(Self.evening + words)
      #expect(outcome.output.utf8.allSatisfy { $0 < 0x80 }, "\(words): \(outcome.output)")
      #expect(outcome.remarks.utf8.allSatisfy { $0 < 0x80 }, "\(words): \(outcome.remarks)")
    }
  }

  @Test func `the sum of explain is the forecast of predict`() throws {
    let tool = try trained()
    let rows = try tool.run(Self.evening + ["predict", "mood"]).output.split(separator: "\n")
    let forecast = try #require(
      rows.last?.split(separator: " ").compactMap { Double($0) }.first)
    let lines = try tool.run(Self.evening + ["explain", "mood"]).output.split(separator: "\n")
    func value(_ line: Substring) -> Double? {
      line.split(separator: " ").last.flatMap { Double($0) }
    }
    let start = try #require(lines.firstIndex { $0.hasPrefix("an average day") })
    let end = try #require(lines.firstIndex { $0.hasPrefix("the forecast") })
    let total = lines[start..<end].compactMap(value).reduce(0, +)
    let told = try #require(value(lines[end]))
    #expect(lines[start..<end].allSatisfy { value($0) != nil })
    // Each line has three decimals; the forecast of predict has two.
    #expect(abs(total - told) < 1e-9)
    #expect(abs(told - forecast) <= 0.005 + 1e-9)
  }

  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: "/usr/bin/script"), "there is no script(1)"))
  func `long output goes to the pager of a terminal, and only there`() throws {
    let tool = try trained()
    tool.environment["LINES"] = "10"
    tool.environment["PAGER"] = "sed s/^/paged:/"
    let long = Self.evening + ["show", "mood", "--last", "40"]
    #expect(try tool.runOnTerminal(long).contains("paged:2025-12-30"))
    #expect(try !tool.run(long).output.contains("paged:"))
    #expect(try !tool.runOnTerminal(long + ["--no-pager"]).contains("paged:"))
    #expect(
      try !tool.runOnTerminal(Self.evening + ["show", "mood", "--last", "3"]).contains("paged:"),
      "it fits the terminal")
    tool.environment["PAGER"] = "/nowhere/at/all"
    #expect(try tool.runOnTerminal(long).contains("2025-12-30"), "no pager loses nothing")
    tool.environment["PAGER"] = "sed s/^/paged:/"
    tool.environment["NO_PAGER"] = "1"
    #expect(try !tool.runOnTerminal(long).contains("paged:"))
  }

  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: "/usr/bin/script"), "there is no script(1)"))
  func `headings stand out on a terminal, unless NO_COLOR is set`() throws {
    let tool = try trained()
    let words = Self.evening + ["metrics"]
    #expect(try tool.runOnTerminal(words).contains("\u{1B}[1m"))
    #expect(try !tool.run(words).output.contains("\u{1B}"))
    tool.environment["NO_COLOR"] = "1"
    #expect(try !tool.runOnTerminal(words).contains("\u{1B}"))
  }
}
