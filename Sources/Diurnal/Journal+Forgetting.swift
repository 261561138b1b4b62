public import DayLog
internal import Personalisation
internal import Storage
public import Time

extension Journal {
  /// Forgets a metric of a day, or all of the day, and trains anew every model there was: they are what
  /// they would be had it never been logged.
  ///
  /// - Returns: the days that show something else now, and what training did. What could not be finished, because
  ///   others read the log or trained beside this, is pending (`LogStore.pendingWork()`).
  /// - Throws: `StorageError`. Where forgetting itself fails nothing is forgotten; where training fails after it,
  ///   it is pending.
  public func forget(
    _ day: CalendarDay, _ metric: Metric? = nil, today: CalendarDay, now: Instant
  ) async throws -> (changed: [CalendarDay], trained: [TrainedTarget]) {
    let changed = try await store.forget(day, metric, now: now)
    return (changed, try await finishPendingWork(today: today, now: now))
  }

  /// Finishes what a removal or a training has left that was cut off, by a kill or by another process: erases
  /// traces, and trains every wanted target that lost its model. An app calls it at its launch.
  ///
  /// - Parameters:
  ///   - today: The open day, which no model learns from.
  ///   - now: The moment that models are stamped with.
  ///   - mayContinue: As for ``train(_:horizon:today:now:full:mayContinue:)``.
  /// - Returns: what training did; empty where nothing was pending.
  /// - Throws: `StorageError`; what is not finished stays pending.
  public func finishPendingWork(
    today: CalendarDay, now: Instant, mayContinue: () -> Bool = { true }
  ) async throws -> [TrainedTarget] {
    let pending = try await store.pendingWork()
    if pending.traces { try await store.eraseTraces() }
    let names = pending.targets.compactMap { ModelName($0.name) }
    guard !names.isEmpty else { return [] }
    return try await train(names, today: today, now: now, full: true, mayContinue)
  }
}
