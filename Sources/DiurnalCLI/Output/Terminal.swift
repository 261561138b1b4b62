internal import DayLog

/// Standard output and standard error: the only file that writes to them.
///
/// Results go to output, remarks and progress to error. A full disk or a closed terminal is passed over:
/// what could not be said cannot be mended by saying more. Nothing is caught on a broken pipe: the signal
/// ends the process quietly, and a command that changes the log does so in one transaction.
enum Terminal {
  /// Writes text to standard output as it is.
  static func result(_ text: String) { FileDescriptor.output.write(Array(text.utf8)) }

  /// Writes a value as one line of JSON.
  static func result(_ json: JSONValue) {
    var bytes: [UInt8] = []
    json.write(to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    FileDescriptor.output.write(bytes)
  }

  /// Writes an object with one list as one line of JSON, each element made and written in turn: a list of years
  /// is never there as values and as text at once.
  static func result<Element>(
    list name: String, _ elements: [Element], _ json: (Element) -> JSONValue
  ) {
    var bytes: [UInt8] = [UInt8(ascii: "{")]
    JSON.write(name, to: &bytes)
    bytes.append(contentsOf: ":[".utf8)
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      json(element).write(to: &bytes)
    }
    bytes.append(contentsOf: "]}\n".utf8)
    FileDescriptor.output.write(bytes)
  }

  /// Writes a line to standard error.
  static func remark(_ line: String) { FileDescriptor.error.write(Array("\(line)\n".utf8)) }

  /// Writes text to standard error without ending the line: a progress bar draws over itself.
  static func progress(_ text: String) { FileDescriptor.error.write(Array(text.utf8)) }

  /// Whether a person watches standard error.
  static var isWatched: Bool { FileDescriptor.error.isTerminal }
}
