import Foundation
import TestSupport
import Testing

/// What an app sees: every name of the libraries that is declared public, one a line.
private struct PublicSymbols {
  static let rooms = [
    "Charts", "DayLog", "Diurnal", "DiurnalApple", "DiurnalReport", "HealthImport", "Learning",
    "LinearAlgebra", "LoopSimulation", "Personalisation", "Scheduling", "Storage", "Time",
  ]

  /// The lines of all rooms, sorted: the room, and the name within its types.
  static func found() throws -> [String] {
    var lines: Set<String> = []
    for room in rooms {
      let folder = SharedData.checkout.appending(path: "Sources/\(room)")
      guard FileManager.default.fileExists(atPath: folder.path) else { continue }
      for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      where name.hasSuffix(".swift") {
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        for symbol in symbols(in: text) { lines.insert("\(room) \(symbol)") }
      }
    }
    return lines.sorted()
  }

  /// The public names of one file. The formatter's layout is taken for granted: a declaration begins its line, two blanks
  /// further in for each type that it stands in.
  static func symbols(in text: String) -> [String] {
    let declaration =
      #/^( *)(?:@\w+(?:\([^)]*\))? )*(public |open )?((?:[a-z]+(?:\(set\))? )*?)(struct|enum|class|actor|protocol|extension|typealias|func|var|let|case|init|subscript|macro)\b[?]? ?`?([\w.]*)/#
    var types: [(indent: Int, name: String, isProtocol: Bool)] = []
    var symbols: [String] = []
    var isInsideText = false
    for line in text.split(separator: "\n") {
      if line.matches(of: #/"""/#).count % 2 == 1 { isInsideText.toggle() }
      guard !isInsideText, let match = line.firstMatch(of: declaration) else { continue }
      let (indent, kind, name) = (match.1.count, match.4, String(match.5))
      types.removeAll { $0.indent >= indent }
      let isMember = types.last?.isProtocol == true && types.last?.indent == indent - 2
      let isPublic = match.2 != nil || (isMember && ["func", "var"].contains(kind))
      let path = (types.map(\.name) + [name.isEmpty ? String(kind) : name]).joined(separator: ".")
      if isPublic && kind != "extension" { symbols.append(path) }
      if ["struct", "enum", "class", "actor", "protocol", "extension"].contains(kind) {
        types.append((indent, name, kind == "protocol" && match.2 != nil))
      }
    }
    return symbols
  }
}

@Suite struct `The public face` {
  private static let list = SharedData.checkout.appending(
    path: "Tests/Golden/public-symbols.txt")

  /// A new name is a decision: write it into the list by hand, or run this test with `DIURNAL_RECORD_SYMBOLS=1` in
  /// the environment and read the difference.
  @Test func `is the list that is kept`() throws {
    let found = try PublicSymbols.found()
    if ProcessInfo.processInfo.environment["DIURNAL_RECORD_SYMBOLS"] == "1" {
      try Data((found.joined(separator: "\n") + "\n").utf8).write(to: Self.list)
    }
    let kept = try String(contentsOf: Self.list, encoding: .utf8).split(separator: "\n").map(
      String.init)
    #expect(Set(found).subtracting(kept).sorted() == [], "public, and not in the list")
    #expect(Set(kept).subtracting(found).sorted() == [], "in the list, and not public")
  }

  @Test func `is found in declarations of every form`() {
    let text = """
      public struct Log: Sendable {
        public let days: Int
        let hidden: Int
        public enum Kind { case a }
        public init?(_ text: String) {}
        @discardableResult public mutating func add() -> Int { 0 }
      }
      extension Log {
        public static func read() {}
        package func kept() {}
      }
      public protocol Store {
        func load()
      }
      public final class Box {}
      """
    #expect(
      PublicSymbols.symbols(in: text) == [
        "Log", "Log.days", "Log.Kind", "Log.init", "Log.add", "Log.read", "Store", "Store.load",
        "Box",
      ])
  }
}
