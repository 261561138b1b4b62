internal import DayLog
internal import Personalisation
internal import Storage
import Time

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The tool as people and timers start it: whole processes on a store of ten years, loading and all.
enum ProcessSuite {
  static let workloads: [(name: String, summary: String)] = [
    (
      "W11",
      "the library alone: load, features, ridge over 100 λ, logistic over 10 λ x 5 folds, predict, save"
    ),
    ("W12", "diurnal train --full: features, penalties, fit, evaluation day by day, intervals"),
    ("train, new day", "diurnal train after one day was added to a trained store"),
    ("train, unchanged", "diurnal train where nothing was added"),
    ("predict", "diurnal predict, all trained targets"),
    ("show", "diurnal show --json, every day"),
  ]

  static func days(_ options: Options) -> Int { options.isQuick ? 365 : 3650 }

  static func run(_ run: inout Run) async throws {
    let days = days(run.options)
    let shape = "\(days) days x 12"
    let wanted = workloads.map(\.name).filter { run.wants("\($0) \(shape)") }
    guard !wanted.isEmpty else { return }
    let log = SyntheticLog(days: days, metrics: 12)
    guard let tool = Tool(today: log.whole.table.endDay) else {
      Run.remark("The suite `process` is left out: diurnal was not built beside this program.")
      return
    }
    run.show("process: the stores")
    let stores = try await Stores(log, in: run.folder, tool)
    var outcomes: [Outcome] = []
    for name in wanted {
      run.show("process: \(name)")
      let (store, arguments) = stores.command(name)
      outcomes.append(try measure(name, shape, tool, store, arguments, run))
    }
    for outcome in outcomes {
      let text = outcome.workload == "W11" ? OptionalText.read(answerPath(run.folder)) : nil
      run.add([Measured(outcome: outcome, answer: text.map(WholeProcess.predictions))])
    }
    var table = Table(
      ["process", "shape", "wall", "CPU", "peak memory", "command"], left: [0, 1, 5])
    for outcome in outcomes {
      table.add([
        outcome.workload, outcome.shape, Format.time(seconds: (outcome.wallUs ?? .nan) * 1e-6),
        Format.time(seconds: (outcome.medianUs ?? .nan) * 1e-6),
        Format.memory(bytes: outcome.peakBytes ?? .nan), outcome.note ?? "",
      ])
    }
    run.report("process", table.text)
  }

  /// Runs one command again and again, each time on a fresh copy of its store.
  private static func measure(
    _ name: String, _ shape: String, _ tool: Tool, _ store: String, _ arguments: [String],
    _ run: Run
  ) throws -> Outcome {
    var samples = Samples()
    var peak = 0.0
    let start = Raw.wallSeconds
    while samples.count < 3 || (samples.count < 15 && Raw.wallSeconds - start < 1.5) {
      let copy = "\(run.folder)/copy-\(samples.count).sqlite"
      try FileManager.default.copyItem(atPath: store, toPath: copy)
      let child = try name == "W11" ? library(copy, run.folder) : tool.run(store: copy, arguments)
      try FileManager.default.removeItem(atPath: copy)
      samples.add(child.time)
      peak = max(peak, child.peakBytes)
    }
    var outcome = Outcome(suite: .process, workload: name, shape: shape)
    outcome.take(samples)
    outcome.peakBytes = peak
    outcome.note =
      name == "W11" ? "the library alone" : "diurnal " + arguments.joined(separator: " ")
    return outcome
  }

  /// This program again, as the process of W11.
  private static func library(_ store: String, _ folder: String) throws -> Raw.Child {
    let command = [CommandLine.arguments[0], WholeProcess.argument, store]
    guard let child = Raw.run(command, output: answerPath(folder)), child.exitCode == 0 else {
      throw Failed(command: command, code: nil)
    }
    return child
  }

  /// Where the process of W11 leaves what it predicts, in numbers between spaces.
  private static func answerPath(_ folder: String) -> String { "\(folder)/w11.txt" }

  /// The store of W11, for a rival to read.
  static func storePath(_ folder: String) -> String { "\(folder)/untrained.sqlite" }

  /// A store before any training, one trained on all days but the last that has that day too, one trained on all.
  private struct Stores {
    let untrained: String
    let oneDayLater: String
    let trained: String
    private let training: [String]

    init(_ log: SyntheticLog, in folder: String, _ tool: Tool) async throws {
      untrained = ProcessSuite.storePath(folder)
      oneDayLater = "\(folder)/one-day-later.sqlite"
      trained = "\(folder)/trained.sqlite"
      training = ["train"] + log.targets.flatMap { ["--target", $0.description] }
      try await Self.write(log.whole.table, to: untrained)
      try FileManager.default.copyItem(atPath: untrained, toPath: trained)
      _ = try tool.run(store: trained, training)
      try await Self.write(log.withoutLastDay.table, to: oneDayLater)
      _ = try tool.run(store: oneDayLater, training)
      try await Self.write(log.whole.table, to: oneDayLater)
    }

    func command(_ name: String) -> (store: String, arguments: [String]) {
      switch name {
      case "W12": (untrained, training + ["--full"])
      case "train, new day": (oneDayLater, training)
      case "train, unchanged": (trained, training)
      case "predict": (trained, ["predict"])
      default: (untrained, ["--json", "show"])
      }
    }

    private static func write(_ table: DayTable, to path: String) async throws {
      let store = try LogStore(path: path)
      try await store.merge(StoreSuite.entries(of: table))
      await store.close()
    }
  }

  /// The tool that was built with this program.
  private struct Tool {
    private let path: String
    private let now: String

    /// nil where it is not beside this program.
    init?(today: CalendarDay) {
      path =
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "diurnal").path
      now = "\(today)T12:00:00Z"
      guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
    }

    func run(store: String, _ arguments: [String]) throws -> Raw.Child {
      let command = [path, "--store", store, "--zone", "UTC", "--now", now] + arguments
      guard let child = Raw.run(command) else { throw Failed(command: arguments, code: nil) }
      guard child.exitCode == 0 else { throw Failed(command: arguments, code: child.exitCode) }
      return child
    }
  }

  struct Failed: Error, CustomStringConvertible {
    let command: [String]
    let code: Int?
    var description: String {
      let words = command.joined(separator: " ")
      return "`\(words)` " + (code.map { "ended with \($0)" } ?? "did not run to its end")
    }
  }
}
