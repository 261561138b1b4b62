/// Text from outside, made harmless for HTML and SVG.
package enum Markup {
  /// `text` as element content or inside a quoted attribute.
  ///
  /// The five characters of markup become references. Characters that cannot be seen but change what is seen
  /// (control characters, direction overrides, zero-width characters) become U+FFFD, so that no name can hide or
  /// reorder its neighbours; line breaks and tabs become spaces.
  package static func escaped(_ text: some StringProtocol) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\n", "\r", "\t": result += " "
      default:
        if isInvisible(scalar) {
          result += "\u{FFFD}"
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      true
    default: false
    }
  }
}
