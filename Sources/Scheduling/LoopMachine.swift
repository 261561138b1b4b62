package import Time

/// The loop itself: pure steps on the state, without clock, thread, file or chance.
///
/// Every step leaves in ``SchedulerState/pending`` what is to wait. A scheduler mirrors that list and decides
/// nothing. The safety of the loop is here and nowhere else: between any two steps every task of the plan has a
/// request that waits, or is running, or gets a request at the next launch.
/// - A launch submits what does not wait, and keeps what waits with an earlier date.
/// - A run's next request is submitted in the step that begins it.
/// - An expired run leaves a request that may begin at once; a failed, hung or interrupted one leaves a request
///   with back-off.
/// - A run ends once: the first end counts.
package struct LoopMachine: Sendable {
  /// The tasks of the plan, in the order in which they run when several may.
  package let tasks: [TaskDeclaration]
  /// The zone for tasks that run at a time of day.
  package let zone: Zone

  /// The loop of these tasks, whose identifiers are distinct.
  package init(tasks: [TaskDeclaration], zone: Zone) {
    self.tasks = tasks
    self.zone = zone
  }

  /// The declaration of a task; nil where the plan has none.
  package func declaration(of identifier: TaskIdentifier) -> TaskDeclaration? {
    tasks.first { $0.identifier == identifier }
  }

  /// A process began, or looks again: ends the runs whose process is gone, cancels what waits for no task of the
  /// plan, submits what does not wait, and pulls back dates that a step of the clock left too far ahead.
  ///
  /// - Parameter abandoned: the numbers of the runs whose process is gone.
  package func launch(_ state: inout SchedulerState, abandoned: [Int], at now: Instant) {
    for run in abandoned { end(&state, run: run, .interrupted, elapsed: .zero, at: now) }
    for request in state.pending.requests where declaration(of: request.identifier) == nil {
      state.pending.remove(request.identifier)
    }
    for task in tasks where state.run(of: task.identifier) == nil {
      let date = beginDate(of: task, state, now)
      if state.pending[task.identifier] != task.request.beginning(at: date) {
        submit(&state, task, date, now)
      }
    }
  }

  /// A run begins: takes out the request that led to it and submits the next one.
  ///
  /// - Returns: the run; nil, and nothing done, where the task is in a run already or in no plan of ours.
  package func begin(
    _ state: inout SchedulerState, _ identifier: TaskIdentifier, owner: String, at now: Instant
  ) -> ActiveRun? {
    guard let task = declaration(of: identifier),
      let run = state.begin(identifier, owner: owner, at: now)
    else { return nil }
    submit(&state, task, task.schedule.next(after: now, in: zone), now)
    return run
  }

  /// A run ended after this long by a clock that nobody sets.
  ///
  /// - Returns: whether that counts: false where the run had ended before.
  @discardableResult
  package func end(
    _ state: inout SchedulerState, run number: Int, _ outcome: RunOutcome, elapsed: Duration,
    at now: Instant
  ) -> Bool {
    guard let run = state.end(run: number, outcome, elapsed: elapsed) else { return false }
    guard let task = declaration(of: run.identifier) else { return true }
    state.update(run.identifier) {
      $0.enter(outcome, backOff: task.backOff, at: now)
      if let until = $0.backOffUntil {
        $0.backOffUntil = min(until, task.schedule.next(after: now, in: zone))
      }
      $0.lastMilliseconds = elapsed.wholeMilliseconds
    }
    switch outcome {
    case .succeeded: break
    case .failed, .interrupted, .hung:
      submit(&state, task, state.record(of: run.identifier).backOffUntil, now)
    case .expired: submit(&state, task, now, now)
    }
    return true
  }

  /// The scheduler took over what waits, but for the requests that it refused.
  package func mirrored(
    _ state: inout SchedulerState, refused: [TaskIdentifier: SchedulerError]
  ) {
    for task in tasks
    where state.record(of: task.identifier).lastSubmitError != refused[task.identifier] {
      state.update(task.identifier) { $0.lastSubmitError = refused[task.identifier] }
    }
  }

  private func submit(
    _ state: inout SchedulerState, _ task: TaskDeclaration, _ date: Instant?, _ now: Instant
  ) {
    state.pending.submit(task.request.beginning(at: date))
    state.update(task.identifier) { $0.lastSubmit = now }
  }

  /// The date that a task's request should have: that of the request which waits, unless it is later than
  /// the task is due, or further ahead than one interval.
  private func beginDate(
    of task: TaskDeclaration, _ state: SchedulerState, _ now: Instant
  ) -> Instant? {
    let record = state.record(of: task.identifier)
    let waiting = state.pending[task.identifier]
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
    case .failed, .interrupted, .hung:
      // The clock may have been ahead when the back-off was set, and be right again now.
      min(record.backOffUntil ?? now, now.advanced(by: task.backOff.longest))
    case .expired, nil: now
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
    case .failed, .interrupted, .hung:
      failuresInARow += 1
      backOffUntil = now.advanced(by: backOff.wait(afterFailures: failuresInARow))
    }
  }
}
