internal import DayLog
internal import Synchronization

/// Standard output and standard error: the only file that writes to them.
///
/// Results go to output, remarks and progress to error. A result that could not be written, as on a full disk, is
/// remembered, for the process must not end as if it had been; a remark is passed over. Nothing is caught on a
/// broken pipe: the signal ends the process quietly, and a command that changes the log does so in one
/// transaction.
enum Terminal {
  private static let lost = Atomic<Bool>(false)

  /// Whether every result so far was written.
  static var isHeard: Bool { !lost.load(ordering: .relaxed) }

  /// Whether results reach anybody: a service may throw them away.
  static var hasReader: Bool { !FileDescriptor.output.isDiscarded }

  private static func write(_ bytes: [UInt8]) {
    if !FileDescriptor.output.write(bytes) { lost.store(true, ordering: .relaxed) }
  }

  /// Writes lines to standard output; what is not ``Harmless`` in them is written out.
  static func result(_ text: String) { write(Array(Harmless.lines(text).utf8)) }

  /// Writes a value as one line of JSON.
  static func result(_ json: JSONValue) {
    var bytes: [UInt8] = []
    json.write(to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    write(bytes)
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
    write(bytes)
  }

  /// Writes a line to standard error; what is not ``Harmless`` in it is written out.
  static func remark(_ line: String) {
    FileDescriptor.error.write(Array("\(Harmless.lines(line))\n".utf8))
  }

  /// Writes text to standard error without ending the line: a progress bar draws over itself.
  static func progress(_ text: String) { FileDescriptor.error.write(Array(text.utf8)) }

  /// Whether a person watches standard error.
  static var isWatched: Bool { FileDescriptor.error.isTerminal }
}
