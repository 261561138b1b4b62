public import HealthImport

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A folder into which a person puts exports.
package enum ExportFolder {
  /// Whether there is a folder at `path`.
  package static func exists(at path: String) -> Bool {
    FileFacts(path: path)?.isFolder == true
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
    files.enumerated().map {
      (size: FileFacts(path: $1)?.byteCount ?? 0, place: $0, path: $1)
    }
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
