public import Time

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// All that outlives a process: the waiting requests, what became of the last ones, and which process is
/// at which task now. Handlers never do; a task that nobody registers is not scheduled by being written.
package struct SchedulerState: Codable, Hashable, Sendable {
  /// The waiting requests.
  package var pending = RequestQueue()
  /// What is known of each task, by identifier.
  package var records: [TaskRecord] = []
  /// The runs that have begun and not ended, by identifier.
  package var runs: [ActiveRun] = []
  /// The number of the last run of any task.
  package var lastRunNumber = 0
  /// The last hundred runs that ended, the latest last.
  package var history: [RunRecord] = []

  /// How many runs the history holds at most.
  package static let historyLength = 100

  /// The state before the first launch.
  package init() {}

  /// What is known of a task; an empty record where that is nothing.
  package func record(of identifier: TaskIdentifier) -> TaskRecord {
    records.first { $0.identifier == identifier } ?? TaskRecord(identifier: identifier)
  }

  /// The run that a task is in, if any.
  package func run(of identifier: TaskIdentifier) -> ActiveRun? {
    runs.first { $0.identifier == identifier }
  }

  package mutating func update(_ identifier: TaskIdentifier, _ change: (inout TaskRecord) -> Void) {
    if let place = records.firstIndex(where: { $0.identifier == identifier }) {
      change(&records[place])
      return
    }
    var record = TaskRecord(identifier: identifier)
    change(&record)
    let place = records.firstIndex { $0.identifier > identifier } ?? records.endIndex
    records.insert(record, at: place)
  }

  /// Takes out the waiting request of a task and enters a run of it, or changes nothing and returns nil
  /// where the task is in a run already: whoever holds the transaction holds the task.
  package mutating func begin(_ identifier: TaskIdentifier, owner: String, at now: Instant)
    -> ActiveRun?
  {
    guard run(of: identifier) == nil else { return nil }
    pending.remove(identifier)
    lastRunNumber += 1
    let run = ActiveRun(identifier: identifier, number: lastRunNumber, owner: owner, began: now)
    let place = runs.firstIndex { $0.identifier > identifier } ?? runs.endIndex
    runs.insert(run, at: place)
    update(identifier) {
      $0.lastBegan = now
      $0.blocked = nil
    }
    return run
  }

  /// Takes out the run with this number and enters it into the history; nil where it has ended already.
  mutating func end(run number: Int, _ outcome: RunOutcome, elapsed: Duration) -> ActiveRun? {
    guard let place = runs.firstIndex(where: { $0.number == number }) else { return nil }
    let run = runs.remove(at: place)
    history.append(
      RunRecord(
        identifier: run.identifier, number: number, began: run.began, outcome: outcome,
        milliseconds: elapsed.wholeMilliseconds))
    history.removeFirst(max(0, history.count - Self.historyLength))
    return run
  }

  /// The state as JSON: one line, keys in order, so that equal states are equal bytes.
  package func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try encoder.encode(self)
  }

  /// The state read from what ``json()`` wrote.
  ///
  /// - Throws: the decoder's error where the bytes are something else. What is lost by starting from an
  ///   empty state instead is when tasks last ran: the next launch submits them all again.
  package init(json: Data) throws {
    self = try JSONDecoder().decode(SchedulerState.self, from: json)
  }
}

extension SchedulerState {
  private enum CodingKeys: String, CodingKey {
    case pending, records, runs, lastRunNumber, history
  }

  /// Reads a state; one of an earlier version has no history.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    pending = try values.decode(RequestQueue.self, forKey: .pending)
    records = try values.decode([TaskRecord].self, forKey: .records)
    runs = try values.decode([ActiveRun].self, forKey: .runs)
    lastRunNumber = try values.decode(Int.self, forKey: .lastRunNumber)
    history = try values.decodeIfPresent([RunRecord].self, forKey: .history) ?? []
  }
}

/// A run that has ended.
public struct RunRecord: Codable, Hashable, Sendable {
  /// Which task.
  public let identifier: TaskIdentifier
  /// The number of the run.
  public let number: Int
  /// When it began, by the clock on the wall then.
  public let began: Instant
  /// How it ended.
  public let outcome: RunOutcome
  /// How long it took, by a clock that nobody sets.
  public let milliseconds: Int64
}

/// A run that has begun: who holds it has the task to itself.
public struct ActiveRun: Codable, Hashable, Sendable {
  /// Which task.
  public let identifier: TaskIdentifier
  /// A number that no other run on this store has.
  public let number: Int
  /// The process it runs in, as ``RunOwner`` writes it.
  public let owner: String
  /// When it began.
  public let began: Instant
}

/// What is known of a task from earlier: its last submission, what was wrong with it, and its last run are
/// three separate facts.
public struct TaskRecord: Codable, Hashable, Sendable {
  /// Which task.
  public let identifier: TaskIdentifier
  /// When a request was last submitted, whether it was taken or not.
  public var lastSubmit: Instant?
  /// Why the last submission was refused; nil when it was taken.
  public var lastSubmitError: SchedulerError?
  /// When the last run began.
  public var lastBegan: Instant?
  /// How the last run that ended did so.
  public var lastOutcome: RunOutcome?
  /// How long that took, by a clock that nobody sets.
  public var lastMilliseconds: Int64?
  /// Failures since the last run that was neither failed nor interrupted.
  public var failuresInARow = 0
  /// Expirations since the last success.
  public var expirationsInARow = 0
  /// After a failure: the task does not begin before.
  public var backOffUntil: Instant?
  /// What the waiting request, due otherwise, has been waiting for, and since when that was first seen.
  public var blocked: Blockage?

  init(identifier: TaskIdentifier) { self.identifier = identifier }

  /// Enters what a waiting request waits for, and keeps since when where that is nothing new.
  package mutating func enter(_ obstacle: TaskRequest.Obstacle?, at now: Instant) {
    switch obstacle {
    case nil, .notYetDue: blocked = nil
    case .externalPower?, .network?:
      if blocked?.obstacle != obstacle, let obstacle {
        blocked = Blockage(obstacle: obstacle, since: now)
      }
    }
  }

  /// What a request that was due waited for, and since when.
  public struct Blockage: Codable, Hashable, Sendable {
    /// What was missing.
    public let obstacle: TaskRequest.Obstacle
    /// When that was first seen.
    public let since: Instant
  }
}

/// How a run ended.
public enum RunOutcome: Codable, Hashable, Sendable {
  /// The work is done and saved; the note is what the handler said of it.
  case succeeded(note: String)
  /// The work could not be done.
  case failed(reason: String)
  /// The work was told to stop before it was done.
  case expired(ExpirationCause)
  /// The work was told to stop and had not done so by the end of the grace period.
  case hung(ExpirationCause)
  /// The process ended without a word: a crash, a kill, a power cut.
  case interrupted

  /// Whether the work is done.
  public var isSuccess: Bool { if case .succeeded = self { true } else { false } }
}

/// Why a run was told to stop.
public enum ExpirationCause: String, Codable, Hashable, Sendable, CaseIterable {
  /// Its time was up.
  case deadline
  /// It had used the processor time a phone allows on battery.
  case processorTime
  /// External power went away, and the task needs it.
  case externalPowerLost
  /// The process was told to end.
  case terminated
}
