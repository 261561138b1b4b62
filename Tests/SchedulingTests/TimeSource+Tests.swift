import Scheduling
import Time

extension TimeSource {
  /// Clocks of the test's own machine, but for what the wall clock shows.
  init(now: @escaping @Sendable () -> Instant) {
    let origin = SuspendingClock.now
    self.init(
      now: now, elapsed: { origin.duration(to: .now) },
      sleep: { duration in
        do { try await Task.sleep(for: duration, clock: .suspending) } catch {
          // Cancelled: whoever waits looks at what has changed.
        }
      }, processorTime: { .zero })
  }
}
