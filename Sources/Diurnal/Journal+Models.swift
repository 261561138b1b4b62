public import DayLog
public import Personalisation
public import Storage
public import Time

/// Why a stored model cannot be used.
public enum ModelError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Nothing was trained under this name; the names there are.
  case none(ModelName, trained: [String])
  /// The bytes in the store are not a model that this version reads.
  case unreadable(ModelName, ModelBlobError)

  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .none(let name, let trained):
      "there is no model of \(name); "
        + (trained.isEmpty ? "" : "there are models of \(trained.joined(separator: ", ")); ")
        + "run: diurnal train --target '\(name.target)'"
        + (name.horizon == 1 ? "" : " --horizon \(name.horizon)")
    case .unreadable(let name, let error):
      "the model of \(name) cannot be used: \(error); run: diurnal train"
    }
  }
}

extension Journal {
  /// The model in force for a target.
  ///
  /// - Throws: ``ModelError`` where there is none or it cannot be used, `StorageError`.
  public func model(of target: Target, horizon: Int = 1) async throws -> PersonalModel {
    let name = ModelName(target, horizon: horizon)
    guard let stored = try await store.model(for: name.description) else {
      throw ModelError.none(name, trained: try await trainedModels().map(\.description))
    }
    do {
      return try PersonalModel(decoding: stored.bytes)
    } catch {
      throw ModelError.unreadable(name, error)
    }
  }

  /// The models there are, of one horizon or of all (nil).
  public func trainedModels(horizon: Int? = nil) async throws -> [ModelName] {
    try await store.models().compactMap { ModelName($0.target) }
      .filter { horizon == nil || $0.horizon == horizon }
  }

  /// What the model in force says about a day, from the days before it up to and including `today`.
  ///
  /// - Parameter day: nil for the last day that can be predicted: `horizon` days after the last that has
  ///   anything.
  public func predict(
    _ target: Target, horizon: Int = 1, on day: CalendarDay? = nil, today: CalendarDay
  ) async throws -> Prediction {
    try await model(of: target, horizon: horizon)
      .predict(day, from: try await personalLog(through: today))
  }

  /// Forgets a metric of a day, or all of the day, and trains anew every model there was: they are what
  /// they would be had it never been logged.
  ///
  /// - Returns: the days that show something else now, and what training did.
  public func forget(
    _ day: CalendarDay, _ metric: Metric? = nil, today: CalendarDay, now: Instant
  ) async throws -> (changed: [CalendarDay], trained: [TrainedTarget]) {
    let names = try await trainedModels()
    let changed = try await store.forget(day, metric, now: now)
    return (changed, try await trainLost(of: names, today: today, now: now))
  }

  /// Merges what another device knows, and trains anew every model that went with what is to be forgotten.
  ///
  /// - Returns: what became of the document, and what training did.
  public func merge(
    _ document: SyncDocument, today: CalendarDay, now: Instant
  ) async throws -> (summary: SyncSummary, trained: [TrainedTarget]) {
    let names = try await trainedModels()
    let summary = try await store.merge(document)
    return (summary, try await trainLost(of: names, today: today, now: now))
  }

  /// Trains those of the models named that are there no more.
  private func trainLost(
    of names: [ModelName], today: CalendarDay, now: Instant
  ) async throws -> [TrainedTarget] {
    let held = names.isEmpty ? [] : Set(try await trainedModels())
    let lost = names.filter { !held.contains($0) }
    guard !lost.isEmpty else { return [] }
    let training = try await store.beginTraining()
    let log = try await personalLog(through: today.advanced(by: -1))
    return try await train(lost, log, training, now, true) { true }
  }
}
