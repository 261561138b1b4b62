internal import DayLog
internal import Diurnal
internal import HealthImport
internal import Personalisation
internal import Scheduling
internal import Storage
import Time

extension Failure {
  /// What a person is told of an error of any room, and how the process ends for it.
  init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as ImportError:
      self.init(error.isSystemFault ? .inputOutput : .badInput, Harmless.line("\(error)"))
    case let error as StorageError:
      switch error {
      case .unreadableSetting, .unreadablePayload: self.init(.badInput, Harmless.line("\(error)"))
      default: self.init(.inputOutput, Harmless.line("\(error)") + Self.advice(error))
      }
    case let error as ForgetsTooMuch:
      self.init(.failed, "\(error); to forget them all the same add --yes")
    case let error as SyncError: self.init(.badInput, Harmless.line("\(error)"))
    case let error as PayloadError: self.init(.badInput, Harmless.line("\(error)"))
    case let refusal as OutputFile.Refusal: self.init(refusal)
    case let error as ZoneError: self.init(.usage, Harmless.line("\(error)"))
    case let error as TrainingError: self.init(.badInput, Harmless.line("\(error)"))
    case let error as PredictionError: self.init(.failed, Harmless.line("\(error)"))
    case let error as ModelError:
      self.init(.failed, Harmless.line("\(error)") + "; run: \(Self.training(error))")
    case let error as SchedulerError: self.init(.failed, Harmless.line("\(error)"))
    default: self.init(.inputOutput, Harmless.line("\(error)"))
    }
  }

  /// Which command helps.
  private static func advice(_ error: StorageError) -> String {
    switch error {
    case .missing: " Give its path with --store, or begin one with import or log."
    case .notAStore: " Give the path of another file with --store."
    case .damaged:
      " Restore the last backup, or take out of it what is whole: diurnal doctor --repair"
    case .failed: " Run: diurnal doctor"
    default: ""
    }
  }

  /// The command that makes the model that is missing.
  private static func training(_ error: ModelError) -> String {
    switch error {
    case .none(let name, _):
      "diurnal train --target '\(name.target)'"
        + (name.horizon == 1 ? "" : " --horizon \(name.horizon)")
    case .unreadable: "diurnal train"
    }
  }

  /// What is there is the person's to decide about; what the system refuses is not.
  private init(_ refusal: OutputFile.Refusal) {
    switch refusal {
    case .isLog, .isInput: self.init(.usage, Harmless.line("\(refusal)"))
    case .isOther: self.init(.failed, Harmless.line("\(refusal)"))
    case .isNoFile, .cannotWrite: self.init(.inputOutput, Harmless.line("\(refusal)"))
    }
  }
}
