internal import DayLog
internal import Diurnal
internal import Personalisation
internal import Storage
import Time

/// `diurnal insights`: what a week was like, what holds of the log, and what was tested and is not shown.
struct InsightsCommand: Command {
  static let isReading = true

  static let syntax = CommandSyntax(
    name: "insights", summary: "say what a week was like and what goes together in the log",
    options: [
      .value("--week", "DAY", "any day of the week; the week of yesterday if none is named"),
      .value(
        "--outcome", "NAME", repeats: true,
        "look for what goes with this metric; all if none is named"),
      .flag("--all", "list every pair that was looked at and is not shown"),
    ],
    discussion: """
      Every pair of metrics is tested on the same day, one and two days apart and over the week before, with
      weekdays, changes of level, days on which many metrics moved together and what carries over from the day
      before taken out. What is established keeps to a bound for a whole year of weekly looks, by which at most one
      in ten people with nothing to find is ever told one. Of the first sights about one in ten is there by chance.
      It says what goes together, not what brings it about.
      """,
    example: "diurnal insights --week 2025-12-29")

  private let week: DayWord?
  private let outcomes: [Metric]
  private let listsAll: Bool

  init(_ arguments: ParsedArguments) throws(Failure) {
    week = try arguments.day("--week")
    var outcomes: [Metric] = []
    for text in arguments.texts("--outcome") {
      guard let metric = Metric(text) else {
        throw .usage("--outcome takes the name of a metric, not “\(text)”", Self.syntax)
      }
      outcomes.append(metric)
    }
    self.outcomes = outcomes
    listsAll = arguments.has("--all")
  }

  func run(in context: Context) async throws {
    let report: InsightReport
    do {
      report = try await Self.report(context, week, options)
    } catch StorageError.missing(let path) {
      // A person's first look comes before their first entry; there is nothing wrong with that.
      Terminal.remark("note: there is no log at \(path) yet: begin one with import or log")
      report = findInsights(
        in: PersonalLog(
          DayTable(firstDay: CalendarDay(number: 0), dayCount: 0, metrics: [], values: [])),
        asOf: context.zone.day(of: context.now, dayStart: 0),
        week: week.map {
          ISOWeek(containing: $0.day(today: context.zone.day(of: context.now)))
        })
    }
    if context.isJSON {
      Terminal.result(InsightsOutput.json(report))
    } else {
      Terminal.result(InsightsOutput.text(report, listsAll: listsAll))
    }
  }

  private var options: InsightOptions {
    var options = InsightOptions()
    if !outcomes.isEmpty { options.outcomes = outcomes }
    return options
  }

  private static func report(
    _ context: Context, _ week: DayWord?, _ options: InsightOptions
  ) async throws -> InsightReport {
    let journal = try context.journal(.read)
    let today = try await context.today(journal)
    for outcome in options.outcomes ?? [] {
      try Target(outcome).check(in: try await journal.personalLog(through: today))
    }
    let report = try await journal.insights(
      week: week?.day(today: today), today: today, options: options)
    let leftOut = "\(try await journal.store.learnedDays(to: today).leftOut)"
    if !leftOut.isEmpty { Terminal.remark("note: \(leftOut)") }
    await journal.store.close()
    return report
  }
}
