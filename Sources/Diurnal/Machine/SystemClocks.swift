public import Scheduling
public import Time

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension TimeSource {
  /// The clocks of the machine this runs on.
  public static let system = TimeSource(now: {
    Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
  })

  /// The machine's clocks, but for what the wall clock shows.
  public init(now: @escaping @Sendable () -> Instant) {
    let origin = SuspendingClock.now
    self.init(
      now: now, elapsed: { origin.duration(to: .now) },
      sleep: { duration in
        do {
          try await Task.sleep(for: duration, clock: .suspending)
        } catch {
          // Cancelled: whoever waits looks at what has changed, and sees to that.
        }
      },
      processorTime: {
        .seconds(Double(clock()) / Double(CLOCKS_PER_SEC))
      })
  }
}
