internal import DayLog
internal import Personalisation
import Time

/// What keeping a person's model up to date costs, against what a phone grants.
enum RetrainSuite {
  static let workloads: [(name: String, summary: String)] = [
    (
      "DAYS days x METRICS, TARGET, full",
      "everything from the log: features, penalty, evaluation, gate"
    ),
    ("..., new day", "one day added to the log of the model in force"),
    ("..., edit", "a value of a past day changed"),
    ("..., forget", "a past day gone: a full retrain without it"),
  ]

  /// Seconds of a background refresh, and of processor time in a minute on battery.
  static let refreshWindow = 30.0
  static let batteryAllowance = 48.0

  /// A log's size.
  struct Size {
    let days: Int
    let metrics: Int
    var name: String { "\(days) days x \(metrics)" }
  }

  static func sizes(_ options: Options) -> [Size] {
    if options.isQuick { return [Size(days: 30, metrics: 12), Size(days: 365, metrics: 12)] }
    return [30, 90, 365, 1825, 3650].map { Size(days: $0, metrics: 12) }
      + [Size(days: 365, metrics: 40)]
  }

  /// What has happened to the log.
  enum Change: String, CaseIterable {
    case full
    case newDay = "new day"
    case edit
    case forget
  }

  static func run(_ run: inout Run) throws {
    let energy = Energy.find(modelWatts: run.options.watts)
    var outcomes: [Outcome] = []
    for size in sizes(run.options) {
      let log = SyntheticLog(days: size.days, metrics: size.metrics)
      for target in log.targets {
        let kind = target.isBinary ? "logistic" : "ridge"
        let wanted = Change.allCases.filter { run.wants("\(size.name) \(kind) \($0.rawValue)") }
        guard !wanted.isEmpty else { continue }
        run.show("\(size.name), \(kind)")
        let cases = try RetrainCases(log, target)
        for change in wanted {
          var outcome = Outcome(
            suite: .retrain, workload: change.rawValue, shape: "\(size.name) \(kind)")
          try measure(cases, change, energy, run.options, &outcome)
          outcomes.append(outcome)
        }
      }
    }
    for outcome in outcomes { run.add(outcome) }
    guard !outcomes.isEmpty else { return }
    run.report("retrain", table(outcomes, run.options, energy))
  }

  private static func measure(
    _ cases: RetrainCases, _ change: Change, _ energy: Energy, _ options: Options,
    _ outcome: inout Outcome
  ) throws {
    var samples = Samples()
    var joules: [Double] = []
    let start = Raw.wallSeconds
    var note = ""
    Raw.resetPeak()
    let resident = Raw.residentBytes
    while samples.count < 3 || (samples.count < 25 && Raw.wallSeconds - start < 0.4) {
      let before = energy.joulesNow
      let sample = try Stopwatch.time { note = try cases.train(change) }
      joules.append(energy.joules(sample, before: before, after: energy.joulesNow))
      samples.add(sample)
    }
    outcome.take(samples)
    outcome.peakBytes = Raw.peakBytes
    outcome.addedBytes = Raw.peakBytes - resident
    outcome.joules = Samples.quantile(0.5, of: joules)
    if case .counter = energy {
      outcome.energyIsMeasured = true
    } else {
      outcome.energyIsMeasured = false
    }
    outcome.shareOfRefresh = samples.wall(0.5) / refreshWindow
    outcome.shareOfWindow = samples.wall(0.5) / options.processingWindow
    outcome.shareOfBattery = samples.cpu(0.5) / batteryAllowance
    outcome.note = note
  }

  private static func table(_ outcomes: [Outcome], _ options: Options, _ energy: Energy) -> String {
    var table = Table(
      [
        "retrain", "after", "wall", "CPU", "peak memory", "of it added", "joules", "30 s refresh",
        "\(Format.short(options.processingWindow)) s window", "48 CPU-s in 60 s", "as",
      ], left: [0, 1, 10])
    var last = ""
    for outcome in outcomes {
      table.add([
        outcome.shape == last ? "" : outcome.shape, outcome.workload,
        Format.time(seconds: (outcome.wallUs ?? .nan) * 1e-6),
        Format.time(seconds: (outcome.medianUs ?? .nan) * 1e-6),
        Format.memory(bytes: outcome.peakBytes ?? .nan),
        Format.memory(bytes: outcome.addedBytes ?? .nan), Format.short(outcome.joules ?? .nan),
        Format.share(outcome.shareOfRefresh ?? .nan), Format.share(outcome.shareOfWindow ?? .nan),
        Format.share(outcome.shareOfBattery ?? .nan), outcome.note ?? "",
      ])
      last = outcome.shape
    }
    return """
      \(table.text)
      The window on external power is an assumption of \(Format.short(options.processingWindow)) s (--window); \
      \(energy.caption).
      """
  }
}

/// One target on one log, before and after each change.
struct RetrainCases {
  let target: Target
  private let logs: [RetrainSuite.Change: PersonalLog]
  private let inForce: PersonalModel?
  private let dayBefore: PersonalModel?

  init(_ log: SyntheticLog, _ target: Target) throws {
    self.target = target
    let edited = log.days / 2
    logs = [
      .full: log.whole, .newDay: log.whole, .edit: log.changing(day: edited, to: 5),
      .forget: log.changing(day: edited, to: nil),
    ]
    inForce = try Self.model(log.whole, target)
    dayBefore = try Self.model(log.withoutLastDay, target)
  }

  private static func model(_ log: PersonalLog, _ target: Target) throws -> PersonalModel? {
    do {
      guard case .trained(let model, _, _) = try trainPersonalisedModel(from: log, target: target)
      else { return nil }
      return model
    } catch { return nil }
  }

  /// Retrains after a change; tells how it went about it and how many rows had changed.
  func train(_ change: RetrainSuite.Change) throws -> String {
    guard let log = logs[change] else { return "" }
    let previous: PersonalModel? =
      switch change {
      case .full: nil
      case .newDay: dayBefore
      case .edit, .forget: inForce
      }
    let outcome: TrainingOutcome
    do {
      outcome = try trainPersonalisedModel(
        from: log, target: target, previous: previous, choosesPenalties: change == .forget)
    } catch { return "no model: \(error)" }
    guard case .trained(_, let mode, let rows) = outcome else { return "paused" }
    return "\(mode.rawValue), \(rows) row\(rows == 1 ? "" : "s") changed"
  }
}

/// A person's made-up log: ratings from 1 to 9 and slower metrics that depend on each other.
struct SyntheticLog {
  let days: Int
  let whole: PersonalLog
  let targets: [Target]

  init(days: Int, metrics count: Int) {
    self.days = days
    var numbers = SeededNumbers(seed: UInt64(days * 100 + count))
    let names = (0..<count).compactMap { Metric("metric_\($0 < 10 ? "0" : "")\($0)") }
    var values = ContiguousArray<Double>()
    var first: [Double] = []
    for m in 0..<count {
      var state = 0.0
      for day in 0..<days {
        state = 0.6 * state + numbers.normal()
        if m == 0 { first.append(state) }
        let level = 5 + state + (m > 0 && m < 4 && day > 0 ? 0.5 * first[day - 1] : 0)
        let value = m == 1 ? level.rounded() + 0 : level
        let isGap = numbers.uniform() < 0.08
        // The first month of the targets is whole, so that a log of 30 days has as many outcomes. The last two
        // days are there, so that the new one can change something.
        let isNeeded = day >= days - 2 || (day < 30 && (1...2).contains(m))
        values.append(isGap && !isNeeded ? .nan : value)
      }
    }
    whole = PersonalLog(
      DayTable(
        firstDay: CalendarDay(number: 16_804), dayCount: days, metrics: names, values: values))
    targets = names.count > 2 ? [Target(names[2]), Target(names[1], .atMost, 4)] : []
  }

  var withoutLastDay: PersonalLog {
    let table = whole.table
    var values = ContiguousArray<Double>()
    for m in table.metrics.indices {
      values += table.values[(m * days)..<(m * days + days - 1)]
    }
    return PersonalLog(
      DayTable(
        firstDay: table.firstDay, dayCount: days - 1, metrics: table.metrics, values: values))
  }

  /// The log with all values of a day, or one of them, other than they were; nil takes them out.
  func changing(day: Int, to value: Double?) -> PersonalLog {
    let table = whole.table
    var values = table.values
    for m in table.metrics.indices where value == nil || m == 3 {
      values[m * days + day] = value ?? .nan
    }
    return PersonalLog(
      DayTable(firstDay: table.firstDay, dayCount: days, metrics: table.metrics, values: values))
  }
}
