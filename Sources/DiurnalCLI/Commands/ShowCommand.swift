internal import DayLog
internal import Diurnal
internal import Storage
import Time

/// `diurnal show`: the days.
struct ShowCommand: Command {
  static let syntax = CommandSyntax(
    name: "show", summary: "print the days",
    options: [
      .value("--from", "DAY", "the first day"), .value("--to", "DAY", "the last day"),
      .value("--metric", "NAME", repeats: true, "only this metric, and the days that have it"),
      .flag("--provenance", "name the source of each value"), .flag("--csv", "print CSV"),
    ],
    example: "diurnal show --from 2026-01-01 --provenance")

  private let from: CalendarDay
  private let to: CalendarDay
  private let metrics: [String]
  private let showsSources: Bool
  private let isCSV: Bool

  init(_ arguments: ParsedArguments) throws(Failure) {
    from = try arguments.day("--from") ?? .distantPast
    to = try arguments.day("--to") ?? .distantFuture
    guard from <= to else { throw .usage("--from comes after --to", Self.syntax) }
    metrics = arguments.texts("--metric")
    showsSources = arguments.has("--provenance")
    isCSV = arguments.has("--csv")
  }

  func run(in context: Context) async throws {
    let journal = try context.journal(.read)
    let today = try await context.today(journal)
    let days = try chosen(await journal.store.days(from: from, to: to))
    await journal.store.close()
    if context.isJSON {
      Terminal.result(list: "days", days) { json($0, today) }
    } else if isCSV {
      Terminal.result(csv(days))
    } else {
      Terminal.result(text(days, today))
    }
  }

  /// The days with the metrics asked for alone.
  private func chosen(_ days: [ResolvedDay]) throws(Failure) -> [ResolvedDay] {
    guard !metrics.isEmpty else { return days }
    let known = Set(days.flatMap { $0.items.map(\.metric.name) })
    if let wrong = metrics.first(where: { !known.contains($0) }) {
      let hint = Suggestion.text(for: wrong, among: known.sorted())
      throw Failure(.badInput, "none of the days has the metric “\(wrong)”\(hint)")
    }
    return days.map { day in
      ResolvedDay(day: day.day, items: day.items.filter { metrics.contains($0.metric.name) })
    }.filter { !$0.items.isEmpty }
  }

  private func json(_ day: ResolvedDay, _ today: CalendarDay) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("day", .string(day.day.description)), ("open", .bool(day.day == today)),
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

  private func text(_ days: [ResolvedDay], _ today: CalendarDay) -> String {
    guard !days.isEmpty else { return "no days\n" }
    let metrics = Set(days.flatMap { $0.items.map(\.metric) }).sorted()
    func mark(_ day: CalendarDay) -> String {
      day == today ? " open" : day > today ? " future" : ""
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
      return table.text
    }
    var table = TextTable([("day", .left)] + metrics.map { ($0.name, .right) })
    for day in days {
      table.add(
        [day.day.description + mark(day.day)]
          + metrics.map { day[$0].map { Decimal.short($0.value) } ?? "" })
    }
    return table.text
  }
}
