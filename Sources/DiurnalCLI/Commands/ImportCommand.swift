internal import DayLog
internal import Diurnal
internal import HealthImport
internal import Scheduling
internal import Storage

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// `diurnal import`: exports and tables into the log.
struct ImportCommand: Command {
  static let syntax = CommandSyntax(
    name: "import", summary: "read exports and tables into the log",
    operands: [Operand(name: "PATH", count: .oneOrMore, help: "a file, or a folder of files")],
    options: [
      .value(
        "--format", "NAME", "read as this format: \(Importer.formats.joined(separator: ", "))"),
      .value("--date-column", "NAME", "the column of a table that holds the date"),
      .value("--date-format", "PATTERN", "how its dates are written, such as dd.MM.yyyy"),
      .value(
        "--map", "COLUMN=METRIC", repeats: true,
        "name a column's metric, - leaves it out; of a diary of moods, WORD=NUMBER"),
      .value("--person", "ID", "whose rows to take from a table of several people"),
      .flag("--partial", "take what is readable of a file that is cut off"),
    ],
    discussion: """
      The format is recognised by content. Each file is read whole and then merged in one step: a file
      that cannot be read changes nothing, and the others are read all the same. Nothing imported ever
      replaces what was typed. In a folder, and in the folders below it, files that are no export are
      passed over.
      """,
    example: "diurnal import export.zip mood.csv")

  private let paths: [String]
  private let arguments: ParsedArguments
  private let metrics: [String: String]

  init(_ arguments: ParsedArguments) throws(Failure) {
    self.arguments = arguments
    paths = arguments.operands
    var metrics: [String: String] = [:]
    for pair in arguments.texts("--map") {
      guard let equals = pair.lastIndex(of: "="), equals != pair.startIndex else {
        throw .usage("--map takes COLUMN=METRIC, not “\(pair)”", Self.syntax)
      }
      metrics[String(pair[..<equals])] = String(pair[pair.index(after: equals)...])
    }
    self.metrics = metrics
  }

  func run(in context: Context) async throws {
    let files = try paths.flatMap(Self.files)
    let journal = try context.journal()
    var reports: [JSONValue] = []
    var failures: [Failure] = []
    for file in files {
      do {
        let done = try await journal.importFile(
          file.path, options: options(context, progress: ProgressBar.drawing(file.path)))
        ProgressBar.clear()
        if context.isJSON {
          reports.append(Self.json(file.path, done))
        } else {
          Terminal.result(Self.text(file.path, done))
        }
      } catch let error as ImportError {
        ProgressBar.clear()
        // One file that cannot be read takes nothing from the others.
        guard files.count > 1 else { throw error }
        let failure = Failure(error)
        if file.isFound, Self.isOfNoUse(error) {
          Terminal.remark("passed over: \(failure.message)")
        } else {
          Terminal.remark("diurnal: \(failure.message)")
          failures.append(failure)
        }
        reports.append(
          .object([("file", .string(file.path)), ("error", .string(failure.message))]))
      }
    }
    // From the first start on the retraining waits for its time.
    _ = await (try context.loop(journal)).active.activated()
    await journal.store.close()
    if context.isJSON { Terminal.result(.object([("files", .array(reports))])) }
    if let first = failures.first {
      throw Failure(first.code, "not read: \(failures.count) of \(files.count) files, named above")
    }
  }

  private func options(
    _ context: Context, progress: @escaping @Sendable (Int, Int?) -> Bool
  ) -> ImportOptions {
    ImportOptions(
      now: context.now, format: arguments.text("--format"),
      zone: arguments.has("--zone") ? context.zone : nil,
      zoneNamed: { SystemZones.offsets(named: $0) }, localZone: context.zone,
      partial: arguments.has("--partial"), dateColumn: arguments.text("--date-column"),
      dateFormat: arguments.text("--date-format"), metrics: metrics,
      person: arguments.text("--person"), progress: progress)
  }

  /// A file to read, and whether it was found in a folder rather than named.
  private struct File {
    let path: String
    let isFound: Bool
  }

  /// Whether a file in a folder of exports is simply none of them.
  private static func isOfNoUse(_ error: ImportError) -> Bool {
    switch error.reason {
    case .unknownFormat, .noDateColumn, .unsupported, .empty: true
    default: false
    }
  }

  /// The files in a folder and the folders below it, hidden ones left out, or the file itself.
  private static func files(_ path: String) throws -> [File] {
    func isFolder(_ path: String) -> Bool {
      var isFolder = false
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }
    guard isFolder(path) else { return [File(path: path, isFound: false)] }
    return try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
      .filter { !$0.split(separator: "/").contains { $0.hasPrefix(".") } }
      .map { File(path: path + "/" + $0, isFound: true) }.filter { !isFolder($0.path) }
  }

  private static func text(_ path: String, _ file: Journal.FileImport) -> String {
    guard case .merged(let batch, let merged) = file else {
      return "\(path): 0 new, this file was imported before\n"
    }
    let summary = batch.summary
    var lines = [
      "\(path) (\(batch.format)): \(merged.added) added, \(merged.refreshed) refreshed, "
        + "\(merged.keptTyped) kept because typed, \(merged.unchanged + merged.outdated) already known, "
        + "\(merged.forgotten) forgotten"
    ]
    if summary.duplicates > 0 { lines.append("  \(summary.duplicates) duplicates dropped") }
    if !batch.isComplete { lines.append("  the file is incomplete") }
    if summary.damagedBytes > 0 { lines.append("  \(summary.damagedBytes) damaged bytes replaced") }
    for rejection in summary.rejections {
      let places = rejection.first.map(place).joined(separator: ", ")
      lines.append("  \(rejection.count) rejected: \(rejection.reason) (\(places))")
    }
    let columns = summary.skipped.filter { $0.kind == "column" }.map(\.name)
    if !columns.isEmpty { lines.append("  columns not read: \(columns.joined(separator: ", "))") }
    let others = summary.skipped.filter { $0.kind != "column" }
    for other in others.prefix(Self.listed) {
      lines.append("  passed over: \(other.count) × \(other.kind) \(other.name)")
    }
    if others.count > Self.listed {
      lines.append(
        "  passed over: \(others.count - Self.listed) more kinds of content (--json lists them)")
    }
    lines += summary.remarks.map { "  note: \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// How many kinds of content that were passed over are named.
  private static let listed = 4

  private static func place(_ place: ImportError.Place) -> String {
    switch place {
    case .line(let number): "line \(number)"
    case .record(let number): "record \(number)"
    }
  }

  private static func json(_ path: String, _ file: Journal.FileImport) -> JSONValue {
    let merged = file.merged ?? MergeSummary()
    let counts: [(String, JSONValue)] = [
      ("file", .string(path)), ("known", .bool(file.merged == nil)),
      ("added", .integer(merged.added)), ("refreshed", .integer(merged.refreshed)),
      ("kept_typed", .integer(merged.keptTyped)),
      ("unchanged", .integer(merged.unchanged + merged.outdated)),
      ("forgotten", .integer(merged.forgotten)),
    ]
    guard case .merged(let batch, _) = file else { return .object(counts) }
    let summary = batch.summary
    return .object(
      counts + [
        ("format", .string(batch.format)), ("complete", .bool(batch.isComplete)),
        ("duplicates", .integer(summary.duplicates)),
        ("rejected", .integer(summary.rejected)), ("damaged_bytes", .integer(summary.damagedBytes)),
        (
          "rejections",
          .array(
            summary.rejections.map {
              .object([
                ("reason", .string($0.reason)), ("count", .integer($0.count)),
                ("first", .array($0.first.map { .string(place($0)) })),
              ])
            })
        ),
        (
          "skipped",
          .array(
            summary.skipped.map {
              .object([
                ("kind", .string($0.kind)), ("name", .string($0.name)),
                ("count", .integer($0.count)),
              ])
            })
        ),
        ("remarks", .array(summary.remarks.map { .string($0) })),
      ])
  }
}
