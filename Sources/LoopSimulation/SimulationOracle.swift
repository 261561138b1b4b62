internal import Scheduling
import Time

/// What a simulation expects: a log, a queue and a calendar kept in the plainest way, to compare with.
struct SimulationOracle {
  private(set) var log = SimulatedLog()
  /// The cells written since they were last compared with the world.
  var touched: Set<SimulatedLog.Cell> = []
  var payloads: [SimulatedPayload] = []
  /// How often each run has completed.
  var completions: [Int: Int] = [:]
  /// The place of the training that made the model last seen in force; 0 while there need be none.
  var modelTraining = 0
  /// The place of each training among all, by run: from when it begins it sees the log, whatever its run's number.
  private(set) var trainings: [Int: Int] = [:]
  /// The place of the last training that began before something was forgotten.
  private(set) var forgottenTraining = 0
  /// The tasks in a run that no end, and no kill, has ended.
  var running: [TaskIdentifier: String] = [:]
  private var stamps: Set<Instant> = []
  private var beganAt: [TaskIdentifier: Duration] = [:]
  private var failedAt: [TaskIdentifier: Duration] = [:]
  private var settledAt: Duration?

  mutating func merge(_ entry: SimulatedEntry) {
    touched.insert(.init(day: entry.day, metric: entry.metric))
    log.merge(entry)
  }

  mutating func type(_ value: Int?, _ cell: SimulatedLog.Cell, now: Instant) {
    let asOf = log.edit(cell, now: now)
    stamps.insert(asOf)
    merge(
      SimulatedEntry(
        day: cell.day, metric: cell.metric, source: .typedHere, asOf: asOf, value: value))
  }

  mutating func forget(_ cell: SimulatedLog.Cell, now: Instant) {
    touched.insert(cell)
    guard log.forget(cell, now: now) else { return }
    forgottenTraining = trainings.count
    modelTraining = 0
  }

  mutating func beganTraining(_ run: Int) { trainings[run] = trainings.count + 1 }

  /// The moment, or the first after it that was not given out: ties are the merge rule's own tests' matter.
  mutating func uniqueStamp(_ moment: Instant) -> Instant {
    var stamp = moment
    while !stamps.insert(stamp).inserted { stamp = stamp.advanced(by: .milliseconds(1)) }
    return stamp
  }

  mutating func began(_ identifier: TaskIdentifier, at uptime: Duration) {
    beganAt[identifier] = uptime
  }

  /// A run failed, or did not stop: the task waits before it begins again.
  mutating func failed(_ identifier: TaskIdentifier, at uptime: Duration) {
    failedAt[identifier] = uptime
  }

  /// The time since a task last failed; nil where it has not, or the clock was set since.
  func sinceFailure(of identifier: TaskIdentifier, at uptime: Duration) -> Duration? {
    guard let failed = failedAt[identifier], failed >= settledAt ?? .zero else { return nil }
    return uptime - failed
  }

  /// The clock was set: how long a task has been waiting is counted from here.
  mutating func settle(at uptime: Duration) { settledAt = uptime }

  /// Since when, in true time, the task can have been waiting for its turn; nil before the first launch.
  mutating func waitingSince(_ identifier: TaskIdentifier, firstSeen uptime: Duration) -> Duration {
    if beganAt[identifier] == nil { beganAt[identifier] = uptime }
    return max(beganAt[identifier] ?? uptime, settledAt ?? .zero)
  }
}
