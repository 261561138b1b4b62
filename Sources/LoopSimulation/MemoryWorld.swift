internal import Scheduling
package import Time

/// A world in memory: the stand-in that shows what the loop alone does, thousands of days a second.
package struct MemoryWorld: SimulationWorld {
  package let store = MemoryPendingStore()

  private let fault: SimulatedFault?
  private var log = SimulatedLog()
  private var latestDay = Int.min
  private var queue: [SimulatedPayload] = []
  private var applied: [Int: Int] = [:]
  /// What the training processes hold in their hands, by run: the place of the training among all, and how
  /// many parts are done.
  private var trainings: [Int: (place: Int, parts: Int)] = [:]
  private var lastTraining = 0
  /// A training that began earlier may not save: something was forgotten since.
  private var leastTraining = 0
  private var current: (model: SimulatedModel, place: Int)?
  /// How many nudges reached the person, by day, and the days on which one is known to have been sent.
  private var nudges: [Int: Int] = [:]
  private var entered: Set<Int> = []

  /// An empty world, with one safeguard left out where `fault` is one of its own.
  package init(fault: SimulatedFault? = nil) { self.fault = fault }

  package mutating func type(_ value: Int?, day: Int, metric: Int, now: Instant) {
    latestDay = max(latestDay, day)
    log.merge(
      SimulatedEntry(
        day: day, metric: metric, source: .typedHere,
        asOf: log.edit(.init(day: day, metric: metric), now: now), value: value))
  }

  package mutating func merge(_ entry: SimulatedEntry) {
    latestDay = max(latestDay, entry.day)
    log.merge(entry)
    if fault == .mergeLetsImportWin, entry.source == .imported {
      log.dropTyped(.init(day: entry.day, metric: entry.metric))
    }
  }

  package mutating func forget(day: Int, metric: Int, now: Instant) {
    guard log.forget(.init(day: day, metric: metric), now: now) else { return }
    current = nil
    leastTraining = lastTraining + 1
  }

  package func value(day: Int, metric: Int) -> Int? {
    log.value(.init(day: day, metric: metric))
  }

  package func openDay(calendarDay day: Int) -> Int {
    fault == .futureRowAsToday ? max(day, latestDay) : day
  }

  package mutating func deliver(_ payload: SimulatedPayload) {
    if applied[payload.number] == nil, !queue.contains(payload) { queue.append(payload) }
  }

  package mutating func drain(_ kind: SimulatedPayload.Kind) {
    for payload in queue where payload.kind == kind { applied[payload.number, default: 0] += 1 }
    queue.removeAll { fault == .drainClearsAll || $0.kind == kind }
  }

  package func fate(of payload: SimulatedPayload) -> (applied: Int, isQueued: Bool) {
    (applied[payload.number] ?? 0, queue.contains(payload))
  }

  package mutating func train(part: Int, of count: Int, run: Int, day: Int) -> Bool {
    if part == 0 {
      lastTraining += 1
      trainings[run] = (lastTraining, 0)
    }
    guard var training = trainings[run] else { return false }
    training.parts += 1
    trainings[run] = training
    let isWhole = training.parts == count
    guard isWhole || fault == .modelSavedBeforeWhole else { return true }
    // Work that went on after it was told to stop may come late: a newer model stays.
    if training.place < max(leastTraining, current?.place ?? 0), fault != .olderTrainingSaves {
      return false
    }
    current = (SimulatedModel(run: run, isWhole: isWhole, lastDay: day - 1), training.place)
    return true
  }

  package func model() -> SimulatedModel? { current?.model }

  package mutating func nudge(day: Int, now: Instant) {
    if !entered.contains(day) || fault == .nudgeNotEntered { nudges[day, default: 0] += 1 }
    entered.insert(day)
    if fault == .nudgesPrunedByDate, entered.count > 20, let first = entered.min() {
      entered.remove(first)
    }
  }

  package func nudgeCount(day: Int) -> Int { nudges[day] ?? 0 }

  package mutating func processEnded() { trainings = [:] }
}
