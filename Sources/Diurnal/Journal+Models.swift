public import DayLog
public import Personalisation
internal import Storage

/// What training did for one target.
public struct TrainedTarget: Sendable {
  /// How training ended.
  public enum Result: Sendable {
    /// There is a new model, or the old one holds.
    case trained(PersonalModel, TrainingMode, changedRows: Int)
    /// The budget ran out with this share done; the old model stays in force.
    case paused(share: Double)
    /// There can be no model of this log; the old one, if any, stays.
    case refused(TrainingError)
    /// A later training was faster, or values were forgotten meanwhile: nothing was saved.
    case outdated
  }

  /// What was to be predicted.
  public let target: Target
  /// What came of it.
  public let result: Result
}

/// Why a stored model cannot be used.
public enum ModelError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Nothing was trained for this target; the targets there are.
  case none(Target, trained: [String])
  /// The bytes in the store are not a model that this version reads.
  case unreadable(Target, ModelBlobError)

  public var description: String {
    switch self {
    case .none(let target, let trained):
      "there is no model of \(target); "
        + (trained.isEmpty ? "" : "there are models of \(trained.joined(separator: ", ")); ")
        + "run: diurnal train --target '\(target)'"
    case .unreadable(let target, let error):
      "the model of \(target) cannot be used: \(error); run: diurnal train --full"
    }
  }
}

extension Journal {
  private static let modelSchema = 1

  /// Trains the models of `targets` on all days before `today`, or of every target with enough days
  /// where none is named, and saves each that is whole.
  ///
  /// Where there is a model already only what changed is computed, unless `full`. A target that cannot be
  /// trained is reported and takes nothing from the others.
  ///
  /// - Parameter mayContinue: asked between chunks of work; false ends the training of that target,
  ///   keeps what is done for the next one, and leaves the old model in force.
  public func train(
    _ targets: [Target] = [], today: CalendarDay, now: Instant, full: Bool = false,
    mayContinue: () -> Bool = { true }
  ) async throws -> [TrainedTarget] {
    let training = try await store.beginTraining()
    let log = try await personalLog(through: today.advanced(by: -1))
    let options = TrainingOptions()
    let chosen =
      targets.isEmpty ? Target.candidates(in: log, minimum: options.leastDays) : targets
    // A mistyped name is found before anything is trained.
    for target in chosen { try target.check(in: log) }
    var results: [TrainedTarget] = []
    for target in chosen {
      let name = target.description
      let previous = full ? nil : try await usableModel(of: target)
      let progress = full ? nil : try await progress(of: target)
      do {
        let outcome = try trainPersonalisedModel(
          from: log, target: target, options: options, previous: previous, progress: progress,
          choosesPenalties: full, mayContinue: mayContinue)
        switch outcome {
        case .trained(let model, let mode, let changedRows):
          let stored = StoredModel(
            target: name, schemaVersion: Self.modelSchema, bytes: model.encoded(),
            fingerprint: "horizon=\(options.horizon)", change: training.change, madeAt: now)
          try await store.save([stored], of: training)
          results.append(
            TrainedTarget(
              target: target, result: .trained(model, mode, changedRows: changedRows)))
        case .paused(let progress):
          try await store.keep(progress.encoded(), for: name, of: training)
          results.append(TrainedTarget(target: target, result: .paused(share: progress.share)))
        }
      } catch let error as TrainingError {
        results.append(TrainedTarget(target: target, result: .refused(error)))
      } catch StorageError.outdatedTraining {
        results.append(TrainedTarget(target: target, result: .outdated))
      }
    }
    return results
  }

  /// The model in force for a target.
  ///
  /// - Throws: ``ModelError`` where there is none or it cannot be used, `StorageError`.
  public func model(of target: Target) async throws -> PersonalModel {
    guard let stored = try await store.model(for: target.description) else {
      throw ModelError.none(target, trained: try await store.models().map(\.target))
    }
    do {
      return try PersonalModel(decoding: stored.bytes)
    } catch {
      throw ModelError.unreadable(target, error)
    }
  }

  /// The targets that have a model.
  public func trainedTargets() async throws -> [Target] {
    try await store.models().compactMap { Target($0.target) }
  }

  /// What the model in force says about a day, from the days before it up to and including `today`; nil
  /// for the day after the last of them that has anything.
  public func predict(
    _ target: Target, on day: CalendarDay? = nil, today: CalendarDay
  ) async throws -> Prediction {
    let model = try await model(of: target)
    return try model.predict(day, from: try await personalLog(through: today))
  }

  /// Forgets a metric of a day, or all of the day, and trains anew every model there was: they are what
  /// they would be had it never been logged.
  ///
  /// - Returns: the days that show something else now, and what training did.
  public func forget(
    _ day: CalendarDay, _ metric: Metric? = nil, today: CalendarDay, now: Instant
  ) async throws -> (changed: [CalendarDay], trained: [TrainedTarget]) {
    let targets = try await trainedTargets()
    let changed = try await store.forget(day, metric, now: now)
    let lost = targets.isEmpty ? [] : try await lostModels(of: targets)
    guard !lost.isEmpty else { return (changed, []) }
    return (changed, try await train(lost, today: today, now: now, full: true))
  }

  private func lostModels(of targets: [Target]) async throws -> [Target] {
    let held = Set(try await store.models().map(\.target))
    return targets.filter { !held.contains($0.description) }
  }

  /// The model in force, or nil where there is none that this version reads: then training starts anew.
  private func usableModel(of target: Target) async throws -> PersonalModel? {
    do {
      return try await model(of: target)
    } catch is ModelError {
      return nil
    }
  }

  private func progress(of target: Target) async throws -> TrainingProgress? {
    guard let bytes = try await store.progress(for: target.description) else { return nil }
    do {
      return try TrainingProgress(decoding: bytes)
    } catch {
      // Left by another version: what it saves is time, so training begins again.
      return nil
    }
  }
}
