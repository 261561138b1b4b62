/// Why a training computed everything although there was a model.
public enum FullTrainingReason: Equatable, Sendable {
  /// The log has a quarter more days, or still more, than when λ was chosen.
  case outgrown(from: Int, to: Int)
  /// Another kernel of the linear algebra runs, and rounds otherwise.
  case otherKernel(String, now: String)
  /// The features or regressions are others: a metric came, went, or has enough days now.
  case otherFeatures
}

extension FullTrainingReason: CustomStringConvertible {
  /// One clause for the person.
  public var description: String {
    switch self {
    case .outgrown(let from, let to):
      "the penalty was chosen on \(from) days and there are \(to) now"
    case .otherKernel(let made, let now):
      "the model was made with the kernel \(made), and \(now) runs now"
    case .otherFeatures: "the log's metrics give other features now"
    }
  }
}

extension PersonalModel {
  /// The kernel of the linear algebra that made it: the same days give the same bytes with this one.
  public var kernel: String { record.kernel }

  /// Why it could not go on from `previous`, a model of the same target and horizon, where it was
  /// trained in full without being asked to.
  public func reasonForFullTraining(after previous: PersonalModel) -> FullTrainingReason {
    if previous.kernel != kernel { return .otherKernel(previous.kernel, now: kernel) }
    if previous.record.variants != record.variants { return .otherFeatures }
    return .outgrown(from: previous.record.chosenRows, to: rowCount)
  }
}
