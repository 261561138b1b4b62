public import Time

/// What happens to the loop.
public enum LoopEvent: Hashable, Sendable {
  /// A process began and has registered every task of the plan. `pending` is what waits; `abandoned` are
  /// the runs whose process is gone.
  case launched(pending: [TaskRequest], abandoned: [Int])
  /// Time has passed in a process that goes on: the same look at things, but what was finally refused is
  /// left until the next launch.
  case woke(pending: [TaskRequest], abandoned: [Int])
  /// The scheduler took a request out of the list and began this run.
  case began(ActiveRun)
  /// A run ended after this long by a monotonic clock.
  case ended(run: Int, RunOutcome, elapsed: Duration)
  /// A request was taken, or refused.
  case submitted(TaskIdentifier, refused: SchedulerError?)
}

/// What is to be done about it, in this order.
public enum LoopEffect: Hashable, Sendable {
  /// Take back the request that waits for a task.
  case cancel(TaskIdentifier)
  /// Make a request wait, in place of the one that waits for the same task.
  case submit(TaskRequest)
  /// Begin the work of a run.
  case work(run: Int)
  /// Tell the work of a run to stop.
  case stop(run: Int)
  /// Tell the scheduler that a run is over.
  case complete(run: Int, success: Bool)
}

/// The loop itself: (state, event) -> (state, effects), without clock, thread, file or chance.
///
/// The safety of the loop is here and nowhere else. Whatever happens between two effects, every task has
/// a request that waits, or is running, or gets a request at the next launch:
/// - a launch submits what does not wait, and keeps what waits with an earlier date;
/// - a run submits the next request before it works;
/// - an expired run leaves a request that may begin at once, a failed or interrupted one a request with
///   back-off, both submitted before the run completes;
/// - a run completes once: the first end counts.
public struct LoopMachine: Sendable {
  /// The tasks of the plan, in the order in which they run when several may.
  public let tasks: [TaskDeclaration]
  /// The zone for tasks that run at a time of day.
  public let zone: Zone

  /// The loop of these tasks, whose identifiers are distinct.
  public init(tasks: [TaskDeclaration], zone: Zone) {
    self.tasks = tasks
    self.zone = zone
  }

  /// Enters the event into the state and returns what is to be done, in order.
  ///
  /// Events of tasks that the plan has not, and ends of runs that have ended, change nothing.
  public func step(
    _ state: inout SchedulerState, _ event: LoopEvent, at now: Instant
  ) -> [LoopEffect] {
    switch event {
    case .launched(let pending, let abandoned):
      for run in abandoned { _ = end(run, .interrupted, .zero, &state, now) }
      return reconcile(pending, state, now, retriesRefused: true)
    case .woke(let pending, let abandoned):
      for run in abandoned { _ = end(run, .interrupted, .zero, &state, now) }
      return reconcile(pending, state, now, retriesRefused: false)
    case .began(let run):
      guard let task = declaration(of: run.identifier), state.run(of: run.identifier) == run else {
        return []
      }
      let next = task.schedule.next(after: now, in: zone)
      return [.submit(task.request.beginning(at: next)), .work(run: run.number)]
    case .ended(let number, let outcome, let elapsed):
      return end(number, outcome, elapsed, &state, now)
    case .submitted(let identifier, let refused):
      state.update(identifier) {
        $0.lastSubmit = now
        $0.lastSubmitError = refused
      }
      return []
    }
  }

  /// The declaration of a task; nil where the plan has none.
  public func declaration(of identifier: TaskIdentifier) -> TaskDeclaration? {
    tasks.first { $0.identifier == identifier }
  }

  private func reconcile(
    _ pending: [TaskRequest], _ state: SchedulerState, _ now: Instant, retriesRefused: Bool
  ) -> [LoopEffect] {
    var effects: [LoopEffect] = []
    for request in pending where declaration(of: request.identifier) == nil {
      effects.append(.cancel(request.identifier))
    }
    for task in tasks where state.run(of: task.identifier) == nil {
      let record = state.record(of: task.identifier)
      let waiting = pending.first { $0.identifier == task.identifier }
      if waiting == nil, !retriesRefused, record.lastSubmitError?.isFinal == true { continue }
      let wanted = task.request.beginning(
        at: beginDate(of: task, record, waiting: waiting, now))
      if waiting != wanted { effects.append(.submit(wanted)) }
    }
    return effects
  }

  /// The date that a task's request should have: that of the request which waits, unless it is later than
  /// the task is due, or further ahead than one interval.
  private func beginDate(
    of task: TaskDeclaration, _ record: TaskRecord, waiting: TaskRequest?, _ now: Instant
  ) -> Instant? {
    // A last run in the future says that the clock was put back: nothing follows from it.
    let due: Instant? =
      if let began = record.lastBegan, began <= now {
        dueDate(of: task, record, began, now)
      } else {
        waiting == nil ? now.advanced(by: task.initialDelay) : nil
      }
    guard let waiting else { return due }
    guard let kept = waiting.earliestBegin else { return nil }
    let furthest = max(
      task.schedule.next(after: now, in: zone), now.advanced(by: task.initialDelay))
    return min(kept, due ?? furthest, furthest)
  }

  private func dueDate(
    of task: TaskDeclaration, _ record: TaskRecord, _ began: Instant, _ now: Instant
  ) -> Instant {
    switch record.lastOutcome {
    case .succeeded: task.schedule.next(after: began, in: zone)
    case .failed, .interrupted:
      // The clock may have been ahead when the back-off was set, and be right again now.
      min(record.backOffUntil ?? now, now.advanced(by: task.backOff.longest))
    case .expired, nil: now
    }
  }

  private func end(
    _ number: Int, _ outcome: RunOutcome, _ elapsed: Duration, _ state: inout SchedulerState,
    _ now: Instant
  ) -> [LoopEffect] {
    guard let run = state.end(run: number), let task = declaration(of: run.identifier) else {
      return []
    }
    state.update(run.identifier) {
      $0.enter(outcome, backOff: task.backOff, at: now)
      if let until = $0.backOffUntil {
        $0.backOffUntil = min(until, task.schedule.next(after: now, in: zone))
      }
      $0.lastMilliseconds = elapsed.wholeMilliseconds
    }
    switch outcome {
    case .succeeded:
      return [.complete(run: number, success: true)]
    case .failed, .interrupted:
      let until = state.record(of: run.identifier).backOffUntil
      return [
        .submit(task.request.beginning(at: until)), .complete(run: number, success: false),
      ]
    case .expired:
      return [
        .stop(run: number), .submit(task.request.beginning(at: now)),
        .complete(run: number, success: false),
      ]
    }
  }
}

extension TaskRecord {
  fileprivate mutating func enter(_ outcome: RunOutcome, backOff: BackOff, at now: Instant) {
    lastOutcome = outcome
    switch outcome {
    case .succeeded:
      failuresInARow = 0
      expirationsInARow = 0
      backOffUntil = nil
    case .expired:
      // Being told to stop is nobody's fault: the next run may begin at once.
      failuresInARow = 0
      expirationsInARow += 1
      backOffUntil = nil
    case .failed, .interrupted:
      failuresInARow += 1
      backOffUntil = now.advanced(by: backOff.wait(afterFailures: failuresInARow))
    }
  }
}
