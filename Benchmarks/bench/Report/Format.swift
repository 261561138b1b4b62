/// Numbers as people read them.
enum Format {
  /// With this many digits after the point.
  static func fixed(_ value: Double, _ digits: Int) -> String {
    guard value.isFinite else { return value.isNaN ? "-" : value < 0 ? "-inf" : "inf" }
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    guard abs(value) * scale < 9e15 else { return "\(value)" }
    let whole = Int64((abs(value) * scale).rounded())
    let sign = value < 0 && whole > 0 ? "-" : ""
    guard digits > 0 else { return sign + String(whole) }
    let unit = Int64(scale)
    let fraction = String(whole % unit)
    return sign + String(whole / unit) + "."
      + String(repeating: "0", count: digits - fraction.count) + fraction
  }

  /// With three digits that count.
  static func short(_ value: Double) -> String {
    switch abs(value) {
    case 99.95...: fixed(value, 0)
    case 9.995...: fixed(value, 1)
    default: fixed(value, 2)
    }
  }

  /// With no more digits than a number has that a person wrote.
  static func plain(_ value: Double) -> String {
    fixed(value, value == value.rounded() ? 0 : 1)
  }

  /// A time in the unit that suits it.
  static func time(seconds: Double) -> String {
    switch seconds {
    case 1...: short(seconds) + " s"
    case 1e-3...: short(seconds * 1e3) + " ms"
    default: short(seconds * 1e6) + " µs"
    }
  }

  /// Memory in the unit that suits it.
  static func memory(bytes: Double) -> String {
    switch bytes {
    case 1e9...: short(bytes / 1e9) + " GB"
    case 1e6...: short(bytes / 1e6) + " MB"
    default: short(bytes / 1e3) + " kB"
    }
  }

  /// A share as a percentage; very small ones as such.
  static func share(_ share: Double) -> String {
    let percent = share * 100
    return percent < 0.01 ? "<0.01 %" : short(percent) + " %"
  }

  /// A small number such as a relative error.
  static func tiny(_ value: Double) -> String {
    guard value.isFinite, value != 0 else { return value == 0 ? "0" : "-" }
    var exponent = 0
    var mantissa = abs(value)
    while mantissa < 1 {
      mantissa *= 10
      exponent -= 1
    }
    while mantissa >= 10 {
      mantissa /= 10
      exponent += 1
    }
    return (value < 0 ? "-" : "") + fixed(mantissa, 1) + "e" + String(exponent)
  }
}
