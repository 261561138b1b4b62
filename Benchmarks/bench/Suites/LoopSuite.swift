internal import Diurnal
internal import LoopSimulation

/// The background loop on virtual time, with every invariant checked after every step: how many days of a person's
/// phone a second of ours simulates.
enum LoopSuite {
  static let workloads: [(name: String, summary: String)] = [
    ("simulated day", "power cuts, kills, clock jumps, late imports; all invariants checked"),
    ("simulated day, real store", "the same, with log, queue, models and requests in SQLite"),
  ]

  static func run(_ run: inout Run) async throws {
    let days = run.options.isQuick ? 60 : 365
    try await measure(workloads[0].name, days: days, &run) { seed in
      var simulation = Simulation(seed: seed)
      return await simulation.run(days: days)
    }
    let fewer = run.options.isQuick ? 20 : 120
    try await measure(workloads[1].name, days: fewer, &run) { seed in
      try await StoreWorld.simulate(seed: seed, days: fewer)
    }
  }

  private static func measure(
    _ name: String, days: Int, _ run: inout Run,
    _ simulate: (UInt64) async throws -> SimulationReport
  ) async throws {
    let shape = "years of \(days) days"
    guard run.wants("\(name) \(shape)") else { return }
    run.show("loop")
    var samples = Samples()
    var sum = SimulationReport()
    for seed in 1...(run.options.isQuick ? 3 : 8) as ClosedRange<UInt64> {
      let sample = try await Stopwatch.time { sum = sum + (try await simulate(seed)) }
      let count = Double(days)
      samples.add(Sample(wall: sample.wall / count, cpu: sample.cpu / count))
    }
    var outcome = Outcome(suite: .loop, workload: name, shape: shape)
    outcome.take(samples)
    let rate = Format.fixed(1 / samples.cpu(0.5), 0)
    let violations = sum.violation.map { "\($0)" } ?? "0 violations"
    outcome.note = "\(rate) days a processor second, \(sum.checks) checks, \(violations)"
    run.add(outcome)
    run.clearProgress()
    print(
      "loop: a \(name) takes \(Format.time(seconds: samples.cpu(0.5))): \(outcome.note ?? "")\n")
  }
}
