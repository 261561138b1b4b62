internal import DayLog

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Shows a message on the desktop by way of `notify-send`, where there is one.
public struct DesktopNotifier: Sendable {
  /// Why a message could not be shown.
  public enum Failure: Error, Hashable, Sendable {
    /// The program cannot be started; the system's error number.
    case notStarted(code: Int32)
    /// It ended with this code.
    case ended(code: Int32)
    /// A signal ended it.
    case killed
    /// It took too long and was ended.
    case tookTooLong
  }

  /// The full path of the program.
  public let program: String
  private let environment: [String: String]

  /// The first `notify-send` in the folders of `PATH`; nil where there is none. Apple's systems have
  /// none: an app shows messages through `UNUserNotificationCenter`.
  public init?(environment: [String: String]) {
    #if canImport(Darwin)
      return nil
    #else
      let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
      let programs = folders.filter { $0.hasPrefix("/") }.map { $0 + "/notify-send" }
      guard let program = programs.first(where: FileManager.default.isExecutableFile) else {
        return nil
      }
      self.program = program
      self.environment = environment
    #endif
  }

  /// Shows a message and waits until the program has ended.
  ///
  /// Notification servers read markup in a body, so it goes there as text of XML.
  /// Nothing but the two texts goes into its arguments, which other users of the machine may see while it runs.
  public func show(
    title: String, body: String, timeLimit: Duration = .seconds(5)
  ) async throws(Failure) {
    let process = try start([
      "notify-send", "--app-name=Diurnal", "--", title, Harmless.markup(body),
    ])
    let start = ContinuousClock.now
    while true {
      switch Self.end(of: process) {
      case .success(nil): break
      case .success(0?): return
      case .success(let code?): throw .ended(code: code)
      case .failure: throw .killed
      }
      if start.duration(to: .now) >= timeLimit {
        kill(process, SIGKILL)
        Self.reap(process)
        throw .tookTooLong
      }
      do {
        try await Task.sleep(for: .milliseconds(10))
      } catch {
        // The run was told to stop, so its messenger is too.
        kill(process, SIGKILL)
        Self.reap(process)
        throw .killed
      }
    }
  }

  #if canImport(Darwin)
    private func start(_ arguments: [String]) throws(Failure) -> pid_t {
      throw .notStarted(code: ENOSYS)
    }
  #else
    private func start(_ arguments: [String]) throws(Failure) -> pid_t {
      var actions = unsafe posix_spawn_file_actions_t()
      unsafe posix_spawn_file_actions_init(&actions)
      defer { unsafe posix_spawn_file_actions_destroy(&actions) }
      // What it has to say is no result of ours.
      for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
        unsafe posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      }
      var process: pid_t = 0
      let code = unsafe Self.withCStrings(arguments) { words in
        unsafe Self.withCStrings(environment.map { "\($0)=\($1)" }.sorted()) { variables in
          unsafe posix_spawn(&process, program, &actions, nil, words, variables)
        }
      }
      guard code == 0 else { throw .notStarted(code: code) }
      return process
    }

    private static func withCStrings<Result>(
      _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
      var pointers = unsafe texts.map { unsafe strdup($0) } + [nil]
      defer { for place in unsafe pointers.indices { unsafe free(pointers[place]) } }
      return unsafe pointers.withUnsafeMutableBufferPointer { buffer in
        // There is always the nil at the end.
        unsafe body(buffer.baseAddress!)
      }
    }
  #endif

  /// The exit code, nil while it runs; a failure where a signal ended it.
  private static func end(of process: pid_t) -> Result<Int32?, Failure> {
    var status: Int32 = 0
    let found = unsafe waitpid(process, &status, WNOHANG)
    if found == 0 { return .success(nil) }
    // The low seven bits are the signal, the next eight the code.
    return found == process && status & 0x7F == 0
      ? .success((status >> 8) & 0xFF) : .failure(.killed)
  }

  private static func reap(_ process: pid_t) {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
  }
}

extension DesktopNotifier.Failure: CustomStringConvertible {
  /// The failure as the end of a sentence, without the message.
  public var description: String {
    switch self {
    case .notStarted(let code): "notify-send cannot be started (error \(code))"
    case .ended(let code): "notify-send ended with code \(code)"
    case .killed: "notify-send was killed"
    case .tookTooLong: "notify-send took too long"
    }
  }
}
