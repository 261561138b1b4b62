/// Text from outside, made so that it can do nothing but be read: the one place that decides how.
///
/// Names, paths, units, headers and ids come from files and from other devices. On their way out they may neither
/// move a terminal's cursor, turn the direction of the words around them, hide, nor begin a line or a formula of
/// their own. What could is written as JSON writes it, such as `\u001b`; all else, letters of every script
/// among it, stays as it is.
package enum Harmless {
  /// The text as a part of one line: line ends and tabs are written out too.
  package static func line(_ text: some StringProtocol) -> String {
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return String(text) }
    return text.unicodeScalars.reduce(into: "") { line, scalar in
      switch scalar {
      case "\n": line += "\\n"
      case "\r": line += "\\r"
      case "\t": line += "\\t"
      default: append(scalar, to: &line)
      }
    }
  }

  /// The text as lines: line ends and tabs stay.
  package static func lines(_ text: some StringProtocol) -> String {
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 9 || $0 == 10 }) {
      return String(text)
    }
    return text.unicodeScalars.reduce(into: "") { lines, scalar in
      if scalar == "\n" || scalar == "\t" {
        lines.unicodeScalars.append(scalar)
      } else {
        append(scalar, to: &lines)
      }
    }
  }

  /// The text as a cell of a CSV table: in quotes where it has to be, and behind an apostrophe where a spreadsheet
  /// would take it for a formula.
  package static func cell(_ text: some StringProtocol) -> String {
    var cell = line(text)
    if let first = cell.first(where: { $0 != " " }), "=+-@".contains(first) { cell = "'" + cell }
    guard
      cell.contains(where: { ",;\"".contains($0) }) || cell.hasPrefix(" ") || cell.hasSuffix(" ")
    else { return cell }
    return "\"" + cell.replacing("\"", with: "\"\"") + "\""
  }

  /// The text as content of XML and HTML, or of an attribute in double quotes, as lines.
  package static func markup(_ text: some StringProtocol) -> String {
    lines(text).reduce(into: "") { markup, character in
      switch character {
      case "&": markup += "&amp;"
      case "<": markup += "&lt;"
      case ">": markup += "&gt;"
      case "\"": markup += "&quot;"
      default: markup.append(character)
      }
    }
  }

  /// Whether a character does something else than stand for itself: it controls, turns, separates lines, or
  /// cannot be seen.
  static func isActive(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x7F { return scalar.value < 0x20 }
    // Makes an emoji of the sign before it, and nothing else.
    if scalar == "\u{FE0F}" { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
      return true
    default: return scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  /// Appends a character as it is, or as JSON writes it.
  private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
    guard isActive(scalar) else {
      text.unicodeScalars.append(scalar)
      return
    }
    text += escaped(scalar)
  }

  /// The character as one or two units of UTF-16, as JSON writes them.
  static func escaped(_ scalar: Unicode.Scalar) -> String {
    UTF16.encode(scalar).map { units in
      units.reduce(into: "") { text, unit in
        let digits = String(unit, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    } ?? ""
  }
}
