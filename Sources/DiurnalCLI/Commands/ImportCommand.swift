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
      .value(
        "--fold", "COLUMN=FOLD", repeats: true,
        "how several readings of a day become one: \(Fold.allCases.map(\.rawValue).joined(separator: ", "))"
      ),
      .value("--decimal", "MARK", "the decimal mark of a table, . or , where it does not tell"),
      .value(
        "--blank", "COLUMN=NUMBER", repeats: true, "what an empty cell of a column says, such as 0"),
      .value("--person", "ID", "whose rows to take from a table of several people"),
      .flag("--partial", "take what is readable of a file that is cut off"),
      .flag("--dry-run", "show what each file and column would become, and change nothing"),
    ],
    discussion: """
      The format is recognised by content. Each file is read whole and then merged in one step: a file
      that cannot be read changes nothing, and the others are read all the same. Nothing imported ever
      replaces what was typed. In a folder, and in the folders below it, files that are no export are
      passed over.
      """,
    example: "diurnal import export.zip mood.csv\nunzip -p backup.zip days.csv | diurnal import -")

  var isLaunch: Bool { !arguments.has("--dry-run") }

  private let paths: [String]
  private let arguments: ParsedArguments
  private let metrics: [String: String]
  private let folds: [String: Fold]
  private let blanks: [String: Double]
  private let decimal: Character?

  init(_ arguments: ParsedArguments) throws(Failure) {
    self.arguments = arguments
    paths = arguments.operands
    func pairs(_ option: String, _ form: String) throws(Failure) -> [(String, String)] {
      var pairs: [(String, String)] = []
      for pair in arguments.texts(option) {
        guard let equals = pair.lastIndex(of: "="), equals != pair.startIndex else {
          throw .usage("\(option) takes \(form), not “\(pair)”", Self.syntax)
        }
        pairs.append((String(pair[..<equals]), String(pair[pair.index(after: equals)...])))
      }
      return pairs
    }
    metrics = Dictionary(try pairs("--map", "COLUMN=METRIC"), uniquingKeysWith: { $1 })
    var folds: [String: Fold] = [:]
    for (column, word) in try pairs("--fold", "COLUMN=FOLD") {
      guard let fold = Fold(rawValue: word) else {
        throw .usage("--fold knows sum, mean, last, max and min, not “\(word)”", Self.syntax)
      }
      folds[column] = fold
    }
    self.folds = folds
    var blanks: [String: Double] = [:]
    for (column, text) in try pairs("--blank", "COLUMN=NUMBER") {
      guard let value = Double(text), value.isFinite else {
        throw .usage("--blank takes COLUMN=NUMBER, not “\(text)”", Self.syntax)
      }
      blanks[column] = value
    }
    self.blanks = blanks
    let mark = arguments.text("--decimal")
    guard mark == nil || mark == "." || mark == "," else {
      throw .usage("--decimal is . or ,", Self.syntax)
    }
    decimal = mark?.first
  }

  func run(in context: Context) async throws {
    let files = try paths.flatMap(Self.files)
    let isDry = arguments.has("--dry-run")
    let journal = try isDry ? Self.journalToRead(context) : context.journal(creates: .always)
    var reports: [JSONValue] = []
    var failures: [Failure] = []
    var passedOver = 0
    var strangers: [Failure] = []
    var isPersonFound = false
    for file in files {
      do {
        let options = self.options(context, progress: ProgressBar.drawing(file.name))
        if isDry {
          let batch = try await Self.preview(file.path, options, journal)
          ProgressBar.clear()
          isPersonFound = isPersonFound || batch.summary.isOfPerson
          if context.isJSON {
            reports.append(ImportPreview.json(file.name, batch))
          } else {
            Terminal.result(ImportPreview.text(file.name, batch))
          }
          continue
        }
        guard let journal else { preconditionFailure("an import has a log") }
        let done = try await journal.importFile(file.path, options: options)
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
    await journal?.store.close()
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
    if !isDry { await context.launch() }
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

  /// The log where there is one: a look at files makes none.
  private static func journalToRead(_ context: Context) throws -> Journal? {
    do {
      return try context.journal(.read)
    } catch StorageError.missing {
      return nil
    }
  }

  private static func preview(
    _ path: String, _ options: ImportOptions, _ journal: Journal?
  ) async throws -> ImportBatch {
    guard let journal else { return try Importer.preview(path: path, options: options) }
    return try await journal.preview(path, options: options)
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
      person: arguments.text("--person"), folds: folds, decimal: decimal, blanks: blanks,
      progress: progress)
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
    case .unknownFormat, .noDateColumn, .unsupported, .empty, .nothingRead: true
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
