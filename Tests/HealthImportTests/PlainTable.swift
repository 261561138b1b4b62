import FoundationEssentials

/// A table without quotes, read in the plainest way: what the readers are compared with.
struct PlainTable {
  let rows: [[String: String]]

  init(_ path: String) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let lines = text.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    rows = lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
  }
}
