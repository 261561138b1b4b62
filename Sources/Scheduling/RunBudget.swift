internal import Synchronization

/// How much processor time may be spent in any window of time.
package struct ProcessorLimit: Hashable, Sendable {
  /// How much processor time, summed over all threads.
  package let processorTime: Duration
  /// In how much time.
  package let window: Duration

  /// At most `processorTime`, summed over all threads, in any `window`.
  package init(processorTime: Duration, window: Duration) {
    precondition(processorTime > .zero && window > .zero, "a limit leaves something")
    self.processorTime = processorTime
    self.window = window
  }

  /// What a phone allows on battery: 48 processor-seconds in 60 seconds; widely reported from the reports
  /// of processes it ended for more.
  package static let onBattery = ProcessorLimit(processorTime: .seconds(48), window: .seconds(60))
}

/// What a run may still spend: asked between chunks of work, each a small part of it.
///
/// Copies share one account.
public final class RunBudget: Sendable {
  /// When the run began, by the clock that ``TimeSource/elapsed`` reads.
  public let started: Duration
  /// When the run must end, by the clock that ``TimeSource/elapsed`` reads.
  public let deadline: Duration
  /// The limit on processor time; nil on external power.
  package let limit: ProcessorLimit?

  private let elapsed: @Sendable () -> Duration
  private let processorTime: @Sendable () -> Duration
  private let state: Mutex<State>

  fileprivate struct State {
    var stopped: ExpirationCause?
    var samples: [(at: Duration, used: Duration)]
  }

  /// A budget that begins now.
  ///
  /// - Parameters:
  ///   - allowance: how long the run may take.
  ///   - limit: the limit on processor time; nil for none.
  ///   - elapsed: time since some fixed moment, by a clock that nobody sets.
  ///   - processorTime: the processor time this process has used, over all its threads.
  package init(
    allowance: Duration, limit: ProcessorLimit?, elapsed: @escaping @Sendable () -> Duration,
    processorTime: @escaping @Sendable () -> Duration
  ) {
    started = elapsed()
    deadline = started + allowance
    self.limit = limit
    self.elapsed = elapsed
    self.processorTime = processorTime
    state = Mutex(State(samples: [(started, processorTime())]))
  }

  /// Returns while there is something left.
  ///
  /// - Throws: ``TaskFailure/stopped(_:)`` when the time is up, when the processor time of the last window
  ///   is used up, or when the run was told to stop; from then on at every call.
  public func check() throws(TaskFailure) {
    if let cause = exhaustion() { throw .stopped(cause) }
  }

  /// Why there is nothing left; nil while there is.
  public func exhaustion() -> ExpirationCause? {
    let now = elapsed()
    let used = limit == nil ? .zero : processorTime()
    return state.withLock { state in
      if state.stopped == nil {
        if now >= deadline {
          state.stopped = .deadline
        } else if let limit, state.isOver(limit, at: now, used: used) {
          state.stopped = .processorTime
        }
      }
      return state.stopped
    }
  }

  /// The time that is left, 0 when it is up.
  public var remaining: Duration { max(.zero, deadline - elapsed()) }

  /// Ends the budget: every later ``check()`` throws. The first cause stays.
  func stop(_ cause: ExpirationCause) {
    state.withLock { state in
      if state.stopped == nil { state.stopped = cause }
    }
  }
}

extension RunBudget.State {
  /// Enters a sample and compares what was used since the last one that is a window old, or since the
  /// beginning: never less than what the window itself saw.
  fileprivate mutating func isOver(
    _ limit: ProcessorLimit, at now: Duration, used: Duration
  ) -> Bool {
    while samples.count > 1, samples[1].at <= now - limit.window { samples.removeFirst() }
    // Work that checks more often than this needs no finer account, and the account stays small.
    if let last = samples.last, now - last.at >= limit.window / 64 { samples.append((now, used)) }
    return used - samples[0].used >= limit.processorTime
  }
}
