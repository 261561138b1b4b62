import DayLog
public import Personalisation
internal import Storage
public import Time

/// What training did for one target.
public struct TrainedTarget: Sendable {
  /// How the training of a target ended.
  public enum Result: Sendable {
    /// There is a new model, or the old one holds.
    case trained(PersonalModel, TrainingMode, changedRows: Int)
    /// The budget ran out with this share done; the old model stays in force.
    case paused(share: Double)
    /// There can be no model of this log; the old one, if any, stays.
    case refused(TrainingError)
    /// Again and again values were forgotten meanwhile, or a later training was faster: nothing was saved, and
    /// what is missing stays pending.
    case outdated
  }

  /// The model that was to be trained.
  public let name: ModelName
  /// How its training ended.
  public let result: Result
  /// Why everything was computed although there was a model and nobody asked for it; a clause.
  public var fullBecause: String?

  /// What it predicts.
  public var target: Target { name.target }
}

extension Journal {
  private static let modelSchema = 1

  /// Trains the models of `targets` on all days before `today` and saves each that is whole. With none
  /// named, those of every target with enough days and of all that are wanted from before. What is trained, or
  /// was named, is wanted from then on: later trainings and forgetting bring it back.
  ///
  /// Where there is a model already only what changed is computed, unless `full`. A target that cannot be
  /// trained is reported and takes nothing from the others.
  ///
  /// - Parameters:
  ///   - targets: What to predict; empty for every target with enough days and all that are wanted.
  ///   - horizon: how many days ahead, 1 to 7; nil is 1, and of the models there are each its own.
  ///   - today: The open day, which no model learns from.
  ///   - now: The moment that models are stamped with.
  ///   - full: Whether everything is computed anew, also where only some days changed.
  ///   - mayContinue: asked between chunks of work; false ends the training of that target,
  ///     keeps what is done for the next one, and leaves the old model in force.
  /// - Throws: `TrainingError` for a named target that the log does not have, before anything is trained or wanted;
  ///   `StorageError`.
  public func train(
    _ targets: [Target] = [], horizon: Int? = nil, today: CalendarDay, now: Instant,
    full: Bool = false, mayContinue: () -> Bool = { true }
  ) async throws -> [TrainedTarget] {
    let start = try await beginTraining(today)
    let log = start.log
    for target in targets { try target.check(in: log) }
    var names = targets.map { ModelName($0, horizon: horizon ?? 1) }
    if targets.isEmpty {
      names = try await usualTargets(in: log, today: today)
        .map { ModelName($0, horizon: horizon ?? 1) }
      names += try await wantedModels(horizon: horizon).filter { !names.contains($0) }
      names.removeAll { $0.target.isResting(in: log, today: today) }
    }
    try await store.want(
      names.map { name in
        WantedTarget(
          name: name.description, metric: name.target.metric, isAsked: !targets.isEmpty)
      })
    return try await train(
      names, startingWith: start, today: today, now: now, full: full, mayContinue)
  }

  /// The targets that are trained when none is named: those of the setting `targets` that the log has, else those
  /// that a log is usually asked about.
  public func usualTargets(in log: PersonalLog, today: CalendarDay) async throws -> [Target] {
    let chosen = try await store.value(of: .targets).compactMap { Target($0) }
    guard chosen.isEmpty else {
      return chosen.filter { log.table.metrics.contains($0.metric) }
    }
    return Target.candidates(in: log, today: today)
  }

  /// A training that has been entered, and the days it learns from: read after that, so that what is forgotten
  /// later makes it out of date.
  typealias Start = (training: TrainingStart, log: PersonalLog)

  private func beginTraining(_ today: CalendarDay) async throws -> Start {
    let training = try await store.beginTraining()
    return (training, try await personalLog(through: today.advanced(by: -1)))
  }

  /// How often a training begins anew because the log was changed under it.
  private static let attempts = 8

  /// Trains models until each is saved, refused or paused.
  ///
  /// What is forgotten by somebody else meanwhile makes a training out of date, or removes a model that was saved
  /// a moment ago: those are trained again on the log as it is then.
  func train(
    _ names: [ModelName], startingWith first: Start? = nil, today: CalendarDay, now: Instant,
    full: Bool, _ mayContinue: () -> Bool
  ) async throws -> [TrainedTarget] {
    var results: [ModelName: TrainedTarget] = [:]
    var left = names
    var first = first
    for _ in 0..<Self.attempts where !left.isEmpty {
      let start: Start = if let first { first } else { try await beginTraining(today) }
      first = nil
      for name in left {
        results[name] = try await train(name, start, now, full, mayContinue)
      }
      let pending = Set(try await store.pendingWork().targets.map(\.name))
      left = left.filter { name in
        switch results[name]?.result {
        case .outdated: true
        case .trained: pending.contains(name.description)
        case .paused, .refused, nil: false
        }
      }
      guard mayContinue() else { break }
    }
    for name in left { results[name] = TrainedTarget(name: name, result: .outdated) }
    return names.compactMap { results[$0] }
  }

  /// Trains one model of days that have been read.
  private func train(
    _ name: ModelName, _ start: Start, _ now: Instant, _ full: Bool, _ mayContinue: () -> Bool
  ) async throws -> TrainedTarget {
    let (training, log) = start
    var options = TrainingOptions()
    options.horizon = name.horizon
    do {
      do {
        let (previous, unusable) = full ? (nil, nil) : try await modelInForce(name)
        let progress = full ? nil : try await progress(of: name)
        let outcome = try trainPersonalisedModel(
          from: log, target: name.target, options: options, previous: previous,
          progress: progress, choosesPenalties: full, mayContinue: mayContinue)
        switch outcome {
        case .trained(let model, let mode, let changedRows):
          let stored = StoredModel(
            target: name.description, schemaVersion: Self.modelSchema, bytes: model.encoded(),
            fingerprint: "horizon=\(options.horizon)", change: training.change, madeAt: now)
          try await store.save([stored], of: training)
          var trained = TrainedTarget(
            name: name, result: .trained(model, mode, changedRows: changedRows))
          if mode == .full {
            trained.fullBecause =
              unusable ?? previous.map { model.reasonForFullTraining(after: $0).description }
          }
          return trained
        case .paused(let progress):
          try await store.keep(progress.encoded(), for: name.description, of: training)
          return TrainedTarget(name: name, result: .paused(share: progress.share))
        }
      } catch let error as TrainingError {
        try await store.settle(name.description, of: training)
        return TrainedTarget(name: name, result: .refused(error))
      }
    } catch StorageError.outdatedTraining {
      return TrainedTarget(name: name, result: .outdated)
    }
  }

  /// The models that are wanted, of one horizon or of all (nil).
  private func wantedModels(horizon: Int?) async throws -> [ModelName] {
    try await store.wantedTargets().compactMap { ModelName($0.name) }
      .filter { horizon == nil || $0.horizon == horizon }
  }

  /// The model in force; or none, and why the one in the store is of no use.
  private func modelInForce(
    _ name: ModelName
  ) async throws -> (model: PersonalModel?, unusable: String?) {
    do {
      return (try await model(of: name.target, horizon: name.horizon), nil)
    } catch ModelError.unreadable(_, let error) {
      return (nil, "\(error)")
    } catch ModelError.none {
      return (nil, nil)
    }
  }

  private func progress(of name: ModelName) async throws -> TrainingProgress? {
    guard let bytes = try await store.progress(for: name.description) else { return nil }
    do {
      return try TrainingProgress(decoding: bytes)
    } catch {
      // Left by another version: what it saves is time, so training begins again.
      return nil
    }
  }
}

extension Setting where Value == [String] {
  /// The targets to be trained when none is named; empty for what a log is usually asked about.
  public static var targets: Setting { Setting("targets", standard: []) }
}
