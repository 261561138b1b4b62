internal import DayLog
internal import Diurnal

/// `diurnal backup`: a complete copy.
struct BackupCommand: Command {
  static let syntax = CommandSyntax(
    name: "backup", summary: "write a complete copy of the log to a file",
    operands: [
      Operand(
        name: "FILE", count: .one, help: "a new file, or an earlier backup, which it replaces")
    ],
    options: [
      .flag("--force", "write over a file that is no backup; a log is never written over")
    ],
    discussion: """
      The copy is of one moment, also while others write, and takes its place only once it is complete. To go
      back to it, copy it to where the log was, or give it with --store.
      What is forgotten later stays in a backup: make a new one after forgetting.
      """,
    example: "diurnal backup diurnal-backup.sqlite")

  var finishesPendingWork: Bool { false }

  private let path: String
  private let forces: Bool

  init(_ arguments: ParsedArguments) throws(Failure) {
    path = arguments.operands[0]
    forces = arguments.has("--force")
  }

  func run(in context: Context) async throws {
    let file = try OutputFile(path, .backup, inputs: [context.storePath], forces: forces)
    let journal = try context.journal(.read)
    try await journal.backUp(to: file)
    await journal.store.close()
    if context.isJSON {
      Terminal.result(.object([("file", .string(path))]))
    } else {
      Terminal.result(
        "\(Harmless.line(path)): a complete copy of \(Harmless.line(context.storePath))\n")
    }
  }
}
