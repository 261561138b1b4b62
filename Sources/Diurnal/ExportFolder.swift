public import HealthImport

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A folder into which a person puts exports.
public enum ExportFolder {
  /// Whether there is a folder at `path`.
  public static func exists(at path: String) -> Bool {
    var isFolder = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
  }

  /// The paths of the files in a folder and in the folders below it, in order; hidden ones are left out.
  ///
  /// - Throws: `ImportError`, which names the folder.
  public static func files(in folder: String) throws(ImportError) -> [String] {
    let names: [String]
    do {
      names = try FileManager.default.subpathsOfDirectory(atPath: folder)
    } catch {
      throw ImportError(
        file: folder, .unreadable(errno: exists(at: folder) ? EACCES : ENOENT))
    }
    return names.sorted()
      .filter { !$0.split(separator: "/").contains { $0.hasPrefix(".") } }
      .map { folder + "/" + $0 }.filter { !exists(at: $0) }
  }
}
