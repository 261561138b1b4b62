import Diurnal
import Foundation
import Testing

@Suite struct `The units for a service manager` {
  static let analyze = "/usr/bin/systemd-analyze"
  static let hasAnalyze = FileManager.default.isExecutableFile(atPath: analyze)

  let units = ServiceUnits(
    program: "/bin/echo",
    arguments: ["--store", "/tmp/100% \"my\" $HOME\\log.sqlite", "tasks", "run"])

  @Test func `say when, for how long, and how to stop`() {
    for line in [
      "Type=oneshot", "TimeoutStartSec=840", "KillSignal=SIGTERM", "TimeoutStopSec=20",
      #"ExecStart="/bin/echo" "--store" "/tmp/100%% \"my\" $$HOME\\log.sqlite" "tasks" "run""#,
    ] {
      #expect(units.systemdService.split(separator: "\n").contains(Substring(line)))
    }
    for line in ["OnCalendar=*:0/15", "Persistent=true", "WantedBy=timers.target"] {
      #expect(units.systemdTimer.split(separator: "\n").contains(Substring(line)))
    }
    #expect(!units.systemdService.contains("RuntimeMaxSec"))
  }

  @Test func `write what controls in a path so that it stays in its word`() {
    let units = ServiceUnits(
      program: "/bin/a", arguments: ["--store", "/tmp/a\rb\nc\u{1B}d\u{85}e.sqlite"])
    #expect(units.systemdService.contains(#""/tmp/a\x0db\nc\x1bd\xc2\x85e.sqlite""#))
    #expect(
      units.launchdPropertyList.contains(
        "<string>/tmp/a&#13;b&#10;c\u{FFFD}d\u{FFFD}e.sqlite</string>"))
  }

  @Test func `keep what is said to the person out of the system's journal, and errors in it`() {
    #expect(units.systemdService.contains("\nStandardOutput=null\n"))
    #expect(!units.systemdService.contains("StandardError"))
    #expect(!units.launchdPropertyList.contains("StandardOutPath"))
  }

  @Test(.enabled(if: hasAnalyze, "systemd-analyze is not installed"))
  func `hold before systemd's own check`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer {
      // Left-over files of a test harm nobody.
      try? FileManager.default.removeItem(at: folder)
    }
    let names = ["diurnal.service", "diurnal.timer"]
    for (name, text) in zip(names, [units.systemdService, units.systemdTimer]) {
      try Data(text.utf8).write(to: folder.appending(path: name))
    }
    let process = Process()
    process.executableURL = URL(filePath: Self.analyze)
    process.arguments =
      ["verify", "--man=no"] + names.map { folder.appending(path: $0).path }
    let output = Pipe()
    process.standardError = output
    process.standardOutput = output
    try process.run()
    let said = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    // What it says of the units of the machine it runs on is not about ours.
    let ours = String(decoding: said, as: UTF8.self).split(separator: "\n").filter {
      $0.contains(folder.path) || $0.contains("diurnal.")
    }
    #expect(ours.isEmpty)
  }

  @Test func `are a property list that a parser reads back`() throws {
    struct Agent: Decodable {
      let label: String
      let arguments: [String]
      let firings: [[String: Int]]
      let grace: Int

      enum CodingKeys: String, CodingKey {
        case label = "Label"
        case arguments = "ProgramArguments"
        case firings = "StartCalendarInterval"
        case grace = "ExitTimeOut"
      }
    }
    let agent = try PropertyListDecoder().decode(
      Agent.self, from: Data(units.launchdPropertyList.utf8))
    #expect(agent.label == "diurnal")
    #expect(agent.arguments == [units.program] + units.arguments)
    #expect(agent.grace == 20)
    #expect(agent.firings.map { $0["Minute"] } == [0, 15, 30, 45])
  }
}
