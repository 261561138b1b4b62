internal import DayLog

/// What the terminal of this process can show.
struct Display: Sendable {
  /// Whether it knows characters beyond ASCII: the locale says so, or nothing about it.
  private let isUnicode: Bool
  private let mayColour: Bool
  /// A width and a height that the person set.
  private let columns: Int?
  private let lines: Int?

  init(environment: [String: String]) {
    func set(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let locale = set("LC_ALL") ?? set("LC_CTYPE") ?? set("LANG")
    isUnicode =
      locale.map { name in
        let name = name.lowercased()
        return name.contains("utf-8") || name.contains("utf8")
      } ?? true
    mayColour = set("NO_COLOR") == nil && set("TERM") != "dumb"
    columns = set("COLUMNS").flatMap(Int.init).flatMap { $0 >= 20 ? $0 : nil }
    lines = set("LINES").flatMap(Int.init).flatMap { $0 > 1 ? $0 : nil }
  }

  /// How many lines a terminal shows at once.
  func height(of file: FileDescriptor) -> Int { file.height ?? lines ?? 24 }

  /// How many columns there are for a line; nil where nobody watches.
  func width(of file: FileDescriptor) -> Int? {
    guard file.isTerminal else { return columns }
    return file.width ?? columns ?? 80
  }

  /// Text as it is written to a file: harmless, in lines that fit, in colour where that is wanted and with plain
  /// quotes where the terminal has no others.
  func rendered(_ text: String, on file: FileDescriptor) -> String {
    let folded = width(of: file).map { TextWidth.folded(text, $0) } ?? text
    return Style.rendered(folded, isColoured: mayColour && file.isTerminal) { part in
      let harmless = Harmless.lines(part)
      return isUnicode ? harmless : Self.plain(harmless)
    }
  }

  private static func plain(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    return text.reduce(into: "") { plain, character in
      switch character {
      case "“", "”": plain += "\""
      case "‘", "’": plain += "'"
      case "–", "—", "−": plain += "-"
      case "×": plain += "x"
      case "…": plain += "..."
      case "°": plain += ""
      case "²": plain += "2"
      case "·": plain += "*"
      case "λ": plain += "lambda"
      default: plain.append(character)
      }
    }
  }
}
