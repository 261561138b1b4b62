internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// SIGTERM as a warning: what a service manager sends before it kills.
enum Termination {
  private static let asked = Atomic<Bool>(false)

  /// Whether the process was told to end.
  static var wasAsked: Bool { asked.load(ordering: .relaxed) }

  /// Calls `handler` on a queue of its own when the process is told to end, until cancelled.
  static func observe(_ handler: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
    // The source only sees a signal whose own action is ignored.
    _ = signal(SIGTERM, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
    source.setEventHandler {
      asked.store(true, ordering: .relaxed)
      handler()
    }
    source.resume()
    return source
  }
}
