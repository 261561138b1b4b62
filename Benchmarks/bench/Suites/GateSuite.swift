/// Whether the gate opens when it should and stays closed when it should, and whether intervals hold what
/// they promise: people of known worlds, day by day.
enum GateSuite {
  static let workloads: [(name: String, summary: String)] = [
    ("gate noise", "nothing to be known: how many ever see an open gate in 180 days"),
    ("gate signal", "R² = 0.4 from four of twelve metrics: when the gate opens"),
    ("gate noise AR(0.4)", "nothing in the metrics, a target that persists"),
    ("gate signal AR(0.4)", "the same signal under noise that persists"),
    ("interval ...", "how many outcomes the intervals hold in a year and after a change of level"),
  ]

  /// The first person's number: other people were looked at while the boundary was chosen.
  static let firstSeed: UInt64 = 2_000_000

  static let gateWorlds = [
    SimulatedWorld(name: "noise"), SimulatedWorld(name: "signal", explained: 0.4),
    SimulatedWorld(name: "noise AR(0.4)", persistence: 0.4),
    SimulatedWorld(name: "signal AR(0.4)", explained: 0.4, persistence: 0.4),
  ]
  static let intervalWorlds = [
    SimulatedWorld(name: "noise"), SimulatedWorld(name: "signal", explained: 0.4),
    SimulatedWorld(name: "signal AR(0.4)", explained: 0.4, persistence: 0.4),
    SimulatedWorld(name: "noise, level shift", shiftDay: 200),
    SimulatedWorld(name: "signal, level shift", explained: 0.4, shiftDay: 200),
    SimulatedWorld(
      name: "signal AR(0.4), level shift", explained: 0.4, persistence: 0.4, shiftDay: 200),
  ]

  static func run(_ run: inout Run) throws {
    try gate(&run)
    try intervals(&run)
  }

  private static func gate(_ run: inout Run) throws {
    let days = [45, 60, 75, 90, 105, 120, 150, 180]
    var table = Table(
      ["gate open, % of people on day"] + days.map(String.init) + [
        "ever", "bound held", "coverage",
      ])
    let people = run.options.isQuick ? 20 : 400
    for world in gateWorlds where run.wants("gate \(world.name)") {
      var simulation = GateSimulation(world)
      for person in 0..<people {
        run.show("gate \(world.name): person \(person + 1) of \(people)")
        try simulation.add(seed: firstSeed + UInt64(person))
      }
      let held = 1 - Double(simulation.boundsAbove) / Double(people)
      table.add(
        [world.name] + days.map { percent(simulation.share(open: $0)) } + [
          percent(simulation.share(opened: GateSimulation.looks.upperBound)), percent(held),
          percent(simulation.coverage),
        ])
    }
    run.clearProgress()
    guard !table.rows.isEmpty else { return }
    print("\(people) people, trained and predicted every day\n\(table.text)\n")
  }

  private static func intervals(_ run: inout Run) throws {
    var table = Table(["intervals of 90 %", "held on average", "tenth of the people below"])
    let people = run.options.isQuick ? 20 : 200
    for world in intervalWorlds where run.wants("interval \(world.name)") {
      var simulation = IntervalSimulation(world)
      for person in 0..<people {
        run.show("interval \(world.name): person \(person + 1) of \(people)")
        try simulation.add(seed: firstSeed + UInt64(person))
      }
      table.add([
        world.name, percent(simulation.coverage),
        percent(Samples.quantile(0.1, of: simulation.coverages)),
      ])
    }
    run.clearProgress()
    guard !table.rows.isEmpty else { return }
    print(
      """
      \(people) people, in a year or in the \(IntervalSimulation.aftermath) days after a change of level
      \(table.text)

      """)
  }

  private static func percent(_ share: Double) -> String { Format.fixed(100 * share, 1) }
}
