internal import Diurnal

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A file that a person names to be read whole.
struct InputFile: Sendable {
  let path: String
  let bytes: [UInt8]

  /// Reads the file at `path`.
  init(_ path: String) throws(Failure) {
    guard FileManager.default.fileExists(atPath: path) else {
      throw Failure(.inputOutput, "there is no file at \(path): check the path")
    }
    guard !ExportFolder.exists(at: path), let data = FileManager.default.contents(atPath: path)
    else {
      throw Failure(
        .inputOutput, "\(path) cannot be read: check that it is a file that you may read")
    }
    self.path = path
    bytes = Array(data)
  }

  /// The place of a byte as people look for it: the path and the line, counted from 1.
  func place(ofByte offset: Int) -> String {
    "\(path):\(1 + bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") })"
  }
}
