internal import DayLog
internal import Diurnal
internal import Personalisation

/// The options by which commands choose models: `--target` and `--horizon`.
struct ModelOptions: Sendable {
  /// Those of a command that trains.
  static let training: [Option] = [
    .value("--target", "NAME", repeats: true, "a metric, or a yes/no such as 'mood<=4'"), horizon,
  ]
  /// Those of a command that asks models.
  static let asking: [Option] = [
    .value("--target", "NAME", repeats: true, "a trained target; all of them if none is named"),
    horizon,
  ]
  private static let horizon = Option.value(
    "--horizon", "DAYS", "how many days ahead, 1 to 7 (default 1)")

  let targets: [Target]
  /// Nil where it was not given.
  let horizon: Int?

  /// Reads them; wrong usage where a text is no target.
  init(_ arguments: ParsedArguments, _ syntax: CommandSyntax) throws(Failure) {
    var targets: [Target] = []
    for text in arguments.texts("--target") {
      guard let target = Target(text) else {
        throw .usage(
          "--target takes a metric or a comparison such as 'mood<=4', not “\(text)”", syntax)
      }
      targets.append(target)
    }
    self.targets = targets
    horizon = try arguments.integer("--horizon", in: 1...7)
  }

  /// The models of the targets named, or all there are; a failure where there are none.
  func models(of journal: Journal) async throws -> [PersonalModel] {
    var names = targets.map { ModelName($0, horizon: horizon ?? 1) }
    if targets.isEmpty { names = try await journal.trainedModels(horizon: horizon) }
    guard !names.isEmpty else {
      let ahead = horizon.map { $0 == 1 ? "" : " --horizon \($0)" } ?? ""
      throw Failure(.failed, "nothing is trained yet; run: diurnal train" + ahead)
    }
    var models: [PersonalModel] = []
    for name in names {
      models.append(try await journal.model(of: name.target, horizon: name.horizon))
    }
    return models
  }
}
