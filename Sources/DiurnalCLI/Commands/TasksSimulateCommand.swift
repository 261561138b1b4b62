internal import Diurnal
internal import LoopSimulation

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// `diurnal tasks simulate`: the loop under power cuts, kills and steps of the clock, from a seed.
struct TasksSimulateCommand: Command {
  static let syntax = CommandSyntax(
    name: "tasks simulate", summary: "try the loop on made-up days and check that it never stops",
    options: [
      .value("--days", "N", "how many days, 365 if not given"),
      .value("--seed", "S", "which course of events, 1 if not given"),
      .value("--seeds", "N", "how many seeds from there on, 1 if not given"),
      .value("--world", "WORLD", "memory, or store for a real log; memory if not given"),
      .value("--fault", "NAME", "leave out one safeguard, to see that this is found"),
      .flag("--train", "train real models too, in a store"),
      .flag("--trace", "print the last steps where an invariant did not hold"),
    ],
    discussion: """
      Nothing of your log is read or written: a store is made in memory-backed storage where there is some,
      and removed. The same seed takes the same course. Exit code 1 where an invariant did not hold.
      Faults: \(faults).
      """,
    example: "diurnal tasks simulate --days 1000 --seed 7 --world store")

  private static var faults: String {
    SimulatedFault.allCases.map(\.rawValue).joined(separator: ", ")
  }

  var finishesPendingWork: Bool { false }

  private let days: Int
  private let seed: Int
  private let seedCount: Int
  private let usesStore: Bool
  private let fault: SimulatedFault?
  private let trains: Bool
  private let keepsTrace: Bool

  init(_ arguments: ParsedArguments) throws(Failure) {
    days = try arguments.integer("--days", in: 1...1_000_000) ?? 365
    seed = try arguments.integer("--seed", in: 0...Int(UInt32.max)) ?? 1
    seedCount = try arguments.integer("--seeds", in: 1...1_000_000) ?? 1
    if let name = arguments.text("--fault") {
      guard let fault = SimulatedFault(rawValue: name) else {
        throw .usage("--fault takes one of: \(Self.faults)", Self.syntax)
      }
      self.fault = fault
    } else {
      fault = nil
    }
    trains = arguments.has("--train")
    keepsTrace = arguments.has("--trace")
    switch arguments.text("--world") {
    case "store": usesStore = true
    case "memory", nil: usesStore = false
    case let other?:
      throw .usage("--world is memory or store, not “\(other)”", Self.syntax)
    }
    if trains && !usesStore { throw .usage("--train needs --world store", Self.syntax) }
  }

  func run(in context: Context) async throws {
    var sum = SimulationReport()
    for seed in seed..<(seed + seedCount) where sum.violation == nil {
      sum = sum + (try await simulate(UInt64(seed)))
    }
    show(sum, context)
    guard let violation = sum.violation else { return }
    if keepsTrace { Terminal.remark(sum.trace.joined(separator: "\n")) }
    throw Failure(.failed, "\(violation)")
  }

  private func simulate(_ seed: UInt64) async throws -> SimulationReport {
    guard usesStore else {
      var simulation = Simulation(seed: seed, fault: fault, keepsTrace: keepsTrace)
      return await simulation.run(days: days)
    }
    return try await StoreWorld.simulate(
      seed: seed, days: days, training: trains ? .real : .standIn, fault: fault,
      keepsTrace: keepsTrace)
  }

  private func show(_ report: SimulationReport, _ context: Context) {
    if context.isJSON {
      Terminal.result(
        .object([
          ("seed", .integer(seed)), ("seeds", .integer(seedCount)),
          ("days", .integer(report.days)), ("events", .integer(report.events)),
          ("launches", .integer(report.launches)), ("kills", .integer(report.kills)),
          ("runs", .integer(report.runs)), ("expirations", .integer(report.expirations)),
          ("failures", .integer(report.failures)), ("checks", .integer(report.checks)),
          ("violation", .string(report.violation.map { "\($0)" })),
        ]))
      return
    }
    Terminal.result(
      """
      \(report.days) days, \(report.events) events: \(report.launches) launches, \(report.kills) kills, \
      \(report.runs) runs (\(report.successes) done, \(report.expirations) expired, \
      \(report.failures) failed)
      \(report.checks) checks, \(report.violation == nil ? "every invariant held" : "an invariant broke")

      """)
  }
}
