internal import DayLog
internal import Diurnal
internal import HealthImport
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
    operands: [
      Operand(
        name: "PATH", count: .oneOrMore, help: "a file, a folder of files, or - for standard input")
    ],
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
    example: "diurnal import export.zip mood.csv\nunzip -p backup.zip days.csv | diurnal import -")

  var isLaunch: Bool { true }

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
    let journal = try context.journal(creates: .always)
    var reports: [JSONValue] = []
    var failures: [Failure] = []
    var passedOver = 0
    var strangers: [Failure] = []
    var isPersonFound = false
    for file in files {
      do {
        let done = try await journal.importFile(
          file.path, options: options(context, progress: ProgressBar.drawing(file.name)))
        ProgressBar.clear()
        isPersonFound = isPersonFound || ImportOutput.isOfPerson(done)
        if context.isJSON {
          reports.append(ImportOutput.json(file.name, done))
        } else {
          Terminal.result(
            ImportOutput.text(file.name, done, today: context.zone.day(of: context.now)))
        }
      } catch let error as ImportError {
        ProgressBar.clear()
        // One file that cannot be read takes nothing from the others.
        let failure = Failure(error.inFolder(of: file.path)).naming(file.name, insteadOf: file.path)
        guard files.count > 1 else { throw failure }
        if isWithoutPerson(error) {
          Terminal.remark("passed over: \(failure.message)")
          strangers.append(failure)
        } else if file.isFound, Self.isOfNoUse(error) {
          passedOver += 1
          if passedOver <= ImportOutput.listed {
            Terminal.remark("passed over: \(failure.message)")
          }
        } else {
          Terminal.remark("diurnal: \(failure.message)")
          failures.append(failure)
        }
        reports.append(
          .object([("file", .string(file.name)), ("error", .string(failure.message))]))
      }
    }
    if passedOver > ImportOutput.listed {
      Terminal.remark("passed over: \(passedOver - ImportOutput.listed) more (--json names them)")
    }
    await journal.store.close()
    if context.isJSON { Terminal.result(.object([("files", .array(reports))])) }
    var failure = failures.first.map {
      Failure($0.code, "not read: \(failures.count) of \(files.count) files, named above")
    }
    if failure == nil, !isPersonFound {
      failure = strangers.first.map {
        Failure($0.code, "no file holds the person that --person names")
      }
    }
    guard let failure else { return }
    // What was read counts, so this was a launch all the same.
    await context.launch()
    throw failure
  }

  /// Whether a table holds others than the person asked for, or does not tell people apart.
  private func isWithoutPerson(_ error: ImportError) -> Bool {
    switch error.reason {
    case .unknownPerson: true
    case .missingColumn("person", _): arguments.has("--person")
    default: false
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

  /// A file to read, what it is called, and whether it was found in a folder rather than named.
  private struct File {
    let path: String
    let name: String
    let isFound: Bool
  }

  /// Whether a file in a folder of exports is simply none of them.
  private static func isOfNoUse(_ error: ImportError) -> Bool {
    switch error.reason {
    case .unknownFormat, .noDateColumn, .unsupported, .empty: true
    default: false
    }
  }

  /// The files in a folder and the folders below it, or the file itself.
  private static func files(_ path: String) throws(ImportError) -> [File] {
    if path == "-" {
      let folder = FileManager.default.temporaryDirectory.path
      guard let file = UnnamedFile(copying: .input, in: folder) else {
        throw ImportError(file: "standard input", .unreadable(errno: 5))
      }
      return [File(path: file.path, name: "standard input", isFound: false)]
    }
    guard ExportFolder.exists(at: path) else {
      return [File(path: path, name: path, isFound: false)]
    }
    return try ExportFolder.files(in: path).map { File(path: $0, name: $0, isFound: true) }
  }
}
