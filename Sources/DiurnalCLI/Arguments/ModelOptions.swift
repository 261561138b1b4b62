internal import DayLog
internal import Diurnal
internal import Personalisation
internal import Storage
internal import Time

/// How commands choose models: names of targets, `--target` and `--horizon`.
struct ModelOptions: Sendable {
  /// Targets named without an option.
  static let operands = [
    Operand(
      name: "TARGET", count: .any, help: "a metric, or a yes/no such as 'mood<=4'; all if left out")
  ]
  /// Those of a command that trains, and of one that asks models.
  static let options: [Option] = [
    .value("--target", "NAME", repeats: true, "the same as naming it without an option"),
    .value("--horizon", "DAYS", "how many days ahead, 1 to 7 (default 1)"),
  ]

  let targets: [Target]
  /// Nil where it was not given.
  let horizon: Int?

  /// Reads them; wrong usage where a text is no target.
  init(_ arguments: ParsedArguments, _ syntax: CommandSyntax) throws(Failure) {
    var targets: [Target] = []
    for text in arguments.operands + arguments.texts("--target") {
      guard let target = Target(text) else {
        throw .usage(
          "a target is a metric or a comparison such as 'mood<=4', not “\(text)”", syntax)
      }
      if !targets.contains(target) { targets.append(target) }
    }
    self.targets = targets
    horizon = try arguments.integer("--horizon", in: 1...7)
  }

  /// The models of the targets named, or all there are; a failure where there are none.
  ///
  /// A name that the log does not have is bad input, as it is to every other command; a target that the log has and
  /// that has no model yet is told how far it is.
  func models(of journal: Journal, today: CalendarDay) async throws -> [PersonalModel] {
    var names = targets.map { ModelName($0, horizon: horizon ?? 1) }
    if targets.isEmpty { names = try await journal.trainedModels(horizon: horizon) }
    guard !names.isEmpty else { throw try await nothingTrained(journal, today) }
    var models: [PersonalModel] = []
    for name in names {
      do {
        models.append(try await journal.model(of: name.target, horizon: name.horizon))
      } catch ModelError.none {
        let log = try await journal.personalLog(through: today.advanced(by: -1))
        try name.target.check(in: log)
        let standing = name.target.standing(in: log, today: today)
        guard standing == .ready else {
          throw Failure(.failed, "\(name) \(standing.clause)")
        }
        throw Failure(
          .failed, "\(name) is not trained yet; run: diurnal train '\(name.target)'" + ahead)
      }
    }
    return models
  }

  private var ahead: String { horizon.map { $0 == 1 ? "" : " --horizon \($0)" } ?? "" }

  /// What a person with a young log is to know: how far the nearest target is.
  private func nothingTrained(_ journal: Journal, _ today: CalendarDay) async throws -> Failure {
    let log = try await journal.personalLog(through: today.advanced(by: -1))
    let targets = try await journal.usualTargets(in: log, today: today)
    if !targets.isEmpty {
      return Failure(.failed, "nothing is trained yet; run: diurnal train" + ahead)
    }
    return Failure(.failed, YoungLog(log, today: today).text)
  }
}

/// What there is to say of a log that is too young for any model.
struct YoungLog {
  private let log: PersonalLog
  private let today: CalendarDay

  init(_ log: PersonalLog, today: CalendarDay) {
    self.log = log
    self.today = today
  }

  /// One sentence with the target that is furthest.
  var text: String {
    let needed = TrainingOptions().leastDays
    let targets = log.table.metrics.map { Target($0) }.filter { $0.isOfInterest(in: log) }
    let awake = targets.filter { !$0.isResting(in: log, today: today) }
    let counts = awake.map { target in (target.outcomes(in: log).count { !$0.isNaN }, target) }
    if let most = counts.max(by: { $0.0 < $1.0 }) {
      return "no model yet: \(most.1) \(most.1.standing(in: log, today: today).clause)"
    }
    guard let last = targets.compactMap({ $0.lastDay(in: log) }).max() else {
      return "the log has no day before today: a model needs \(needed) days of a metric"
    }
    return "no model: every target rests, as the last value is of \(last); "
      + "log or import newer days"
  }
}
