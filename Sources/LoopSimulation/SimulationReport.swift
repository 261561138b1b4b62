/// What must hold, whatever happens.
package enum LoopInvariant: String, Hashable, Sendable, CaseIterable {
  /// Every task waits or runs, once a launch has got through its activation.
  case everyTaskWaits
  /// No request waits for longer than one interval, a back-off, or, after expiry, at all.
  case dateIsNear
  /// A task that could run for longer than its interval and its longest back-off does at the next launch.
  case noTaskStarves
  /// No run begins before its date or without what it needs.
  case conditionsHold
  /// No task is in two runs at once.
  case oneRunAtOnce
  /// A run completes once.
  case oneCompletion
  /// A run that ended is entered as ended so.
  case endIsWritten
  /// What was typed, imported, synced and removed is in the log, and nothing else.
  case logIsWhole
  /// A payload is applied once, or waits; never both, never neither.
  case payloadIsKept
  /// The model in force is whole, and never older than the one before.
  case modelIsGood
  /// No model knows what was forgotten.
  case forgottenIsGone
  /// No model has seen the open day.
  case openDayIsNotTrained
  /// The open day is the calendar's, whatever rows there are.
  case openDayIsToday
  /// At most one nudge is sent on a day.
  case oneNudgeADay
  /// The world does what it is asked to.
  case worldWorks
}

/// An invariant that did not hold.
package struct SimulationViolation: Hashable, Sendable, CustomStringConvertible {
  /// What did not hold.
  package let invariant: LoopInvariant
  /// What was seen, in words without values of the log.
  package let detail: String
  /// The seed that brings it about again.
  package let seed: UInt64
  /// The simulated day, from 0.
  package let day: Int

  package var description: String {
    "seed \(seed), day \(day): \(invariant.rawValue) does not hold: \(detail)"
  }
}

/// What a simulation went through.
package struct SimulationReport: Hashable, Sendable {
  package internal(set) var days = 0
  package internal(set) var events = 0
  package internal(set) var launches = 0
  package internal(set) var kills = 0
  package internal(set) var runs = 0
  package internal(set) var successes = 0
  package internal(set) var failures = 0
  package internal(set) var expirations = 0
  package internal(set) var checks = 0
  /// A number that two simulations share when, in all likelihood, they went the same way step by step.
  package internal(set) var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325
  /// The first invariant that did not hold; the simulation ended there.
  package internal(set) var violation: SimulationViolation?
  /// The last steps, oldest first; empty where no trace was asked for.
  package internal(set) var trace: [String] = []

  /// The report of no day at all.
  package init() {}

  /// Adds up two reports; the violation and the trace are those of the first that has one.
  package static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.days += right.days
    sum.events += right.events
    sum.launches += right.launches
    sum.kills += right.kills
    sum.runs += right.runs
    sum.successes += right.successes
    sum.failures += right.failures
    sum.expirations += right.expirations
    sum.checks += right.checks
    sum.fingerprint = (left.fingerprint ^ right.fingerprint) &* 0x100_0000_01B3
    if left.violation == nil {
      sum.violation = right.violation
      sum.trace = right.trace
    }
    return sum
  }

  mutating func enter(_ step: Int) {
    fingerprint = (fingerprint ^ UInt64(bitPattern: Int64(step))) &* 0x100_0000_01B3
  }
}
