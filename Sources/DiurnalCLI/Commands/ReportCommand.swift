internal import DayLog
internal import Diurnal
internal import DiurnalReport
internal import Time

/// `diurnal report`: what the log knows as one page to look at.
struct ReportCommand: Command {
  static let syntax = CommandSyntax(
    name: "report", summary: "write what the log knows as one page with charts",
    options: [
      .value("-o", "FILE", "where to write the page; diurnal-report.html unless given"),
      .value("--to", "DAY", "the last day shown; today unless given"),
      .value("--days", "N", "how many days up to then; 365 unless given"),
      .flag("--print", "two sheets of A4 for a doctor: symptoms and measurements, no forecasts"),
      .flag("--force", "write over a file that is no report of this tool"),
    ],
    discussion: """
      The page is one file that asks for nothing else: no script, no request, no font. It can be opened from disk,
      printed, and read without a network.
      """,
    example: "diurnal report -o me.html")

  private let path: String
  private let lastDay: DayWord?
  private let dayCount: Int
  private let isForPrint: Bool
  private let forces: Bool

  init(_ arguments: ParsedArguments) throws(Failure) {
    path = arguments.text("-o") ?? "diurnal-report.html"
    lastDay = try arguments.day("--to")
    dayCount = try arguments.integer("--days", in: 7...36_525) ?? 365
    isForPrint = arguments.has("--print")
    forces = arguments.has("--force")
  }

  func run(in context: Context) async throws {
    let file = try OutputFile(
      path, OutputFile.Kind("a report of diurnal", beginning: JournalReport.beginning),
      inputs: [context.storePath], forces: forces)
    let journal = try context.journal(.read)
    let today = try await context.today(journal)
    var options = JournalReport.Options()
    options.lastDay = lastDay?.day(today: today)
    options.dayCount = dayCount
    options.isForPrint = isForPrint
    let report = try await JournalReport(
      of: journal, today: today, host: context.host(), options: options)
    await journal.store.close()
    let bytes = Array(report.html.utf8)
    try file.write(bytes)
    if context.isJSON {
      Terminal.result(.object([("file", .string(path)), ("bytes", .integer(bytes.count))]))
    } else {
      Terminal.result(
        "\(Harmless.line(path)): \((bytes.count + 999) / 1000) kB; open it in a browser\n")
    }
  }
}
