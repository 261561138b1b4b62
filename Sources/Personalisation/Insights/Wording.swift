/// Numbers in sentences.
enum Wording {
  /// About three significant digits.
  static func number(_ value: Double) -> String {
    guard value.isFinite else { return "–" }
    let size = abs(value)
    return decimal(value, places: size >= 100 ? 0 : size >= 10 ? 1 : 2)
  }

  /// A number with its unit, where it has one.
  static func quantity(_ value: Double, _ unit: String?) -> String {
    // A count needs no word for what it counts.
    guard let unit, unit != "count" else { return number(value) }
    return unit.hasPrefix("1/") ? number(value) + unit.dropFirst() : "\(number(value)) \(unit)"
  }

  /// A share as a whole percentage.
  static func percent(_ share: Double) -> String {
    guard share.isFinite else { return "–" }
    return decimal(100 * share, places: 0) + " %"
  }

  private static func decimal(_ value: Double, places: Int) -> String {
    let scale = [1.0, 10, 100][places]
    guard abs(value) * scale < 0x1p62 else { return value.description }
    let scaled = Int((abs(value) * scale).rounded())
    let sign = value < 0 && scaled != 0 ? "-" : ""
    let (whole, rest) = (scaled / Int(scale), scaled % Int(scale))
    guard places > 0, rest != 0 else { return sign + String(whole) }
    var digits = String(rest)
    while digits.utf8.count < places { digits = "0" + digits }
    while digits.last == "0" { digits.removeLast() }
    return "\(sign)\(whole).\(digits)"
  }
}
