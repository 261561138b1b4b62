import Diurnal
import Foundation
import Testing

@Suite struct `A message on the desktop` {
  /// A `notify-send` that does what `script` says, in a folder of its own.
  private final class Desktop {
    let folder = FileManager.default.temporaryDirectory.appending(path: "desktop-\(UUID())")
    var environment: [String: String] { ["PATH": "/nowhere:\(folder.path):/usr/bin:/bin"] }

    init(_ script: String, mode: Int = 0o755) throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appending(path: "notify-send")
      // Another process makes the program. A child that some other test starts while this process writes
      // the file would hold it open too, and the system does not start a program that is being written.
      let making = try Process.run(
        URL(filePath: "/bin/sh"),
        arguments: [
          "-c", #"printf '#!/bin/sh\n%s\n' "$1" > "$2" && chmod "$3" "$2""#,
          "sh", script, file.path, String(mode, radix: 8),
        ])
      making.waitUntilExit()
      try #require(making.terminationStatus == 0)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func notifier() throws -> DesktopNotifier {
      try #require(DesktopNotifier(environment: environment))
    }
  }

  @Test func `is given to the program as two texts and nothing else, without markup`() async throws
  {
    let desktop = try Desktop(#"for word in "$@"; do echo "$word"; done > "${0%/*}/words""#)
    try await desktop.notifier().show(title: "Diurnal", body: "a < b & c")
    let words = try String(
      contentsOf: desktop.folder.appending(path: "words"), encoding: .utf8)
    #expect(words == "--app-name=Diurnal\n--\nDiurnal\na &lt; b &amp; c\n")
  }

  @Test func `is not shown where there is no such program, or none that may be run`() throws {
    #expect(DesktopNotifier(environment: ["PATH": "/nowhere"]) == nil)
    #expect(DesktopNotifier(environment: [:]) == nil)
    let desktop = try Desktop("exit 0", mode: 0o644)
    #expect(DesktopNotifier(environment: ["PATH": desktop.folder.path]) == nil)
  }

  @Test func `tells how the program failed, in words without the message`() async throws {
    let failing = try Desktop("exit 3")
    await #expect(throws: DesktopNotifier.Failure.ended(code: 3)) {
      try await failing.notifier().show(title: "t", body: "b")
    }
    let killed = try Desktop("kill -9 $$")
    await #expect(throws: DesktopNotifier.Failure.killed) {
      try await killed.notifier().show(title: "t", body: "b")
    }
    #expect("\(DesktopNotifier.Failure.ended(code: 3))" == "notify-send ended with code 3")
  }

  @Test(.timeLimit(.minutes(1)))
  func `does not keep the loop waiting`() async throws {
    let desktop = try Desktop("exec sleep 600")
    await #expect(throws: DesktopNotifier.Failure.tookTooLong) {
      try await desktop.notifier().show(title: "t", body: "b", timeLimit: .milliseconds(50))
    }
  }
}
