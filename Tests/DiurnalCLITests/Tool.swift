import Foundation
import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

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
  func run(_ words: [String]) throws -> Outcome { try run(words, by: Self.executable) }

  /// Runs a program with these words in the surroundings of the tool, and waits for it.
  func run(_ words: [String], by program: URL) throws -> Outcome {
    let process = Process()
    process.executableURL = program
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

  /// Runs `diurnal` with these words in place of a shell that has done `preparation`, such as to set a limit.
  func runInShell(_ preparation: String, _ words: [String]) throws -> Outcome {
    try run(
      ["-c", "\(preparation); exec \"$0\" \"$@\"", Self.executable.path] + words,
      by: URL(filePath: "/bin/sh"))
  }

  /// Starts `diurnal` with these words and does not wait for it.
  func start(_ words: [String], output: FileHandle) throws -> Process {
    let process = Process()
    process.executableURL = Self.executable
    process.arguments = words
    process.environment = environment
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
    return process
  }

  /// Starts `diurnal` with these words as a child of this process itself, whose memory can be asked for.
  func spawn(_ words: [String]) throws -> pid_t {
    var argv: [UnsafeMutablePointer<CChar>?] =
      unsafe ([Self.executable.path] + words).map { unsafe strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] =
      unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
    defer {
      for index in unsafe argv.indices { unsafe free(argv[index]) }
      for index in unsafe envp.indices { unsafe free(envp[index]) }
    }
    #if canImport(Glibc)
      var actions = unsafe posix_spawn_file_actions_t()
    #else
      var actions: posix_spawn_file_actions_t? = nil
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    var child: pid_t = 0
    let code = unsafe posix_spawn(&child, Self.executable.path, &actions, nil, &argv, &envp)
    guard code == 0 else { throw POSIXError(.init(rawValue: code) ?? .EIO) }
    return child
  }

  /// Runs `diurnal` with these words on a terminal made by script(1); all that it showed there.
  func runOnTerminal(_ words: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/script")
    let typescript = folder.appending(path: "typescript")
    #if os(Linux)
      let command = ([Self.executable.path] + words).map { "'\($0)'" }.joined(separator: " ")
      process.arguments = ["-qec", command, typescript.path]
    #else
      process.arguments = ["-q", typescript.path, Self.executable.path] + words
    #endif
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return try String(contentsOf: typescript, encoding: .utf8)
  }

  /// Writes a file into the tool's folder and returns its path.
  func file(_ name: String, _ text: String) throws -> String {
    let file = folder.appending(path: name)
    try Data(text.utf8).write(to: file)
    return file.path
  }
}
