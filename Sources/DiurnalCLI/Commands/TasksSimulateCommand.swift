internal import Scheduling

/// `diurnal tasks simulate`: the loop under power cuts, kills and steps of the clock, from a seed.
struct TasksSimulateCommand: Command {
  static let syntax = CommandSyntax(
    name: "tasks simulate", summary: "try the loop on made-up days and check that it never stops",
    options: [
      .value("--days", "N", "how many days, 365 if not given"),
      .value("--seed", "S", "which course of events, 1 if not given"),
    ],
    discussion: """
      Nothing of the log is read or written. The same seed takes the same course. Exit code 1 where an
      invariant did not hold.
      """,
    example: "diurnal tasks simulate --days 1000 --seed 7")

  private let days: Int
  private let seed: Int

  init(_ arguments: ParsedArguments) throws(Failure) {
    days = try arguments.integer("--days", in: 1...1_000_000) ?? 365
    seed = try arguments.integer("--seed", in: 0...Int.max) ?? 1
  }

  func run(in context: Context) async throws {
    var simulation = LoopSimulation(seed: UInt64(seed))
    let report = await simulation.run(days: days)
    if context.isJSON {
      Terminal.result(
        .object([
          ("seed", .integer(seed)), ("days", .integer(report.days)),
          ("events", .integer(report.events)), ("launches", .integer(report.launches)),
          ("kills", .integer(report.kills)), ("runs", .integer(report.runs)),
          ("expirations", .integer(report.expirations)), ("failures", .integer(report.failures)),
          ("checks", .integer(report.checks)),
          ("violation", .string(report.violation.map { "\($0)" })),
        ]))
    } else {
      Terminal.result(
        """
        \(report.days) days, \(report.events) events: \(report.launches) launches, \(report.kills) kills, \
        \(report.runs) runs (\(report.successes) done, \(report.expirations) expired, \
        \(report.failures) failed)
        \(report.checks) checks, \(report.violation == nil ? "every invariant held" : "an invariant broke")

        """)
    }
    if let violation = report.violation { throw Failure(.failed, "\(violation)") }
  }
}
