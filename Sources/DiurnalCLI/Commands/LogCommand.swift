internal import DayLog
internal import Diurnal
internal import Storage

/// `diurnal log`: typed values, which nothing imported replaces.
struct LogCommand: Command {
  static let syntax = CommandSyntax(
    name: "log", summary: "type values for a day",
    operands: [
      Operand(name: "DAY", count: .one, help: "yyyy-MM-dd, today or yesterday"),
      Operand(
        name: "NAME=VALUE", count: .any, help: "a metric and its value, or: symptom NAME SEVERITY"),
    ],
    options: [
      .value(
        "--clear", "NAME", repeats: true, "remove what was typed; an imported value shows again")
    ],
    example: "diurnal log 2026-01-05 mood=7 energy=6\ndiurnal log 2026-01-05 symptom headache 3")

  var isLaunch: Bool { true }

  private let day: String
  private let values: [(metric: Metric, value: Double?)]

  init(_ arguments: ParsedArguments) throws(Failure) {
    day = arguments.operands[0]
    var values: [(metric: Metric, value: Double?)] = []
    var words = arguments.operands.dropFirst()
    if words.first == "symptom" {
      words = words.dropFirst()
      guard words.count == 2, let name = words.first, let metric = Metric(symptom: name),
        let severity = words.last.flatMap(Double.init), severity.isFinite, severity >= 0
      else { throw .usage("write: diurnal log DAY symptom NAME SEVERITY", Self.syntax) }
      values.append((metric, severity))
      words = []
    }
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let metric = Metric(parts[0]) else {
        throw .usage(
          "write a metric and its value, such as mood=7: a name is of small letters, digits, _ and .",
          Self.syntax)
      }
      guard let value = Double(parts[1]), value.isFinite else {
        throw Failure(.badInput, "the value of \(metric) is not a number: write it like 7 or 52.5")
      }
      values.append((metric, value))
    }
    for name in arguments.texts("--clear") {
      guard let metric = Metric(name) else {
        throw .usage("--clear takes the name of a metric", Self.syntax)
      }
      values.append((metric, nil))
    }
    if values.isEmpty { throw .usage("nothing to log", Self.syntax) }
    self.values = values
  }

  func run(in context: Context) async throws {
    let journal = try context.journal()
    let today = try await context.today(journal)
    let day = try context.day(day, today: today, Self.syntax)
    let summaries = try await journal.log(values, on: day, now: context.now)
    await journal.store.close()
    let changed = summaries.contains { !$0.changedDays.isEmpty }
    if context.isJSON {
      Terminal.result(
        .object([
          ("day", .string(day.description)), ("changed", .bool(changed)),
          ("metrics", .array(values.map { .string($0.metric.name) })),
        ]))
      return
    }
    for (metric, value) in values {
      Terminal.result("\(day) \(metric) \(value == nil ? "cleared" : "logged")\n")
    }
    if day > today {
      Terminal.remark("note: \(day) is in the future; it is kept, and is not today")
    }
  }
}
