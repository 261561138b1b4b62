import Foundation
import Testing

@Suite struct `What a shell and man are given` {
  private static let bash = "/bin/bash"

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: bash), "there is no bash"))
  func `bash completes commands, their options and the names of settings`() throws {
    let tool = try Tool()
    let script = try tool.file("completions.bash", try tool.run("completions", "bash").output)
    func completed(_ words: String...) throws -> Set<Substring> {
      let line = words.map { "'\($0)'" }.joined(separator: " ")
      let outcome = try tool.run(
        [
          "-c",
          "source \(script); COMP_WORDS=(\(line)); COMP_CWORD=\(words.count - 1); _diurnal; "
            + "echo \"${COMPREPLY[*]}\"",
        ], by: URL(filePath: Self.bash))
      #expect(outcome.remarks == "")
      return Set(outcome.output.split { $0 == " " || $0 == "\n" })
    }
    #expect(try completed("diurnal", "pre") == ["predict"])
    #expect(try completed("diurnal", "--store", "x.sqlite", "sh") == ["show"])
    #expect(try completed("diurnal", "show", "--l") == ["--last"])
    #expect(try completed("diurnal", "tasks", "in") == ["install"])
    #expect(try completed("diurnal", "tasks", "install", "--p") == ["--print"])
    #expect(try completed("diurnal", "settings", "day") == ["day.start"])
    #expect(try completed("diurnal", "import", "completions.b") == ["completions.bash"])
  }

  @Test func `every shell's completions name every command and option, and no empty one`() throws {
    let tool = try Tool()
    for shell in ["bash", "zsh", "fish"] {
      let text = try tool.run("completions", shell).output
      for word in ["insights", "simulate", "provenance", "no-pager"] {
        #expect(text.contains(word), "\(shell): \(word)")
      }
      #expect(!text.contains("-l  "), "\(shell)")
    }
    let wrong = try tool.run("completions", "fis")
    #expect(wrong.status == 64)
    #expect(wrong.remarks.contains("did you mean fish?"))
  }

  @Test func `the manual page has every command, and no line that troff takes for a request`()
    throws
  {
    let page = try Tool().run("manual").output
    #expect(page.hasPrefix(".TH DIURNAL 1"))
    for name in ["diurnal log", "diurnal tasks install", "diurnal sync merge"] {
      #expect(page.contains(".SS \(name)"), "\(name)")
    }
    let requests: Set = [
      ".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".nf", ".fi", ".br", ".nh", ".ad",
    ]
    for line in page.split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
      #expect(requests.contains(String(line.prefix { $0 != " " })), "\(line)")
    }
  }
}
