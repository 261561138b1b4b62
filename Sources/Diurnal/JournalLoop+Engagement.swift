internal import DayLog
public import Personalisation
internal import Scheduling
public import Storage
import Time

extension JournalLoop {
  /// Sends the day's nudge, if one is due: what the policy decides is entered before it is shown, so a process
  /// that dies in between sends none rather than two.
  static func engaging(
    _ journal: Journal, _ host: LoopHost, _ context: TaskContext
  ) async throws(TaskFailure) -> String {
    do {
      let now = host.now
      let today = host.zone.day(of: now, dayStart: try await journal.store.value(of: .dayStart))
      var policy = NudgePolicy()
      policy.notifications = try await journal.store.value(of: .notifications)
      policy.quietHours = try await journal.store.value(of: .quietHours)
      let candidates = try await candidates(journal, today: today, context)
      let local = now.seconds + Int64(host.zone.utcOffset(at: now))
      let time = NudgePolicy.LocalTime(
        day: today, secondOfDay: Int((local % 86_400 + 86_400) % 86_400), instant: now)
      let ledger = NudgeLedger(journal.store)
      try context.budget.check()
      switch try await ledger.decide(policy, candidates, at: time) {
      case .suppressed(let reason):
        return "no nudge: \(reason)"
      case .send(let nudge):
        _ = try await journal.store.note(
          NudgeRecord(
            id: "\(today)", day: nudge.day, sentAt: now, text: "\(nudge.text)\n\(nudge.reason)"))
        let delivery = await host.deliver(.nudge(nudge))
        try await ledger.note(delivery.words, of: today)
        return "a nudge: \(delivery.words)"
      }
    } catch let failure as TaskFailure {
      throw failure
    } catch {
      throw .failed(reason: "\(error)")
    }
  }

  /// What the models say; one that cannot be used is passed over, and `train` tells of it.
  private static func candidates(
    _ journal: Journal, today: CalendarDay, _ context: TaskContext
  ) async throws -> [NudgePolicy.Candidate] {
    let log = try await journal.personalLog(through: today)
    var found: [NudgePolicy.Candidate] = []
    for target in try await journal.trainedModels(horizon: 1).map(\.target) {
      try context.budget.check()
      do {
        found.append(
          NudgePolicy.Candidate(try await journal.model(of: target).predict(nil, from: log)))
      } catch is ModelError {
      } catch is PredictionError {
      }
    }
    return found
  }

  /// Looks back on the week that is over, and shows what holds of the log.
  static func reviewing(
    _ journal: Journal, _ host: LoopHost, _ context: TaskContext
  ) async throws(TaskFailure) -> String {
    do {
      let today = host.zone.day(
        of: host.now, dayStart: try await journal.store.value(of: .dayStart))
      let report = try await journal.insights(today: today)
      try context.budget.check()
      // A note outlives what is forgotten, so it says nothing of the log.
      let words = "week \(report.week)"
      guard try await journal.store.value(of: .notifications) else {
        return "\(words); not shown: notifications are switched off"
      }
      return "\(words); \(await host.deliver(.week(report)).words)"
    } catch let failure as TaskFailure {
      throw failure
    } catch {
      throw .failed(reason: "\(error)")
    }
  }
}

extension Setting where Value == QuietHours {
  /// The hours in which no nudge is sent, by the clock on the wall: `22:00-07:00` if never set.
  public static var quietHours: Setting {
    Setting(
      "quiet.hours", standard: .standard, read: { QuietHours($0) }, write: { "\($0)" })
  }
}
