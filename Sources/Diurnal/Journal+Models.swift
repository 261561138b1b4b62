internal import DayLog
public import Personalisation
internal import Storage
public import Time

/// Why a stored model cannot be used.
public enum ModelError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Nothing was trained under this name; the names there are.
  case none(ModelName, trained: [String])
  /// The bytes in the store are not a model that this version reads.
  case unreadable(ModelName, ModelBlobError)

  /// What is wrong.
  public var description: String {
    switch self {
    case .none(let name, let trained):
      "there is no model of \(name)"
        + (trained.isEmpty ? "" : "; there are models of \(trained.joined(separator: ", "))")
    case .unreadable(let name, let error): "the model of \(name) cannot be used: \(error)"
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
  /// - Parameters:
  ///   - target: What to predict; a model of it must have been trained.
  ///   - horizon: How many days ahead, 1 to 7.
  ///   - day: The day to predict; nil for the last that can be: `horizon` days after the last that has anything.
  ///   - today: The last day that is read.
  /// - Throws: ``ModelError``, `StorageError`, or `PredictionError` where the days before it do not suffice.
  public func predict(
    _ target: Target, horizon: Int = 1, on day: CalendarDay? = nil, today: CalendarDay
  ) async throws -> Prediction {
    try await model(of: target, horizon: horizon)
      .predict(day, from: try await personalLog(through: today))
  }
}
