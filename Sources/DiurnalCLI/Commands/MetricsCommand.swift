internal import DayLog
internal import Diurnal
internal import Storage

/// `diurnal metrics`: what the log holds of each metric.
struct MetricsCommand: Command {
  static let isReading = true

  static let syntax = CommandSyntax(
    name: "metrics", summary: "what the log holds of each metric, and from whom",
    discussion: "Missing is the share of the days from the first to the last without a value.",
    example: "diurnal metrics")

  var finishesPendingWork: Bool { false }

  init(_ arguments: ParsedArguments) throws(Failure) {}

  func run(in context: Context) async throws {
    let journal = try context.journal(.read)
    let summaries = try await journal.metricSummaries()
    await journal.store.close()
    if context.isJSON {
      Terminal.result(.object([("metrics", .array(summaries.map(Self.json)))]))
      return
    }
    guard !summaries.isEmpty else {
      Terminal.result("no metrics\n")
      return
    }
    var table = TextTable([
      ("metric", .left), ("unit", .left), ("days", .right), ("first", .left), ("last", .left),
      ("missing", .right), ("sources", .left),
    ])
    for summary in summaries {
      table.add([
        summary.metric.name, summary.metric.unit ?? "–", String(summary.dayCount),
        summary.first.description, summary.last.description,
        Decimal.fixed(100 * summary.missingShare, 1) + " %",
        summary.sources.map { "\($0.origin.rawValue): \($0.name)" }.joined(separator: ", "),
      ])
    }
    Terminal.result(table)
  }

  private static func json(_ summary: MetricSummary) -> JSONValue {
    .object([
      ("metric", .string(summary.metric.name)), ("unit", .string(summary.metric.unit)),
      ("days", .integer(summary.dayCount)), ("first", .string(summary.first.description)),
      ("last", .string(summary.last.description)),
      ("missing_share", .number(summary.missingShare)),
      (
        "sources",
        .array(
          summary.sources.map {
            .object([("origin", .string($0.origin.rawValue)), ("name", .string($0.name))])
          })
      ),
    ])
  }
}
