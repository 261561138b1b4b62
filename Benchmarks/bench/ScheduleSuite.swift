internal import Scheduling

/// The background loop on virtual time, with every invariant checked after every step.
enum ScheduleSuite {
  static let workloads: [(name: String, summary: String)] = [
    ("simulated day", "power cuts, kills, clock jumps, late imports; all invariants checked")
  ]

  static func run(_ run: inout Run) async throws {
    let days = run.options.isQuick ? 60 : 365
    let shape = "years of \(days) days"
    guard run.wants("simulated day \(shape)") else { return }
    run.show("schedule")
    var samples = Samples()
    var violations = 0
    var checks = 0
    for seed in 1...(run.options.isQuick ? 3 : 8) {
      let sample = await Stopwatch.time {
        var simulation = LoopSimulation(seed: UInt64(seed))
        let report = await simulation.run(days: days)
        checks += report.checks
        if report.violation != nil { violations += 1 }
      }
      let count = Double(days)
      samples.add(Sample(wall: sample.wall / count, cpu: sample.cpu / count))
    }
    var outcome = Outcome(suite: .schedule, workload: "simulated day", shape: shape)
    outcome.take(samples)
    let rate = Format.fixed(1 / samples.wall(0.5), 0)
    outcome.note = "\(rate) days a second, \(checks) checks, \(violations) violations"
    run.add(outcome)
    run.clearProgress()
    print(
      "schedule: a simulated day takes \(Format.time(seconds: samples.cpu(0.5))): \(outcome.note ?? "")\n"
    )
  }
}
