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
      .value("--map", "COLUMN=METRIC", repeats: true, "name a column's metric; - leaves it out"),
      .value("--person", "ID", "whose rows to take from a table of several people"),
      .flag("--partial", "take what is readable of a file that is cut off"),
    ],
    discussion: """
      The format is recognised by content. Each file is read whole and then merged in one step: a file
      that cannot be read changes nothing. Nothing imported ever replaces what was typed.
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
    for path in files {
      let options = ImportOptions(
        now: context.now, format: arguments.text("--format"),
        zone: arguments.has("--zone") ? context.zone : nil,
        zoneNamed: { SystemZones.offsets(named: $0) }, localZone: context.zone,
        partial: arguments.has("--partial"), dateColumn: arguments.text("--date-column"),
        dateFormat: arguments.text("--date-format"), metrics: metrics,
        person: arguments.text("--person"), progress: ProgressBar.drawing(path))
      let file = try await journal.importFile(path, options: options)
      ProgressBar.clear()
      if context.isJSON {
        reports.append(Self.json(path, file))
      } else {
        Terminal.result(Self.text(path, file))
      }
    }
    // From the first start on the retraining waits for its time.
    _ = await (try context.loop(journal)).active.activated()
    await journal.store.close()
    if context.isJSON { Terminal.result(.object([("files", .array(reports))])) }
  }

  /// The files of a folder, hidden ones left out, or the file itself.
  private static func files(_ path: String) throws -> [String] {
    var isFolder = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder else {
      return [path]
    }
    return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
      .filter { !$0.hasPrefix(".") }.map { path + "/" + $0 }
  }

  private static func text(_ path: String, _ file: Journal.FileImport) -> String {
    let summary = file.batch.summary
    var lines: [String] = []
    if let merged = file.merged {
      lines.append(
        "\(path) (\(file.batch.format)): \(merged.added) added, \(merged.refreshed) refreshed, "
          + "\(merged.keptTyped) kept because typed, \(merged.unchanged + merged.outdated) already known, "
          + "\(merged.forgotten) forgotten")
    } else {
      lines.append("\(path) (\(file.batch.format)): 0 new, this file was imported before")
    }
    if summary.duplicates > 0 { lines.append("  \(summary.duplicates) duplicates dropped") }
    if !file.batch.isComplete { lines.append("  the file is incomplete") }
    if summary.damagedBytes > 0 { lines.append("  \(summary.damagedBytes) damaged bytes replaced") }
    for rejection in summary.rejections {
      let places = rejection.first.map(place).joined(separator: ", ")
      lines.append("  \(rejection.count) rejected: \(rejection.reason) (\(places))")
    }
    let columns = summary.skipped.filter { $0.kind == "column" }.map(\.name)
    if !columns.isEmpty { lines.append("  columns not read: \(columns.joined(separator: ", "))") }
    let others = summary.skipped.count { $0.kind != "column" }
    if others > 0 {
      lines.append("  \(others) other kinds of content passed over (--json lists them)")
    }
    lines += summary.remarks.map { "  note: \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func place(_ place: ImportError.Place) -> String {
    switch place {
    case .line(let number): "line \(number)"
    case .record(let number): "record \(number)"
    }
  }

  private static func json(_ path: String, _ file: Journal.FileImport) -> JSONValue {
    let summary = file.batch.summary
    let merged = file.merged ?? MergeSummary()
    return .object([
      ("file", .string(path)), ("format", .string(file.batch.format)),
      ("known", .bool(file.merged == nil)), ("complete", .bool(file.batch.isComplete)),
      ("added", .integer(merged.added)), ("refreshed", .integer(merged.refreshed)),
      ("kept_typed", .integer(merged.keptTyped)),
      ("unchanged", .integer(merged.unchanged + merged.outdated)),
      ("forgotten", .integer(merged.forgotten)), ("duplicates", .integer(summary.duplicates)),
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
              ("kind", .string($0.kind)), ("name", .string($0.name)), ("count", .integer($0.count)),
            ])
          })
      ),
      ("remarks", .array(summary.remarks.map { .string($0) })),
    ])
  }
}
