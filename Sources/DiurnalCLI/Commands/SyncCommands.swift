internal import DayLog
internal import Diurnal
internal import Storage

/// `diurnal sync export`: what another device needs to know.
struct SyncExportCommand: Command {
  static let syntax = CommandSyntax(
    name: "sync export", summary: "write what another device needs to know to a file",
    operands: [Operand(name: "FILE", count: .one, help: "the file to write; replaced as a whole")],
    options: [
      .flag("--imported", "imported values too, not only typed ones"),
      .flag("--force", "write over a file that is no sync file; a log is never written over"),
    ],
    discussion: """
      The file holds typed values, what is to be forgotten and the payloads that wait, as JSON lines. It
      takes its place only once it is complete.
      """,
    example: "diurnal sync export phone.jsonl")

  private let path: String
  private let includesImported: Bool
  private let forces: Bool

  init(_ arguments: ParsedArguments) throws(Failure) {
    path = arguments.operands[0]
    includesImported = arguments.has("--imported")
    forces = arguments.has("--force")
  }

  func run(in context: Context) async throws {
    let file = try OutputFile(
      path, OutputFile.Kind("a sync file", beginning: SyncDocument.beginning),
      inputs: [context.storePath], forces: forces)
    let journal = try context.journal(.read)
    let document = try await journal.store.syncDocument(includingImported: includesImported)
    await journal.store.close()
    try file.write(document.bytes)
    let (entries, marks, payloads) = (
      document.entries.count, document.marks.count, document.payloads.count
    )
    if context.isJSON {
      Terminal.result(
        .object([
          ("file", .string(path)), ("entries", .integer(entries)), ("forgotten", .integer(marks)),
          ("payloads", .integer(payloads)),
        ]))
    } else {
      Terminal.result(
        "\(Harmless.line(path)): \(counted(entries, "entry", plural: "entries")), \(counted(marks, "forget mark")), \(counted(payloads, "waiting payload"))\n"
      )
    }
  }
}

/// `diurnal sync merge`: what another device knows.
struct SyncMergeCommand: Command {
  static let syntax = CommandSyntax(
    name: "sync merge", summary: "merge a file that sync export wrote on another device",
    operands: [Operand(name: "FILE", count: .one, help: "a file that sync export wrote")],
    discussion: "Files may be merged in any order and any number of times.",
    example: "diurnal sync merge phone.jsonl")

  var isLaunch: Bool { true }

  private let path: String

  init(_ arguments: ParsedArguments) throws(Failure) { path = arguments.operands[0] }

  func run(in context: Context) async throws {
    let document = try Self.document(try InputFile(path))
    let journal = try context.journal(creates: .always)
    let today = try await context.today(journal)
    let summary = try await journal.store.merge(document)
    let finished = try await PendingOutput(finishing: journal, today: today, now: context.now)
    await journal.store.close()
    if summary.unknownLines > 0 {
      Terminal.remark(
        "note: \(path) has \(counted(summary.unknownLines, "line")) that only a newer version knows"
      )
    }
    let merged = summary.merged
    if context.isJSON {
      Terminal.result(
        .object(
          [
            ("file", .string(path)), ("added", .integer(merged.added)),
            ("refreshed", .integer(merged.refreshed)), ("removed", .integer(merged.removed)),
            ("kept_typed", .integer(merged.keptTyped)), ("unchanged", .integer(merged.unchanged)),
            ("outdated", .integer(merged.outdated)), ("forgotten", .integer(merged.forgotten)),
            ("new_marks", .integer(summary.newMarks)), ("payloads", .integer(summary.newPayloads)),
            ("unknown_lines", .integer(summary.unknownLines)),
            ("changed_days", .array(merged.changedDays.map { .string($0.description) })),
          ] + finished.json))
      finished.remark(context)
      return
    }
    Terminal.result(
      "\(Harmless.line(path)): \(merged.added) added, \(merged.refreshed) refreshed, \(merged.removed) removed, "
        + "\(merged.unchanged + merged.outdated) already known, \(summary.newMarks) to forget, "
        + "\(counted(summary.newPayloads, "payload")); \(counted(merged.changedDays.count, "day")) changed\n"
    )
    Terminal.result(finished.text)
    finished.remark(context)
  }

  private static func document(_ file: InputFile) throws(Failure) -> SyncDocument {
    do throws(SyncError) {
      return try SyncDocument(file.bytes)
    } catch {
      throw Failure(
        .badInput, "\(file.path):\(error.line): \(error.problem): nothing was merged")
    }
  }
}
