internal import DayLog
internal import Diurnal
internal import Storage
import Time

/// `diurnal show`: the days.
struct ShowCommand: Command {
  static let isReading = true

  static let syntax = CommandSyntax(
    name: "show", summary: "print the days",
    operands: [
      Operand(
        name: "METRIC", count: .any,
        help: "only these metrics, and the days that have them; all if left out")
    ],
    options: [
      .value("--from", "DAY", "the first day"), .value("--to", "DAY", "the last day"),
      .value("--last", "N", "the last N days that have anything"),
      .value("--metric", "NAME", repeats: true, "the same as naming it without an option"),
      .flag("--provenance", "name the source of each value"), .flag("--csv", "print CSV"),
    ],
    discussion: """
      For reading, the last seven days with a value are shown unless days are named; CSV and JSON are of all days. A
      day is written \(DayWord.forms).
      """,
    example: "diurnal show mood sleep_hours --last 14")

  private let from: DayWord?
  private let to: DayWord?
  private let last: Int?
  private let metrics: [String]
  private let showsSources: Bool
  private let isCSV: Bool

  init(_ arguments: ParsedArguments) throws(Failure) {
    from = try arguments.day("--from")
    to = try arguments.day("--to")
    last = try arguments.integer("--last", in: 1...1_000_000)
    metrics = arguments.operands + arguments.texts("--metric")
    showsSources = arguments.has("--provenance")
    isCSV = arguments.has("--csv")
    if arguments.has("--json"), isCSV {
      throw .usage("--json and --csv exclude each other", Self.syntax)
    }
  }

  /// How many days are shown where none are named.
  private static let usualDays = 7

  func run(in context: Context) async throws {
    let journal = try context.journal(.read)
    let today = try await context.today(journal)
    let first = from?.day(today: today) ?? .distantPast
    let end = to?.day(today: today) ?? .distantFuture
    guard first <= end else { throw Failure.usage("--from comes after --to", Self.syntax) }
    var days = try chosen(await journal.store.days(from: first, to: end))
    await journal.store.close()
    let isForReading = !context.isJSON && !isCSV
    let most = last ?? (isForReading && from == nil && to == nil ? Self.usualDays : nil)
    if let most { days = Array(days.suffix(most)) }
    if context.isJSON {
      Terminal.result(list: "days", days) { json($0, today) }
    } else if isCSV {
      Terminal.result(csv(days))
    } else {
      show(days, today)
    }
  }

  /// The days with the metrics asked for alone.
  private func chosen(_ days: [ResolvedDay]) throws(Failure) -> [ResolvedDay] {
    guard !metrics.isEmpty else { return days }
    let known = Set(days.flatMap { $0.items.map(\.metric.name) })
    if let wrong = metrics.first(where: { !known.contains($0) }) {
      let hint = Suggestion.text(for: wrong, among: known.sorted())
      throw Failure(
        .badInput, "no day that was asked for has the metric \(wrong)\(hint)\nSee: diurnal metrics")
    }
    return days.map { day in
      ResolvedDay(day: day.day, items: day.items.filter { metrics.contains($0.metric.name) })
    }.filter { !$0.items.isEmpty }
  }

  private func json(_ day: ResolvedDay, _ today: CalendarDay) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("day", .string(day.day.description)), ("today", .bool(day.day == today)),
    ]
    if day.day > today { members.append(("future", .bool(true))) }
    let values = day.items.map { item in
      (
        item.metric.name,
        JSONValue.object([
          ("value", .number(item.resolved.value)),
          ("origin", .string(item.resolved.source.origin.rawValue)),
          ("source", .string(item.resolved.source.name)),
        ])
      )
    }
    members.append(("values", .object(values)))
    return .object(members)
  }

  private func csv(_ days: [ResolvedDay]) -> String {
    guard !showsSources else { return csvOfSources(days) }
    let metrics = Set(days.flatMap { $0.items.map(\.metric) }).sorted()
    var text = (["day"] + metrics.map(\.name)).joined(separator: ",") + "\n"
    for day in days {
      var cells = [day.day.description]
      for metric in metrics { cells.append(day[metric].map { JSON.text($0.value) } ?? "") }
      text += cells.joined(separator: ",") + "\n"
    }
    return text
  }

  /// A row a value, with who said it.
  private func csvOfSources(_ days: [ResolvedDay]) -> String {
    days.reduce(into: "day,metric,value,origin,source\n") { text, day in
      for item in day.items {
        let source = item.resolved.source
        text += "\(day.day),\(item.metric),\(JSON.text(item.resolved.value)),"
        text += "\(source.origin.rawValue),\(Harmless.cell(source.name))\n"
      }
    }
  }

  private func show(_ days: [ResolvedDay], _ today: CalendarDay) {
    guard !days.isEmpty else {
      Terminal.result("no days\n")
      return
    }
    func mark(_ day: CalendarDay) -> String {
      day == today ? " today" : day > today ? " future" : ""
    }
    if showsSources {
      var table = TextTable([
        ("day", .left), ("metric", .left), ("value", .right), ("source", .left),
      ])
      for day in days {
        for item in day.items {
          let source = item.resolved.source
          table.add([
            day.day.description + mark(day.day), item.metric.name,
            Decimal.short(item.resolved.value), "\(source.origin.rawValue): \(source.name)",
          ])
        }
      }
      Terminal.result(table)
      return
    }
    let metrics = Set(days.flatMap { $0.items.map(\.metric) }).sorted()
    var table = TextTable([("day", .left)] + metrics.map { ($0.name, .right) })
    for day in days {
      table.add(
        [day.day.description + mark(day.day)]
          + metrics.map { day[$0].map { Decimal.short($0.value) } ?? "" })
    }
    Terminal.result(table, orTurned: Self.turned(days, metrics, today))
  }

  /// The same with a metric in each line, for a week on a narrow terminal.
  private static func turned(
    _ days: [ResolvedDay], _ metrics: [Metric], _ today: CalendarDay
  ) -> TextTable {
    // The year is the same, or nearly, for all of them.
    var table = TextTable(
      [("", .left)]
        + days.map { ($0.day == today ? "today" : String($0.day.description.dropFirst(5)), .right) }
    )
    for metric in metrics {
      table.add(
        [metric.name] + days.map { day in day[metric].map { Decimal.short($0.value) } ?? "" })
    }
    return table
  }
}
