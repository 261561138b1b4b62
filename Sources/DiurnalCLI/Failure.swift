internal import DayLog

/// How a process ends, by the numbers of `sysexits.h`.
enum ExitCode: Int32, Sendable {
  case done = 0
  case failed = 1
  case usage = 64
  case badInput = 65
  case inputOutput = 74
  /// SIGTERM came before the work was done: 128 and its number, as shells tell it.
  case terminated = 143
}

/// Why a command did not do what was asked: one sentence that says what, where and what to do, and
/// never a value of the log.
struct Failure: Error, Sendable {
  let code: ExitCode
  let message: String

  /// A failure with this exit code.
  init(_ code: ExitCode, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The same of a file that the person knows by another name.
  func naming(_ name: String, insteadOf path: String) -> Failure {
    name == path ? self : Failure(code, message.replacing(path, with: name))
  }

  /// The failure as scripts read it, on standard error where --json is given.
  var json: JSONValue {
    .object([
      (
        "error",
        .object([("code", .integer(Int(code.rawValue))), ("message", .string(message))])
      )
    ])
  }

  /// A metric that the log does not have.
  static func unknown(_ metric: Metric, among logged: some Sequence<Metric>) -> Failure {
    let hint = Suggestion.text(for: metric.name, among: logged.map(\.name).sorted())
    return Failure(
      .badInput, "the log has no metric \(metric)\(hint)\nSee: diurnal metrics")
  }

  /// A command line that the command does not take.
  static func usage(_ message: String, _ syntax: CommandSyntax) -> Failure {
    Failure(.usage, "\(message)\nUsage: \(syntax.usage)\nSee: diurnal \(syntax.name) --help")
  }
}
