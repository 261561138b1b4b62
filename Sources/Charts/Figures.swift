/// Numbers as text, the same in every locale.
package enum Figures {
  /// `value` with `places` (0 to 6) digits after the point; “–” where it is not finite.
  package static func fixed(_ value: Double, _ places: Int) -> String {
    guard value.isFinite else { return "–" }
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    guard abs(value) * scale < 0x1p62 else { return value.description }
    let scaled = Int((abs(value) * scale).rounded())
    let sign = value < 0 && scaled != 0 ? "-" : ""
    guard places > 0 else { return sign + String(scaled) }
    let rest = String(scaled % Int(scale))
    return "\(sign)\(scaled / Int(scale))."
      + String(repeating: "0", count: places - rest.utf8.count) + rest
  }

  /// A coordinate: at most one digit after the point, none where it is 0.
  package static func coordinate(_ value: Double) -> String {
    let text = fixed(value, 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// About three significant digits, without trailing zeros.
  package static func short(_ value: Double) -> String {
    let size = abs(value)
    var text = fixed(value, size >= 100 ? 0 : size >= 10 ? 1 : 2)
    guard text.contains(".") else { return text }
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// A size as people write it: 2M, 500k, 36.
  package static func compact(_ value: Double) -> String {
    switch abs(value) {
    case 1e9...: short(value / 1e9) + "G"
    case 1e6...: short(value / 1e6) + "M"
    case 1e4...: short(value / 1e3) + "k"
    default: short(value)
    }
  }
}
