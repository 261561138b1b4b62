internal import DayLog
internal import Diurnal
internal import Storage
internal import Time

/// `diurnal log`: typed values, which nothing imported replaces.
struct LogCommand: Command {
  static let syntax = CommandSyntax(
    name: "log", summary: "type values for a day",
    operands: [
      Operand(name: "DAY", count: .optional, help: "\(DayWord.forms); today if left out"),
      Operand(
        name: "NAME=VALUE", count: .any,
        help: "a metric and its value, or: symptom NAME SEVERITY"),
    ],
    options: [
      .value(
        "--clear", "NAME", repeats: true, "remove what was typed; an imported value shows again"),
      .flag("--new", "a name that is near another is meant as it stands"),
      .flag("--yes", "log a day that is far off without being asked"),
    ],
    discussion: """
      A value is written 7, 7.5 or 7,5; a time 7:30; yes and no are 1 and 0; 80kg and 176lb are the same. A metric
      that the log does not have yet is made by its first value.
      """,
    example: """
      diurnal log mood=7 energy=6
      diurnal log yesterday sleep_hours=7:30 body_mass=176lb
      diurnal log 2026-01-05 symptom headache 3
      """)

  var isLaunch: Bool { true }

  private let day: DayWord
  private let values: [(metric: Metric, value: Double?)]
  private let isNewMeant: Bool
  private let confirmation: Confirmation

  init(_ arguments: ParsedArguments) throws(Failure) {
    var words = arguments.operands[...]
    if let first = words.first, let day = DayWord(first) {
      self.day = day
      words = words.dropFirst()
    } else {
      day = .offset(0)
    }
    var values: [(metric: Metric, value: Double?)] = []
    if words.first == "symptom" {
      words = words.dropFirst()
      guard words.count == 2, let name = words.first, let metric = Metric(symptom: name),
        let severity = words.last
      else { throw .usage("write: diurnal log DAY symptom NAME SEVERITY", Self.syntax) }
      values.append((metric, try Self.value(severity, of: metric)))
      words = []
    }
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        if values.isEmpty, word == arguments.operands.first {
          throw .usage("“\(word)” is no day (\(DayWord.forms)), and no NAME=VALUE", Self.syntax)
        }
        throw .usage("“\(word)” is no NAME=VALUE, such as mood=7", Self.syntax)
      }
      guard let metric = Metric(parts[0]) else {
        let hint = Metric(columnName: parts[0]).map { ", such as \($0)" } ?? ""
        throw .usage(
          "“\(parts[0])” is no name of a metric: it is of small letters, digits, _ and .\(hint)",
          Self.syntax)
      }
      values.append((metric, try Self.value(parts[1], of: metric)))
    }
    for name in arguments.texts("--clear") {
      guard let metric = Metric(name) else {
        throw .usage("--clear takes the name of a metric", Self.syntax)
      }
      values.append((metric, nil))
    }
    if values.isEmpty { throw .usage("nothing to log", Self.syntax) }
    self.values = values
    isNewMeant = arguments.has("--new")
    confirmation = Confirmation(isGiven: arguments.has("--yes"))
  }

  private static func value(
    _ text: some StringProtocol, of metric: Metric
  ) throws(Failure) -> Double {
    do throws(TypedValue.Failure) {
      return try TypedValue.read(text, for: metric)
    } catch {
      throw Failure(.badInput, "\(error)")
    }
  }

  func run(in context: Context) async throws {
    let journal = try context.journal(creates: .always)
    let today = try await context.today(journal)
    let day = day.day(today: today)
    let logged = Set(try await journal.metricSummaries().map(\.metric))
    try checkCleared(logged)
    try await checkDistance(of: day, today, journal)
    var values = values
    let new = try choose(&values, on: day, logged)
    let summaries = try await journal.log(values, on: day, now: context.now)
    await journal.store.close()
    let changed = summaries.contains { !$0.changedDays.isEmpty }
    if context.isJSON {
      Terminal.result(
        .object([
          ("day", .string(day.description)), ("changed", .bool(changed)),
          ("metrics", .array(values.map { .string($0.metric.name) })),
          ("new", .array(new.map { .string($0.name) })),
        ]))
      return
    }
    for (metric, value) in values {
      let isNew = new.contains(metric) ? ", a new metric" : ""
      Terminal.result("\(day) \(metric) \(value == nil ? "cleared" : "logged")\(isNew)\n")
    }
    if day > today {
      Terminal.remark("note: \(day) is in the future; it is kept, and is not today")
    }
  }

  /// What is cleared has to be there by that name.
  private func checkCleared(_ logged: Set<Metric>) throws(Failure) {
    for (metric, value) in values where value == nil && !logged.contains(metric) {
      throw Failure.unknown(metric, among: logged)
    }
  }

  /// A day far from all others is rather a slip of the hand.
  private func checkDistance(
    of day: CalendarDay, _ today: CalendarDay, _ journal: Journal
  ) async throws {
    guard
      day > today.advanced(by: FarDays.ahead) || day < today.advanced(by: -LearnedDays.longestGap)
    else { return }
    let near = try await journal.store.days(
      from: day.advanced(by: -FarDays.ahead), to: day.advanced(by: FarDays.ahead))
    guard near.isEmpty else { return }
    try confirmation.require(
      "\(day) is far from today and from every day of the log.", Self.syntax)
  }

  /// Asks about, or remarks on, each new name that may be another one mistyped.
  ///
  /// - Returns: the metrics that are new.
  private func choose(
    _ values: inout [(metric: Metric, value: Double?)], on day: CalendarDay, _ logged: Set<Metric>
  ) throws(Failure) -> [Metric] {
    var new: [Metric] = []
    for (place, (metric, value)) in values.enumerated() {
      guard value != nil, let name = NewName(metric, logged: logged) else { continue }
      guard let near = name.near, !isNewMeant else {
        new.append(metric)
        continue
      }
      if Terminal.canAsk, !confirmation.isGiven {
        if Terminal.asks("\(metric) is a new metric. Did you mean \(near)? [y/N] ") {
          guard let value, near.possible?.contains(value) ?? true else {
            throw Failure(.badInput, "\(near) cannot have that value: nothing was logged")
          }
          values[place] = (near, value)
          continue
        }
      } else {
        Terminal.remark(
          "note: \(metric) is a new metric, near \(near); if that is a slip: diurnal forget \(day) \(metric), "
            + "and if it is meant: --new")
      }
      new.append(metric)
    }
    return new
  }
}
