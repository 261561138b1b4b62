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
      .flag("--bring-back", "date back to now what a clock that was ahead has dated later"),
      .flag("--force", "write over a file that is no sync file; a log is never written over"),
    ],
    discussion: """
      The file holds typed values, what is to be forgotten and the payloads that wait, as JSON lines. It
      takes its place only once it is complete. Other devices do not take what is dated more than a day after
      now; --bring-back is for a clock that was ahead and is right again.
      """,
    example: "diurnal sync export phone.jsonl")

  private let path: String
  private let includesImported: Bool
  private let bringsBack: Bool
  private let forces: Bool

  init(_ arguments: ParsedArguments) throws(Failure) {
    path = arguments.operands[0]
    includesImported = arguments.has("--imported")
    bringsBack = arguments.has("--bring-back")
    forces = arguments.has("--force")
  }

  func run(in context: Context) async throws {
    let file = try OutputFile(
      path, OutputFile.Kind("a sync file", beginning: SyncDocument.beginning),
      inputs: [context.storePath], forces: forces)
    let journal = try context.journal(bringsBack ? .readWrite : .read)
    if bringsBack {
      let count = try await journal.store.bringBackMoments(to: context.now)
      Terminal.remark("note: \(count) values and forget marks were dated back to now")
    }
    let document = try await journal.store.syncDocument(includingImported: includesImported)
    await journal.store.close()
    let ahead = document.count(after: context.now)
    if ahead > 0 {
      Terminal.remark(
        "note: \(ahead) values and forget marks are dated more than a day after now, by a clock that was ahead: other devices do not take them before that day. If this clock is right, add --bring-back"
      )
    }
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
    options: [.flag("--yes", "forget what it asks for, also where that is much of the log")],
    discussion: """
      Files may be merged in any order and any number of times. What is dated more than a day after now is not
      taken. A file that asks to forget more than three days and a tenth of the log is refused without --yes.
      """,
    example: "diurnal sync merge phone.jsonl")

  var isLaunch: Bool { true }

  private let path: String
  private let mayForgetAll: Bool

  init(_ arguments: ParsedArguments) throws(Failure) {
    path = arguments.operands[0]
    mayForgetAll = arguments.has("--yes")
  }

  func run(in context: Context) async throws {
    guard OutputFile.isFile(path) else {
      throw Failure(
        .inputOutput, "\(Harmless.line(path)) cannot be read: check that it is a file that is there"
      )
    }
    let journal = try context.journal(creates: .always)
    let today = try await context.today(journal)
    let summary = try await merge(into: journal, context)
    let finished = try await PendingOutput(finishing: journal, today: today, now: context.now)
    await journal.store.close()
    if summary.fromTheFuture > 0 {
      Terminal.remark(
        "note: \(counted(summary.fromTheFuture, "line")) not taken, dated more than a day after now: set the clocks right and merge again, or export with --bring-back on the other device"
      )
    }
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
            ("from_the_future", .integer(summary.fromTheFuture)),
            ("changed_days", .array(merged.changedDays.map { .string($0.description) })),
          ] + finished.json))
      finished.remark(context)
      return
    }
    let others = [
      (merged.keptTyped, "kept because typed"), (merged.outdated, "older than what is known"),
      (merged.forgotten, "forgotten"),
    ].filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
    Terminal.result(
      "\(Harmless.line(path)): \(merged.added) added, \(merged.refreshed) refreshed, \(merged.removed) removed, "
        + "\(merged.unchanged) already known\(others), \(summary.newMarks) to forget, "
        + "\(counted(summary.newPayloads, "payload")); \(counted(merged.changedDays.count, "day")) changed\n"
    )
    Terminal.result(finished.text)
    finished.remark(context)
  }

  private func merge(into journal: Journal, _ context: Context) async throws -> SyncSummary {
    do {
      return try await journal.merge(
        syncFileAt: path, forgetting: mayForgetAll ? .any : .few, now: context.now)
    } catch let error as SyncError {
      throw Failure(
        .badInput, "\(Harmless.line(path)):\(error.line): \(error.problem): nothing was merged")
    }
  }
}

extension SyncDocument {
  /// How many entries and marks are dated more than a day after a moment.
  fileprivate func count(after now: Instant) -> Int {
    let limit = now.advanced(bySeconds: 86_400)
    return entries.count { $0.asOf > limit } + marks.count { $0.asOf > limit }
  }
}
