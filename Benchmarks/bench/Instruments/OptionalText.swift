#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Text of files that may not be there.
enum OptionalText {
  /// The text of a file; nil where it is not there or cannot be read, which is an answer: what a system's
  /// file would tell is then printed as not known, and a rival without output is named as missing.
  static func read(_ path: String) -> String? {
    do { return try String(contentsOfFile: path, encoding: .utf8) } catch { return nil }
  }
}
