package import Scheduling
package import Time

/// What a simulation works on besides the scheduler: a log, a payload queue, a model, nudges.
///
/// The calls that write are one transaction each, as they are in the product: a power cut falls between
/// two of them, never into one. Whatever a world keeps between calls and has not written is gone after
/// ``processEnded()``.
package protocol SimulationWorld {
  associatedtype Store: PendingStore
  /// Where the scheduler's state is kept.
  var store: Store { get }

  /// Types a value on this device, or clears it (nil); it counts as later than all that was typed there
  /// before, whatever the clock says.
  mutating func type(
    _ value: Int?, day: Int, metric: Int, now: Instant
  ) async throws(SimulationFailure)
  /// Merges one entry of another device or of a file, by the log's one rule.
  mutating func merge(_ entry: SimulatedEntry) async throws(SimulationFailure)
  /// Forgets a metric of a day: every entry goes, no import brings it back, and models that may have
  /// learned from it are gone.
  mutating func forget(day: Int, metric: Int, now: Instant) async throws(SimulationFailure)
  /// The value the log shows for a metric on a day; nil where it shows none.
  mutating func value(day: Int, metric: Int) async throws(SimulationFailure) -> Int?
  /// The day that the log takes for the open one when the calendar says `day`.
  mutating func openDay(calendarDay day: Int) async throws(SimulationFailure) -> Int

  /// Puts a payload into the queue, perhaps not for the first time.
  mutating func deliver(_ payload: SimulatedPayload) async throws(SimulationFailure)
  /// Applies and removes the payloads of one kind.
  mutating func drain(_ kind: SimulatedPayload.Kind) async throws(SimulationFailure)
  /// How often a payload has been applied, and whether it waits.
  mutating func fate(of payload: SimulatedPayload) async throws(SimulationFailure) -> (
    applied: Int, isQueued: Bool
  )

  /// Does one of `count` parts of a training, the first of which begins it, on the days before `day`.
  ///
  /// - Returns: false where the model was whole and may not be saved any more.
  mutating func train(
    part: Int, of count: Int, run: Int, day: Int
  ) async throws(SimulationFailure) -> Bool
  /// The model in force.
  mutating func model() async throws(SimulationFailure) -> SimulatedModel?

  /// Sends the day's nudge, unless that has been done, or one was sent a short time ago.
  mutating func nudge(day: Int, now: Instant) async throws(SimulationFailure)
  /// How many nudges were sent on a day.
  mutating func nudgeCount(day: Int) async throws(SimulationFailure) -> Int

  /// Forgets what was not written: the process is gone.
  mutating func processEnded() async
}

/// A world could not do what it was asked to: in a simulation, a violation.
package struct SimulationFailure: Error, Hashable, Sendable {
  /// What could not be done, in words without values of the log.
  package let reason: String

  /// A failure for this reason.
  package init(reason: String) { self.reason = reason }
}

/// What one source says of one metric of one day.
package struct SimulatedEntry: Hashable, Sendable {
  /// Who says it.
  package enum Source: Int, Hashable, Sendable, CaseIterable {
    case typedHere
    case typedElsewhere
    case imported
  }

  /// The day, counted from the first of the simulation.
  package let day: Int
  /// Which metric, by number.
  package let metric: Int
  /// Who says it.
  package let source: Source
  /// No two entries of a cell have the same.
  package let asOf: Instant
  /// Nil removes what the source said before.
  package let value: Int?

  /// What `source` said at `asOf`.
  package init(day: Int, metric: Int, source: Source, asOf: Instant, value: Int?) {
    self.day = day
    self.metric = metric
    self.source = source
    self.asOf = asOf
    self.value = value
  }
}

/// A payload on its way through the queue.
package struct SimulatedPayload: Hashable, Sendable {
  /// What it carries.
  package enum Kind: Int, Hashable, Sendable, CaseIterable {
    case symptom
    case checkIn
    /// From a newer version: nobody drains it, and it stays.
    case unknown
  }

  /// Tells it from every other.
  package let number: Int
  /// What it carries.
  package let kind: Kind
  /// When it was first delivered.
  package let at: Instant
}

/// A model, as far as a simulation looks into it.
package struct SimulatedModel: Hashable, Sendable {
  /// The run that made it.
  package let run: Int
  /// Whether all parts of it are there.
  package let isWhole: Bool
  /// The last day it was trained on.
  package let lastDay: Int

  /// A model that this run made of the days up to `lastDay`.
  package init(run: Int, isWhole: Bool, lastDay: Int) {
    self.run = run
    self.isWhole = isWhole
    self.lastDay = lastDay
  }
}

/// A safeguard that is left out, one at a time, to see that the simulation finds it: never in the product.
package enum SimulatedFault: String, Hashable, Sendable, CaseIterable {
  case submitLeftOut
  case resubmissionAfterExpiryLeftOut
  case drainClearsAll
  case mergeLetsImportWin
  case completionTwice
  case modelSavedBeforeWhole
  case futureRowAsToday
  case keptRequestPostponedAtLaunch
  /// A training that ought to have stopped saves its model after a later one, or after a forgetting.
  case olderTrainingSaves
  /// A nudge is sent without being entered.
  case nudgeNotEntered
  /// Of what was sent only the latest days are kept, which after a step of the clock are not the last ones.
  case nudgesPrunedByDate
  /// A launch goes by the intervals of before they were changed.
  case changedIntervalIgnored
  /// A process begins what another one is at.
  case otherProcessIgnored
  /// Work that does not stop is due again at once.
  case hungDueAtOnce
  /// The end of a run counts although it could not be written.
  case unwrittenEndCounts
}
