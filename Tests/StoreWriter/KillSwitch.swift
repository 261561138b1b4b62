import CSQLite
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Kills this process after so many statements, and pieces of statements, that SQLite has begun.
enum KillSwitch {
  private static let remaining = Atomic(0)

  /// Arms the switch for every connection that is opened from now on; 0 never kills.
  static func arm(after count: Int) {
    remaining.store(count, ordering: .sequentiallyConsistent)
    let opened: Opened = { database, _, _ in
      unsafe sqlite3_trace_v2(
        database, UInt32(SQLITE_TRACE_STMT),
        { _, _, _, _ in
          KillSwitch.countDown()
          return 0
        }, nil)
      unsafe sqlite3_progress_handler(
        database, 40,
        { _ in
          KillSwitch.countDown()
          return 0
        }, nil)
      return SQLITE_OK
    }
    _ = unsafe sqlite3_auto_extension(
      unsafeBitCast(opened, to: (@convention(c) () -> Void).self))
  }

  private typealias Opened =
    @convention(c) (
      OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, OpaquePointer?
    ) -> Int32

  private static func countDown() {
    if remaining.subtract(1, ordering: .sequentiallyConsistent).newValue == 0 {
      kill(getpid(), SIGKILL)
    }
  }
}
