import Foundation
import TestSupport

/// The built `diurnal` tool, run as its users run it: a process with a store in a folder of its own.
///
/// Nothing of the surroundings reaches it but what a test passes: no store, no zone, no home.
final class Tool {
  /// What a finished process left behind.
  struct Outcome {
    let status: Int32
    let output: String
    let remarks: String

    /// The output as a JSON object, read by a parser that is not ours.
    var json: [String: Any]? {
      (try? JSONSerialization.jsonObject(with: Data(output.utf8))) as? [String: Any]
    }
  }

  let folder: URL
  var environment: [String: String]

  /// A tool with an empty folder, which is removed with it.
  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "diurnal-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    environment = [
      "DIURNAL_STORE": folder.appending(path: "log.sqlite").path, "TZ": "UTC",
      "PATH": "/usr/bin:/bin",
    ]
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The store that the tool uses unless told otherwise.
  var store: String { environment["DIURNAL_STORE"] ?? "" }

  private static let executable = URL(filePath: CommandLine.arguments[0])
    .resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "diurnal")

  /// Runs `diurnal` with these words and waits for it.
  @discardableResult
  func run(_ words: String...) throws -> Outcome { try run(words) }

  /// Runs `diurnal` with these words and waits for it.
  @discardableResult
  func run(_ words: [String]) throws -> Outcome {
    let process = Process()
    process.executableURL = Self.executable
    process.arguments = words
    process.environment = environment
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    // Files rather than pipes: a long output cannot block the process while nobody reads it.
    let output = folder.appending(path: ".output-\(UUID().uuidString)")
    let remarks = folder.appending(path: ".remarks-\(UUID().uuidString)")
    for file in [output, remarks] { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: remarks)
    try process.run()
    process.waitUntilExit()
    defer { for file in [output, remarks] { try? FileManager.default.removeItem(at: file) } }
    return Outcome(
      status: process.terminationReason == .uncaughtSignal ? -1 : process.terminationStatus,
      output: try String(contentsOf: output, encoding: .utf8),
      remarks: try String(contentsOf: remarks, encoding: .utf8))
  }

  /// Writes a file into the tool's folder and returns its path.
  func file(_ name: String, _ text: String) throws -> String {
    let file = folder.appending(path: name)
    try Data(text.utf8).write(to: file)
    return file.path
  }
}
