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
    /// A later training was faster, or values were forgotten meanwhile: nothing was saved.
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
  /// named, those of every target with enough days and of all that were trained before.
  ///
  /// Where there is a model already only what changed is computed, unless `full`. A target that cannot be
  /// trained is reported and takes nothing from the others.
  ///
  /// - Parameters:
  ///   - horizon: how many days ahead, 1 to 7; nil is 1, and of the models there are each its own.
  ///   - mayContinue: asked between chunks of work; false ends the training of that target,
  ///     keeps what is done for the next one, and leaves the old model in force.
  /// - Throws: `TrainingError` for a named target that the log does not have, before anything is trained;
  ///   `StorageError`.
  public func train(
    _ targets: [Target] = [], horizon: Int? = nil, today: CalendarDay, now: Instant,
    full: Bool = false, mayContinue: () -> Bool = { true }
  ) async throws -> [TrainedTarget] {
    let training = try await store.beginTraining()
    let log = try await personalLog(through: today.advanced(by: -1))
    for target in targets { try target.check(in: log) }
    var names = targets.map { ModelName($0, horizon: horizon ?? 1) }
    if targets.isEmpty {
      names = Target.candidates(in: log, minimum: TrainingOptions().leastDays)
        .map { ModelName($0, horizon: horizon ?? 1) }
      names += try await trainedModels(horizon: horizon).filter { !names.contains($0) }
    }
    return try await train(names, log, training, now, full, mayContinue)
  }

  /// Trains models of days that have been read.
  func train(
    _ names: [ModelName], _ log: PersonalLog, _ training: TrainingStart, _ now: Instant,
    _ full: Bool, _ mayContinue: () -> Bool
  ) async throws -> [TrainedTarget] {
    var results: [TrainedTarget] = []
    for name in names {
      var options = TrainingOptions()
      options.horizon = name.horizon
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
          results.append(trained)
        case .paused(let progress):
          try await store.keep(progress.encoded(), for: name.description, of: training)
          results.append(TrainedTarget(name: name, result: .paused(share: progress.share)))
        }
      } catch let error as TrainingError {
        results.append(TrainedTarget(name: name, result: .refused(error)))
      } catch StorageError.outdatedTraining {
        results.append(TrainedTarget(name: name, result: .outdated))
      }
    }
    return results
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
