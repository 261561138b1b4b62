internal import LinearAlgebra

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

/// The `diurnal` tool: finds the command, runs it, and turns what went wrong into a sentence and an
/// exit code.
@main struct Main {
  static let version = "0.2.0"

  static func main() async {
    if let shortage = ProcessLimits.shortage {
      Terminal.remark("diurnal: \(shortage)")
      exit(ExitCode.failed.rawValue)
    }
    // The first act of the process: a kernel can only be changed before the first BLAS call.
    BLASRuntime.prepare()
    BLASRuntime.keepFreedMemory()
    let code = await run(Array(CommandLine.arguments.dropFirst()))
    exit(code.rawValue)
  }

  private static func run(_ words: [String]) async -> ExitCode {
    do {
      Terminal.beginPages(isWanted: !words.contains("--no-pager"))
      if let help = CommandTable.help(forGroupIn: words) {
        Terminal.result(help)
        return try said()
      }
      guard let (command, rest) = try CommandTable.find(in: words) else {
        return try overview(words)
      }
      let arguments = try ParsedArguments(rest, syntax: command.syntax)
      if arguments.has("--help") {
        Terminal.result(command.syntax.help)
        return try said()
      }
      if !command.isReading { Terminal.endPages() }
      let context = try Context(arguments)
      let asked = try command.init(arguments)
      if asked.finishesPendingWork { await context.finishPendingWork() }
      try await asked.run(in: context)
      if asked.isLaunch { await context.launch() }
      return try said()
    } catch {
      Terminal.endPages()
      let failure = Failure(error)
      if words.prefix(while: { $0 != "--" }).contains("--json") {
        Terminal.remark(failure.json)
      } else {
        Terminal.remark("diurnal: \(failure.message)")
      }
      return failure.code
    }
  }

  private static func overview(_ words: [String]) throws(Failure) -> ExitCode {
    if words.contains("--version") {
      Terminal.result("diurnal \(version)\n")
      return try said()
    }
    if words.contains(where: { ["--help", "-h", "help"].contains($0) }) {
      Terminal.result(CommandTable.overview)
      return try said()
    }
    let known = CommandSyntax.globalOptions.map(\.name)
    let names = words.filter { $0.hasPrefix("-") }.compactMap { $0.split(separator: "=").first }
    if let name = names.map(String.init).first(where: { !known.contains($0) }) {
      let hint = Suggestion.text(for: name, among: known)
      throw Failure(.usage, "unknown option \(name)\(hint)\nSee: diurnal --help")
    }
    throw Failure(.usage, "no command given\n\n\(CommandTable.overview)")
  }

  /// Done, if what there was to say could be said.
  private static func said() throws(Failure) -> ExitCode {
    Terminal.endPages()
    guard Terminal.isHeard else {
      throw Failure(
        .inputOutput, "the output could not be written: check that its disk has room and try again")
    }
    return .done
  }
}

/// One command of the tool.
protocol Command: Sendable {
  static var syntax: CommandSyntax { get }

  /// Reads what was given; wrong usage is found here, before anything is opened.
  init(_ arguments: ParsedArguments) throws(Failure)

  /// Does the work: results to standard output, remarks to standard error.
  func run(in context: Context) async throws

  /// Whether its output is there to be read at leisure, and may be shown in pages.
  static var isReading: Bool { get }

  /// Whether it changes the log. Then it is a launch, as the start of an app is: what does not wait of the
  /// background tasks is submitted after it, so that nobody has to think of it.
  var isLaunch: Bool { get }

  /// Whether what an earlier command has left to be done is done before it.
  var finishesPendingWork: Bool { get }
}

extension Command {
  /// Most commands do something.
  static var isReading: Bool { false }

  /// Most commands only look.
  var isLaunch: Bool { false }

  /// A launch does it after its own work.
  var finishesPendingWork: Bool { !isLaunch }
}
