#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// An open file of the system, and the only file of this module with unsafe code.
struct FileDescriptor: Sendable {
  static let output = FileDescriptor(number: STDOUT_FILENO)
  static let error = FileDescriptor(number: STDERR_FILENO)

  private let number: Int32

  /// Whether a person watches it.
  var isTerminal: Bool { isatty(number) == 1 }

  /// Whether what is written to it goes nowhere, as in a service that keeps no output.
  var isDiscarded: Bool {
    var (own, none) = (stat(), stat())
    guard unsafe fstat(number, &own) == 0, unsafe stat("/dev/null", &none) == 0 else {
      return false
    }
    return own.st_mode & S_IFMT == S_IFCHR && own.st_rdev == none.st_rdev
  }

  /// Writes all of `bytes`, however many calls that takes; false where the system refuses one.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes[sent...].withUnsafeBytes { part in
        unsafe send(number, part.baseAddress, part.count)
      }
      if count < 0 {
        if errno == EINTR { continue }
        return false
      }
      sent += count
    }
    return true
  }

  /// Makes `bytes` the content of the file at `path`, for its owner alone, or leaves what was there.
  ///
  /// They go to a new file in the same folder, down to the disk, and that file is then renamed: whoever reads
  /// `path` at any moment, also after a loss of power, finds the old content or the new. What is there and is no
  /// file, such as a device, is not replaced; of a link it is the file it leads to that is.
  static func replaceFile(at path: String, with bytes: [UInt8]) -> Bool {
    guard let path = target(path) else { return false }
    let temporary = "\(path).\(getpid()).partial"
    let number = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard number >= 0 else { return false }
    let isWritten = FileDescriptor(number: number).write(bytes) && fsync(number) == 0
    let isClosed = close(number) == 0
    if isWritten, isClosed, unsafe rename(temporary, path) == 0 { return true }
    _ = unsafe unlink(temporary)
    return false
  }

  /// The path without links of the file that is or will be at `path`; nil where there is something else.
  private static func target(_ path: String) -> String? {
    var info = stat()
    guard unsafe stat(path, &info) == 0 else { return path }
    guard info.st_mode & S_IFMT == S_IFREG, let resolved = unsafe realpath(path, nil) else {
      return nil
    }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}

/// The system's `write`, which a method of that name hides.
@unsafe private func send(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(file, bytes, count)
}
