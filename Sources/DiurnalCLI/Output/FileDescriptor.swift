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
}

/// The system's `write`, which a method of that name hides.
@unsafe private func send(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(file, bytes, count)
}
