internal import DayLog
internal import Synchronization

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Standard output and standard error: the only file that writes to them.
///
/// Results go to output, remarks and progress to error. A result that could not be written, as on a full disk, is
/// remembered, for the process must not end as if it had been; a remark is passed over. Nothing is caught on a
/// broken pipe: the signal ends the process quietly, and a command that changes the log does so in one
/// transaction.
enum Terminal {
  private static let lost = Atomic<Bool>(false)
  private static let display = Display(environment: ProcessInfo.processInfo.environment)

  /// Whether every result so far was written.
  static var isHeard: Bool { !lost.load(ordering: .relaxed) }

  /// Whether results reach anybody: a service may throw them away.
  static var hasReader: Bool { !FileDescriptor.output.isDiscarded }

  /// What is held back until it is known whether it is long; nil while results are written at once.
  private static let held = Mutex<[UInt8]?>(nil)

  private static func write(_ bytes: [UInt8]) {
    let isHeld = held.withLock { held in
      held?.append(contentsOf: bytes)
      return held != nil
    }
    if !isHeld, !FileDescriptor.output.write(bytes) { lost.store(true, ordering: .relaxed) }
  }

  /// Holds results back from here on, for the pager, where a person watches and wants one.
  static func beginPages(isWanted: Bool) {
    guard isWanted, Pager.isPossible else { return }
    held.withLock { $0 = [] }
  }

  /// Shows what was held back: at once where it fits the terminal, else in the pager.
  static func endPages() {
    let bytes = held.withLock { held in
      defer { held = nil }
      return held ?? []
    }
    guard !bytes.isEmpty else { return }
    let lines = bytes.count { $0 == UInt8(ascii: "\n") }
    if lines >= display.height(of: .output), Pager.show(bytes) { return }
    write(bytes)
  }

  /// Writes lines to standard output; what is not ``Harmless`` in them is written out, and a line that is longer than
  /// the terminal is wide is folded between words.
  static func result(_ text: String) { write(Array(display.rendered(text, on: .output).utf8)) }

  /// Writes a table, or the same turned where only that fits.
  static func result(_ table: TextTable, orTurned turned: TextTable) {
    let width = display.width(of: .output)
    let isTurned = width.map { !table.fits($0) && turned.fits($0) } ?? false
    result((isTurned ? turned : table).text(width: width))
  }

  /// How many columns a line of output may have; nil where nobody watches.
  static var width: Int? { display.width(of: .output) }

  /// Writes a table in the form that fits the terminal.
  static func result(_ table: TextTable) {
    result(table.text(width: display.width(of: .output)))
  }

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
    FileDescriptor.error.write(Array(display.rendered("\(line)\n", on: .error).utf8))
  }

  /// Writes a value as one line of JSON to standard error.
  static func remark(_ json: JSONValue) { FileDescriptor.error.write(Array("\(json.text)\n".utf8)) }

  /// Writes text to standard error without ending the line: a progress bar draws over itself.
  static func progress(_ text: String) { FileDescriptor.error.write(Array(text.utf8)) }

  /// Whether a person can be asked: somebody reads what is said, and types.
  static var canAsk: Bool { FileDescriptor.input.isTerminal && FileDescriptor.output.isTerminal }

  /// Asks a question that takes yes or no; anything but yes is no.
  static func asks(_ question: String) -> Bool {
    FileDescriptor.error.write(Array(display.rendered(question, on: .error).utf8))
    let answer = readLine()?.lowercased() ?? ""
    return answer == "y" || answer == "yes"
  }

  /// Whether a person watches standard error.
  static var isWatched: Bool { FileDescriptor.error.isTerminal }
}
