#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Standard output and standard error: the only file that writes to them.
///
/// Results go to output, remarks and progress to error. Nothing is caught on a broken pipe: the signal
/// ends the process quietly, and a command that changes the log does so in one transaction.
enum Terminal {
  /// Writes text to standard output as it is.
  static func result(_ text: String) { send(text, to: STDOUT_FILENO) }

  /// Writes a value as one line of JSON.
  static func result(_ json: JSONValue) {
    var bytes: [UInt8] = []
    json.write(to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    send(bytes, to: STDOUT_FILENO)
  }

  /// Writes a line to standard error.
  static func remark(_ line: String) { send(line + "\n", to: STDERR_FILENO) }

  /// Writes text to standard error without ending the line: a progress bar draws over itself.
  static func progress(_ text: String) { send(text, to: STDERR_FILENO) }

  /// Whether a person watches standard error.
  static var isWatched: Bool { isatty(STDERR_FILENO) == 1 }

  private static func send(_ text: String, to file: Int32) { send(Array(text.utf8), to: file) }

  private static func send(_ bytes: [UInt8], to file: Int32) {
    var sent = 0
    while sent < bytes.count {
      let written = unsafe bytes[sent...].withUnsafeBytes { part in
        unsafe write(file, part.baseAddress, part.count)
      }
      // A full disk or a closed terminal: what could not be said cannot be mended by saying more.
      if written < 0 {
        if errno == EINTR { continue }
        return
      }
      sent += written
    }
  }
}
