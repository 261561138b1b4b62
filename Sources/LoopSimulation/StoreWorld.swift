internal import DayLog
package import Diurnal
internal import Personalisation
internal import Scheduling
package import Storage
import Time

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The world of a simulation on a real store: the log, queue, models, nudges and the scheduler's state are in one
/// SQLite file, and every call goes the way it goes in the product.
///
/// Put the file where writing is cheap, such as memory-backed storage: what a simulation asks of it is not
/// whether the disk keeps its word.
package struct StoreWorld: SimulationWorld {
  /// What stands in for training, which takes the longest of all.
  package enum Training: Hashable, Sendable {
    /// A model of a few bytes that tells which run made it.
    case standIn
    /// That, and the real models of the two metrics beside it.
    case real
  }

  package private(set) var store: TaskStateStore
  private let path: String
  private let training: Training
  private let fault: SimulatedFault?
  /// What the training processes hold in their hands, by run.
  private var trainings: [Int: (start: TrainingStart, parts: Int)] = [:]
  private let applied = Tally()
  /// The nudges that reached the person, by day.
  private let sent = Tally()

  private var log: LogStore { store.log }

  /// An empty world in a new file at `path`, with one safeguard left out where `fault` is one of its own.
  ///
  /// - Throws: `StorageError`; a file that is there is none of ours to write to.
  package init(
    path: String, training: Training = .standIn, fault: SimulatedFault? = nil
  ) throws(StorageError) {
    guard !FileManager.default.fileExists(atPath: path) else { throw .cannotOpen(path: path) }
    self.path = path
    self.training = training
    self.fault = fault
    store = TaskStateStore(log: try LogStore(path: path))
  }

  // MARK: - The log

  private static let metrics: [Metric] = [.mood, .energy]
  private static let imported = Source(.imported, "file")

  package mutating func type(
    _ value: Int?, day: Int, metric: Int, now: Instant
  ) async throws(SimulationFailure) {
    let log = log
    try await told {
      _ = try await log.type(
        value.map(Double.init), Self.metrics[metric], on: CalendarDay(number: day), source: "here",
        now: now)
    }
  }

  package mutating func merge(_ entry: SimulatedEntry) async throws(SimulationFailure) {
    let (log, day, metric) = (log, CalendarDay(number: entry.day), Self.metrics[entry.metric])
    let source = entry.source == .imported ? Self.imported : Source(.typed, "elsewhere")
    let merged = Entry(
      key: EntryKey(day: day, metric: metric, source: source), asOf: entry.asOf,
      value: entry.value.map(Double.init))
    let importWins = fault == .mergeLetsImportWin
    try await told {
      guard entry.source == .imported else {
        try await log.merge(SyncDocument(entries: [merged]), now: nil)
        return
      }
      try await log.merge([merged])
      if importWins { try await log.clearTyped(metric, on: day) }
    }
  }

  package mutating func forget(
    day: Int, metric: Int, now: Instant
  ) async throws(SimulationFailure) {
    let log = log
    try await told {
      _ = try await log.forget(
        CalendarDay(number: day), Self.metrics[metric], now: now)
    }
  }

  package mutating func value(day: Int, metric: Int) async throws(SimulationFailure) -> Int? {
    let (log, day) = (log, CalendarDay(number: day))
    return try await told {
      try await log.days(from: day, to: day).first?[Self.metrics[metric]].map { Int($0.value) }
    }
  }

  package mutating func openDay(calendarDay day: Int) async throws(SimulationFailure) -> Int {
    guard fault == .futureRowAsToday else { return day }
    let log = log
    return try await told { max(day, try await log.dayTable().endDay.number - 1) }
  }

  // MARK: - The queue

  package mutating func deliver(_ payload: SimulatedPayload) async throws(SimulationFailure) {
    let log = log
    try await told { _ = try await log.enqueue([QueuedPayload(payload.bytes)]) }
  }

  package mutating func drain(_ kind: SimulatedPayload.Kind) async throws(SimulationFailure) {
    let (log, applied) = (log, applied)
    let clearsAll = fault == .drainClearsAll
    try await told {
      let before = try await log.payloads()
      try await log.drain(kind: kind.name) { payload in
        let entries = try Payload(payload.bytes).entries(dayStart: 0)
        applied.add(payload.id)
        return entries
      }
      if clearsAll {
        for other in Set(before.map(\.kind)) { try await log.drain(kind: other) { _ in [] } }
      }
      for payload in before where payload.kind == kind.name {
        try await log.requireEntries(of: payload)
      }
    }
  }

  package mutating func fate(
    of payload: SimulatedPayload
  ) async throws(SimulationFailure) -> (applied: Int, isQueued: Bool) {
    let (log, applied) = (log, applied)
    return try await told {
      let waits = try await log.payloads().contains { $0.id == payload.id }
      return (applied.count(of: payload.id), waits)
    }
  }

  // MARK: - Models

  package mutating func train(
    part: Int, of count: Int, run: Int, day: Int
  ) async throws(SimulationFailure) -> Bool {
    let log = log
    if part == 0 {
      let start = try await told { try await log.beginTraining() }
      trainings[run] = (start, 0)
    }
    guard var held = trainings[run] else { return false }
    held.parts += 1
    trainings[run] = held
    if training == .real { try await trainReal(day: day, isLast: held.parts == count) }
    guard held.parts == count || fault == .modelSavedBeforeWhole else { return true }
    let start = held.start
    let saysTheTruth = fault != .olderTrainingSaves
    let model = StandInModel(run: run, parts: held.parts, of: count, lastDay: day - 1)
    return try await told {
      do {
        let training = saysTheTruth ? start : try await log.beginTraining()
        try await log.save([model.stored(change: start.change)], of: training)
        return true
      } catch StorageError.outdatedTraining {
        return false
      }
    }
  }

  /// Trains what can be trained, a few chunks at a time before the last part: pauses are gone on from.
  private func trainReal(day: Int, isLast: Bool) async throws(SimulationFailure) {
    let journal = Journal(store: log)
    try await told {
      let chunks = ChunkCount(limit: isLast ? .max : 3)
      _ = try await journal.train(
        today: CalendarDay(number: day), now: Instant(seconds: Int64(day) * 86_400)
      ) { chunks.next() }
      for target in try await journal.trainedModels(horizon: 1).map(\.target)
      where target.description != StandInModel.target {
        _ = try await journal.model(of: target)
      }
    }
  }

  package mutating func model() async throws(SimulationFailure) -> SimulatedModel? {
    let log = log
    return try await told {
      try await log.model(for: StandInModel.target).flatMap(StandInModel.read)
    }
  }

  // MARK: - Nudges and processes

  package mutating func nudge(day: Int, now: Instant) async throws(SimulationFailure) {
    let (log, sent, isEntered) = (log, sent, fault != .nudgeNotEntered)
    let day = CalendarDay(number: day)
    try await told {
      let time = NudgePolicy.LocalTime(day: day, secondOfDay: 43_200, instant: now)
      let candidate = NudgePolicy.Candidate(
        target: Target(.mood), day: day, value: 1, interval: 0...2,
        bestRule: .mean, rules: [.mean: 5, .mean28: 5, .persistence: 5, .shrunkenMean: 5],
        isGateOpen: true, skill: 0.5)
      let decision =
        isEntered
        ? try await NudgeLedger(log).decide(NudgePolicy(), [candidate], at: time)
        : NudgePolicy().decide([candidate], at: time, sent: [])
      if case .send = decision { sent.add("\(day)") }
    }
  }

  package mutating func nudgeCount(day: Int) -> Int {
    sent.count(of: "\(CalendarDay(number: day))")
  }

  /// What a killed process leaves is the file and its write-ahead log: they are opened anew.
  package mutating func processEnded() async {
    trainings = [:]
    do { store = TaskStateStore(log: try LogStore(path: path)) } catch {
      // The old connection goes on; a file that cannot be opened shows at its next use.
    }
  }

  /// Closes the file; the world is of no use afterwards.
  package func close() async { await log.close() }

  private func told<Value: Sendable>(
    _ body: @Sendable () async throws -> Value
  ) async throws(SimulationFailure) -> Value {
    do { return try await body() } catch { throw SimulationFailure(reason: "\(error)") }
  }
}
