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
package enum ExportFolder {
  /// Whether there is a folder at `path`.
  package static func exists(at path: String) -> Bool {
    var isFolder = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
  }

  /// The paths of the files in a folder and in the folders below it, in order; hidden ones are left out.
  ///
  /// - Throws: `ImportError`, which names the folder.
  package static func files(in folder: String) throws(ImportError) -> [String] {
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

  /// The files from the smallest to the largest, those of one size in the order given; one whose size cannot be
  /// told comes first, for reading it fails at once.
  static func bySize(_ files: [String]) -> [String] {
    func size(_ path: String) -> UInt64 {
      do {
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size]
        return (size as? any BinaryInteger).map { UInt64(clamping: $0) } ?? 0
      } catch {
        return 0
      }
    }
    return files.enumerated().map { (size: size($1), place: $0, path: $1) }
      .sorted { ($0.size, $0.place) < ($1.size, $1.place) }.map(\.path)
  }
}

extension ImportError {
  /// The same error of a file that is named by its path: files of one name may stand in several folders.
  public func inFolder(of path: String) -> ImportError {
    let name = path.split(separator: "/").last ?? ""
    guard file.hasPrefix(name) else { return self }
    return ImportError(file: String(path.dropLast(name.count)) + file, place: place, reason)
  }
}
