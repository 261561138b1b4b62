#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The program that shows long output in pages: that of PAGER, else less.
enum Pager {
  /// Whether there may be pages: a person watches, and neither NO_PAGER, PAGER nor TERM says otherwise.
  static var isPossible: Bool {
    let environment = ProcessInfo.processInfo.environment
    return FileDescriptor.output.isTerminal && FileDescriptor.input.isTerminal
      && environment["NO_PAGER", default: ""].isEmpty && environment["TERM"] != "dumb"
      && !["", "cat"].contains(command)
  }

  private static var command: String {
    ProcessInfo.processInfo.environment["PAGER"] ?? "less"
  }

  /// Shows the bytes and waits until the person leaves; false where the program is not there.
  static func show(_ bytes: [UInt8]) -> Bool {
    // Headings are bold by escapes, and what was read stays on the screen.
    ShellProgram.setDefault("LESS", "-RFX")
    return ShellProgram.run(command, input: bytes)
  }
}
