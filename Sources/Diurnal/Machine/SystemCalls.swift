#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// What the system tells of a file, its links followed: one call that is the same on every system, where Foundation's
/// differ in their types.
struct FileFacts: Hashable {
  let isFolder: Bool
  let byteCount: UInt64

  /// Asks for the file at `path`; nil where there is none or it may not be looked at.
  init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    isFolder = status.st_mode & S_IFMT == S_IFDIR
    byteCount = UInt64(clamping: status.st_size)
  }
}

#if canImport(Darwin)
  /// When a process began, in microseconds since 1970; nil where there is none or the system does not tell, as of the
  /// processes of others on a phone. No later process of the same number has the same.
  func startOfProcess(_ process: Int32) -> String? {
    var names: [Int32] = [CTL_KERN, KERN_PROC, KERN_PROC_PID, process]
    var found = kinfo_proc()
    var size = MemoryLayout<kinfo_proc>.stride
    guard unsafe sysctl(&names, UInt32(names.count), &found, &size, nil, 0) == 0, size > 0 else {
      return nil
    }
    let began = unsafe found.kp_proc.p_un.__p_starttime
    return "\(Int64(began.tv_sec) * 1_000_000 + Int64(began.tv_usec))"
  }
#endif
