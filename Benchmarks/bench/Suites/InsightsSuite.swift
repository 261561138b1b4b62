internal import DayLog
internal import Personalisation
internal import Time

/// Whether what people are told is true: made-up people of known worlds, at one look and over a year of weekly looks.
enum InsightsSuite {
  static let workloads: [(name: String, summary: String)] = [
    ("insights noise ...", "nothing to find: who is shown anything, at 84 and at 365 days"),
    ("insights effect ...", "one real effect: who is shown it, and who its opposite"),
    ("insights year ...", "a look each week: who is ever told a false one as established"),
  ]

  /// The first person's number: other people were looked at while anything was chosen.
  static let firstSeed: UInt64 = 9_000_000

  /// Noise of all kinds, with nothing to find in it.
  static let noise: [InsightWorld] = [
    world("white") { $0.noise = .autoregression(0) },
    world("AR(0.3)") { $0.noise = .autoregression(0.3) }, world("AR(0.6)") { _ in },
    world("AR(0.9)") { $0.noise = .autoregression(0.9) },
    world("five grades") { $0.scale = .ordinal }, world("skewed") { $0.scale = .skewed },
    world("many zeros") { $0.scale = .zeroHeavy }, world("half missing") { $0.missing = 0.5 },
  ]
  /// Noise that is no autoregression, and what moves several metrics at once.
  static let hardNoise: [InsightWorld] = [
    world("monthly rhythm") { $0.noise = .monthly },
    world("cycle of 12 days") { $0.noise = .cycle },
    world("walk and weekday") { $0.noise = .walk },
    world("holidays") { ($0.noise, $0.event) = (.mixed(0.8), .holidays) },
    world("shift of two") { ($0.noise, $0.event) = (.mixed(0.8), .shiftOfTwo) },
  ]
  /// One real effect on the outcome: a correlation of 0.4.
  static let effects: [InsightWorld] = [
    effect("same day, AR(0.3)", 0.3, .lagged(0.4, lag: 0)),
    effect("same day, AR(0.6)", 0.6, .lagged(0.4, lag: 0)),
    effect("same day, AR(0.9)", 0.9, .lagged(0.4, lag: 0)),
    effect("day after, AR(0.6)", 0.6, .lagged(0.4, lag: 1)),
    effect("two days after, AR(0.6)", 0.6, .lagged(0.4, lag: 2)),
    effect("week before, AR(0.3)", 0.3, .week(0.4)),
    world("day after, all AR(0.6)") { $0.truth = .lagged(0.4, lag: 1) },
    world("day after, all AR(0.6), 20 metrics") {
      ($0.truth, $0.metricCount) = (.lagged(0.4, lag: 1), 20)
    },
  ]

  private static func world(
    _ name: String, _ change: (inout InsightWorld) -> Void
  ) -> InsightWorld {
    var world = InsightWorld(name: name)
    change(&world)
    return world
  }

  /// An outcome with persistent noise of its own, and a factor that does not persist.
  private static func effect(
    _ name: String, _ persistence: Double, _ truth: InsightWorld.Truth
  ) -> InsightWorld {
    world(name) {
      ($0.noise, $0.factorNoise, $0.truth) = (
        .autoregression(persistence), .autoregression(0), truth
      )
    }
  }

  static func run(_ run: inout Run) throws {
    noise(&run)
    effects(&run)
    years(&run)
  }

  private static func noise(_ run: inout Run) {
    let people = run.options.isQuick ? 10 : 200
    var table = Table(["nothing to find: % of people shown anything", "84 days", "365 days"])
    for world in noise + hardNoise where run.wants("insights noise \(world.name)") {
      var cells = [world.name]
      for days in [84, 365] {
        var shown = 0
        for person in 0..<people {
          run.show("insights noise \(world.name), \(days) days: person \(person + 1) of \(people)")
          let told = InsightPerson(world, days: days, seed: firstSeed + UInt64(person)).look(days)
          if !told.insights.isEmpty { shown += 1 }
        }
        cells.append(share(shown, people))
        run.add(outcome("noise \(world.name)", "\(days) days", shown, people))
      }
      table.add(cells)
    }
    finish(&run, "insights noise", table, people)
  }

  private static func effects(_ run: inout Run) {
    let people = run.options.isQuick ? 10 : 200
    var table = Table([
      "one real effect: % of people shown", "it, 84 days", "365 days", "its opposite, 84 days",
      "365 days", "false share, 84 days", "365 days",
    ])
    for world in effects where run.wants("insights effect \(world.name)") {
      var real: [String] = []
      var opposite: [String] = []
      var wrong: [String] = []
      for days in [84, 365] {
        var counts = (real: 0, opposite: 0, falseShares: 0.0)
        for person in 0..<people {
          run.show("insights effect \(world.name), \(days) days: person \(person + 1) of \(people)")
          let told = InsightPerson(world, days: days, seed: firstSeed + UInt64(person)).look(days)
            .insights
          if told.contains(where: world.isReal) { counts.real += 1 }
          if told.contains(where: world.isOpposite) { counts.opposite += 1 }
          if !told.isEmpty {
            counts.falseShares += Double(told.count { !world.isReal($0) }) / Double(told.count)
          }
        }
        real.append(share(counts.real, people))
        opposite.append(share(counts.opposite, people))
        wrong.append(Format.fixed(100 * counts.falseShares / Double(people), 1))
        run.add(outcome("opposite of \(world.name)", "\(days) days", counts.opposite, people))
        run.add(
          outcome("missed \(world.name)", "\(days) days", people - counts.real, people))
      }
      table.add([world.name] + real + opposite + wrong)
    }
    finish(&run, "insights effect", table, people)
  }

  private static func years(_ run: inout Run) {
    let people = run.options.isQuick ? 3 : 100
    var table = Table([
      "a look each week: % of people", "ever told a false one in a year",
      "told the real one by day 84", "by day 180",
    ])
    let real = effects.filter { $0.name.hasSuffix("all AR(0.6)") }
    for world in noise + real where run.wants("insights year \(world.name)") {
      var counts = (wrong: 0, early: 0, late: 0)
      let days = world.hasTruth ? 182 : 365
      for person in 0..<people {
        run.show("insights year \(world.name): person \(person + 1) of \(people)")
        let person = InsightPerson(world, days: days, seed: firstSeed + UInt64(person))
        var (isWrong, first) = (false, Int.max)
        for day in stride(from: 28, through: days, by: 7) {
          let told = person.look(day).insights.filter(\.isEstablished)
          if told.contains(where: { !world.isReal($0) }) { isWrong = true }
          if told.contains(where: world.isReal) { first = min(first, day) }
        }
        if isWrong { counts.wrong += 1 }
        if first <= 84 { counts.early += 1 }
        if first <= 182 { counts.late += 1 }
      }
      table.add(
        [world.name, share(counts.wrong, people)]
          + (world.hasTruth
            ? [share(counts.early, people), share(counts.late, people)] : ["–", "–"]))
      if !world.hasTruth {
        run.add(outcome("year \(world.name)", "weekly looks", counts.wrong, people))
      } else {
        run.add(
          outcome("missed by day 180 \(world.name)", "weekly looks", people - counts.late, people))
      }
    }
    finish(&run, "insights year", table, people)
  }

  private static func outcome(
    _ workload: String, _ shape: String, _ count: Int, _ people: Int
  ) -> Outcome {
    var outcome = Outcome(suite: .insights, workload: workload, shape: shape)
    outcome.shareOfPeople = Double(count) / Double(people)
    outcome.samples = people
    return outcome
  }

  /// A percentage of people with its standard error.
  private static func share(_ count: Int, _ people: Int) -> String {
    let share = Double(count) / Double(people)
    let error = (share * (1 - share) / Double(people)).squareRoot()
    return "\(Format.fixed(100 * share, 1)) ± \(Format.fixed(100 * error, 1))"
  }

  private static func finish(_ run: inout Run, _ section: String, _ table: Table, _ people: Int) {
    run.clearProgress()
    guard !table.rows.isEmpty else { return }
    run.report(
      section, "\(people) people from number \(firstSeed) on, ± one standard error\n\(table.text)")
  }
}

extension InsightPerson {
  /// What the person is told after so many days.
  func look(_ days: Int) -> InsightReport {
    findInsights(in: log, asOf: log.table.firstDay.advanced(by: days))
  }
}

extension InsightWorld {
  var hasTruth: Bool { if case .nothing = truth { false } else { true } }

  /// Whether it is about the outcome and the factor, in either direction.
  private func isOfPair(_ insight: Insight) -> Bool {
    Set([insight.pair.outcome, insight.pair.factor]) == [Self.outcome, Self.factor]
  }

  /// Whether an insight tells of what is true.
  func isReal(_ insight: Insight) -> Bool {
    guard isOfPair(insight), insight.effect > 0 else { return false }
    let pair = insight.pair
    switch truth {
    case .nothing: return false
    case .lagged(_, let lag):
      return pair.lag == lag && pair.window == 1 && (lag == 0 || pair.outcome == Self.outcome)
    case .week: return pair.outcome == Self.outcome && pair.lag > 0
    }
  }

  /// Whether an insight tells the opposite of what is true.
  func isOpposite(_ insight: Insight) -> Bool { isOfPair(insight) && insight.effect < 0 }
}
