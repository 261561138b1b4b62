internal import Diurnal

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A page whose tables are those of a run: what stands between `<!-- bench: NAME -->` and `<!-- end -->` is
/// replaced by the section of that name.
enum Page {
  static let start = "<!-- bench: "
  private static let end = "<!-- end -->"

  /// The page with the sections that there are; the others stay as they were and are named.
  static func filled(_ page: String, _ sections: [String: String]) -> (text: String, kept: [String])
  {
    var lines: [Substring] = []
    var kept: [String] = []
    /// Whether what stands in the section was replaced and is passed over.
    var isReplaced = false
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == end { isReplaced = false }
      if isReplaced { continue }
      lines.append(line)
      guard line.hasPrefix(start), line.hasSuffix(" -->") else { continue }
      let name = String(line.dropFirst(start.count).dropLast(4))
      guard let section = sections[name] else {
        kept.append(name)
        continue
      }
      isReplaced = true
      lines += ["", "```"] + section.split(separator: "\n", omittingEmptySubsequences: false)
      lines += ["```", ""]
    }
    return (lines.joined(separator: "\n"), kept)
  }

  /// Replaces the tables of a file.
  static func fill(_ file: OutputFile, _ sections: [String: String]) throws {
    let page = try String(contentsOfFile: file.path, encoding: .utf8)
    let (text, kept) = filled(page, sections)
    try file.write(Array(text.utf8))
    guard !kept.isEmpty else { return }
    Run.remark("Not of this run, and left as they were: \(kept.joined(separator: ", ")).")
  }

  /// What was run and where, without the files that were read and written.
  static func provenance(_ machine: Machine, _ options: Options) -> String {
    "\(machine.header)\nswift run bench\(options.decisive.map { " " + $0 }.joined())"
  }
}
