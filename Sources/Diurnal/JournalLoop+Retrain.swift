internal import DayLog
internal import Personalisation
internal import Scheduling
internal import Storage
import Time

extension JournalLoop {
  /// Trains every model: only what changed where that is enough. Each that is whole is saved at once; what is
  /// not stays as it was, and the next run goes on from there.
  static func retraining(
    _ journal: Journal, zone: Zone, now: Instant, _ context: TaskContext
  ) async throws(TaskFailure) -> String {
    let trained: [TrainedTarget]
    do {
      let today = zone.day(of: now, dayStart: try await journal.store.value(of: .dayStart))
      trained = try await journal.train(today: today, now: now) {
        context.budget.exhaustion() == nil
      }
    } catch {
      throw .failed(reason: "\(error)")
    }
    try context.budget.check()
    // Something was forgotten while it worked: what it did is void, and has to be done again soon.
    if trained.contains(where: { if case .outdated = $0.result { true } else { false } }) {
      throw .failed(reason: "the log was changed in a way that training has to begin anew")
    }
    // A note outlives what is forgotten, so it says nothing of the log: no names, no counts.
    let isDone = trained.allSatisfy { if case .trained = $0.result { true } else { false } }
    if trained.isEmpty { return "no target has enough days yet" }
    return isDone
      ? "the models are up to date"
      : "the models are up to date, but for targets without enough of a log"
  }
}
