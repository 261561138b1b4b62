/// How wide text is on a terminal, and text in lines that fit one.
enum TextWidth {
  /// The columns that a text takes: two for a character of East Asia or an emoji, none for a mark on the one before.
  static func columns(_ text: some StringProtocol) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + columns($1) }
  }

  private static func columns(_ character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    if Style.isMark(scalar) { return 0 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: break
    }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default: return scalar.properties.isEmojiPresentation ? 2 : 1
    }
  }

  /// The words of a line in lines of at most so many columns; a word that is longer stands alone.
  static func wrapped(_ line: some StringProtocol, _ width: Int) -> [String] {
    var lines: [String] = []
    var current: String?
    for word in line.split(separator: " ", omittingEmptySubsequences: false) {
      if let held = current, columns(held) + 1 + columns(word) <= width {
        current = held + " " + word
      } else {
        if let held = current { lines.append(held) }
        current = String(word)
      }
    }
    return lines + [current ?? ""]
  }

  /// Paragraphs set anew in lines of so many columns: lines that follow one another are one paragraph, those that begin with
  /// a blank or a brace stay as they are.
  static func reflowed(_ text: String, _ width: Int) -> String {
    var lines: [String] = []
    var paragraph: [Substring] = []
    func end() {
      if !paragraph.isEmpty { lines += wrapped(paragraph.joined(separator: " "), width) }
      paragraph = []
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty || line.hasPrefix(" ") || line.hasPrefix("{") {
        end()
        lines.append(String(line))
      } else {
        paragraph.append(line)
      }
    }
    end()
    return lines.joined(separator: "\n")
  }

  /// Lines that are too long in several, those that follow two columns further in than the first.
  static func folded(_ text: String, _ width: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard columns(line) > width else { return String(line) }
      let indent = String(line.prefix { $0 == " " })
      let rest = wrapped(line.dropFirst(indent.count), max(20, width - indent.count - 2))
      return indent + rest.joined(separator: "\n" + indent + "  ")
    }.joined(separator: "\n")
  }
}

/// How words stand out on a terminal. Marks stand for it in text, and become colour only at the very end, where
/// the terminal has any.
enum Style {
  private static let bold: Unicode.Scalar = "\u{F0000}"
  private static let plain: Unicode.Scalar = "\u{F0001}"

  /// A heading of a table.
  static func heading(_ text: String) -> String { "\(bold)\(text)\(plain)" }

  static func isMark(_ scalar: Unicode.Scalar) -> Bool { scalar == bold || scalar == plain }

  /// The text with `escape` applied to all but the marks, and those as a terminal wants them, or gone.
  static func rendered(
    _ text: String, isColoured: Bool, escape: (Substring) -> String
  ) -> String {
    guard text.unicodeScalars.contains(where: isMark) else { return escape(text[...]) }
    var rendered = ""
    var rest = text[...]
    while let at = rest.unicodeScalars.firstIndex(where: isMark) {
      rendered += escape(rest[..<at])
      if isColoured { rendered += rest.unicodeScalars[at] == bold ? "\u{1B}[1m" : "\u{1B}[0m" }
      rest = rest[rest.unicodeScalars.index(after: at)...]
    }
    return rendered + escape(rest)
  }
}
