internal import LinearAlgebra

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Glibc)
  internal import Glibc
#endif

/// The `diurnal` tool: finds the command, runs it, and turns what went wrong into a sentence and an
/// exit code.
@main struct Main {
  static let version = "0.1.0"

  static func main() async {
    // The first act of the process: a kernel can only be changed before the first BLAS call.
    BLASRuntime.prepare()
    let code = await run(Array(CommandLine.arguments.dropFirst()))
    exit(code.rawValue)
  }

  private static func run(_ words: [String]) async -> ExitCode {
    do {
      guard let (command, rest) = try CommandTable.find(in: words) else {
        return try overview(words)
      }
      let arguments = try ParsedArguments(rest, syntax: command.syntax)
      if arguments.has("--help") {
        Terminal.result(command.syntax.help)
        return .done
      }
      let context = try Context(arguments)
      try await command.init(arguments).run(in: context)
      if CommandTable.launches.contains(command.syntax.name) { await context.launch() }
      return .done
    } catch {
      let failure = Failure(error)
      Terminal.remark("diurnal: \(failure.message)")
      return failure.code
    }
  }

  private static func overview(_ words: [String]) throws(Failure) -> ExitCode {
    if words.contains("--version") {
      Terminal.result("diurnal \(version)\n")
      return .done
    }
    if words.contains("--help") || words.first == "help" {
      Terminal.result(CommandTable.overview)
      return .done
    }
    throw Failure(.usage, "no command given\n\n\(CommandTable.overview)")
  }
}

/// One command of the tool.
protocol Command: Sendable {
  static var syntax: CommandSyntax { get }

  /// Reads what was given; wrong usage is found here, before anything is opened.
  init(_ arguments: ParsedArguments) throws(Failure)

  /// Does the work: results to standard output, remarks to standard error.
  func run(in context: Context) async throws
}
