import FoundationEssentials
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs the small program beside the tests that writes to a store.
enum StoreWriter {
  static func run(
    store: String, killAfter: Int, name: String, count: Int, output: String
  ) throws -> [String] {
    lines(
      try start(store: store, killAfter: killAfter, name: name, count: count, output: output),
      output: output)
  }

  /// Forgets a day in a process that is killed after so many steps; 0 never kills.
  static func forget(store: String, killAfter: Int, day: Int, output: String) throws -> [String] {
    lines(
      try start(["forget", store, "\(killAfter)", "\(day)"], output: output), output: output)
  }

  /// What a reader without any rights but those of everyone is told.
  static func readAsNobody(store: String, output: String) throws -> [String] {
    lines(try start(["read", store], output: output), output: output)
  }

  static func start(
    store: String, killAfter: Int, name: String, count: Int, output: String
  ) throws -> pid_t {
    try start(["write", store, "\(killAfter)", name, "\(count)"], output: output)
  }

  private static func start(_ arguments: [String], output: String) throws -> pid_t {
    let words = [program] + arguments
    var child: pid_t = 0
    #if canImport(Glibc)
      var actions = unsafe posix_spawn_file_actions_t()
    #else
      var actions: posix_spawn_file_actions_t? = nil
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
    var argv: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe argv.indices { unsafe free(argv[index]) } }
    let code = unsafe posix_spawn(&child, program, &actions, nil, &argv, environ)
    try #require(code == 0, "\(program) cannot be started")
    return child
  }

  static func lines(_ child: pid_t, output: String) -> [String] {
    var status: Int32 = 0
    unsafe waitpid(child, &status, 0)
    let text = FileManager.default.contents(atPath: output) ?? Data()
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// It is built beside the test program.
  private static var program: String {
    #if os(Linux)
      let tests =
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
      return URL(filePath: tests).deletingLastPathComponent().appending(path: "storewriter").path
    #else
      return SharedData.checkout.appending(path: ".build/debug/storewriter").path
    #endif
  }
}
