#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// An open file of the system. This is the only file of this module with unsafe code.
struct FileDescriptor: Sendable {
  static let output = FileDescriptor(number: STDOUT_FILENO)
  static let error = FileDescriptor(number: STDERR_FILENO)
  static let input = FileDescriptor(number: STDIN_FILENO)

  fileprivate let number: Int32

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

  /// How many columns the terminal has; nil where it is none or does not tell.
  var width: Int? { size.map { Int($0.ws_col) }.flatMap { $0 > 0 ? $0 : nil } }

  /// How many lines the terminal has; nil where it is none or does not tell.
  var height: Int? { size.map { Int($0.ws_row) }.flatMap { $0 > 0 ? $0 : nil } }

  private var size: winsize? {
    var size = winsize()
    return unsafe ioctl(number, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
  }

  /// Writes all that can be read from it to another file; false where the system refuses.
  func copy(to other: FileDescriptor) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe read(number, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return false }
      if count == 0 { return true }
      guard other.write(Array(buffer[..<count])) else { return false }
    }
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

/// A file without a name, which is gone with the process however that ends.
struct UnnamedFile {
  /// A path by which this process reads it.
  let path: String

  /// A file that holds all that standard input holds; nil where that cannot be read, or there is no room.
  init?(copying input: FileDescriptor, in folder: String) {
    #if os(Linux)
      let number = unsafe open(folder, 0o20000000 | O_DIRECTORY | O_RDWR | O_CLOEXEC, 0o600)
      path = "/proc/self/fd/\(number)"
    #else
      let name = "\(folder)/diurnal-\(getpid())"
      let number = unsafe open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if number >= 0 { _ = unsafe unlink(name) }
      path = "/dev/fd/\(number)"
    #endif
    guard number >= 0, input.copy(to: FileDescriptor(number: number)),
      lseek(number, 0, SEEK_SET) == 0
    else { return nil }
  }
}

/// A program that a shell runs, with its standard input.
enum ShellProgram {
  /// Runs the command, writes the bytes to it and waits for it; false where there is no such program.
  ///
  /// The person may leave it before it has read everything. A signal from the keyboard is for it alone.
  static func run(_ command: String, input bytes: [UInt8]) -> Bool {
    guard let pipe = unsafe popen(command, "w") else { return false }
    let signals = [SIGPIPE, SIGINT, SIGQUIT]
    for number in signals { _ = signal(number, SIG_IGN) }
    defer { for number in signals { _ = signal(number, SIG_DFL) } }
    unsafe FileDescriptor(number: fileno(pipe)).write(bytes)
    let status = unsafe pclose(pipe)
    // 126 and 127 are a shell's words for what cannot be run.
    return status != -1 && ![126, 127].contains(status >> 8 & 0xFF)
  }

  /// Sets a variable for the programs run from here on, where it has no value.
  static func setDefault(_ name: String, _ value: String) { _ = unsafe setenv(name, value, 0) }
}

/// What the system grants this process.
enum ProcessLimits {
  /// The least memory (address space) and the fewest open files that every command gets by with: the linear algebra
  /// library ends the process where it is refused memory, and so does the runtime where it is refused a file.
  static let leastMemory: UInt64 = 1 << 30
  static let leastFiles: UInt64 = 32

  /// What is too little, and what to do; nil where it is enough.
  static var shortage: String? {
    var (space, open) = (rlimit(), rlimit())
    // Glibc gives the number of a limit a type of its own.
    #if canImport(Glibc)
      let isKnown =
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &space) == 0
        && getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &open) == 0
    #else
      let isKnown =
        unsafe getrlimit(RLIMIT_AS, &space) == 0 && getrlimit(RLIMIT_NOFILE, &open) == 0
    #endif
    guard isKnown else { return nil }
    let (memory, files) = (UInt64(space.rlim_cur), UInt64(open.rlim_cur))
    if memory < leastMemory {
      return "this process may have \(memory >> 10) KiB of memory and needs \(leastMemory >> 10): "
        + "nothing was done; raise the limit, as with ulimit -v \(leastMemory >> 10)"
    }
    if files < leastFiles {
      return "this process may open \(files) files and needs \(leastFiles): "
        + "nothing was done; raise the limit, as with ulimit -n \(leastFiles)"
    }
    return nil
  }
}
