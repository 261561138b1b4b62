/// Numbers as text: `12`, `-3.5`, `+4e-2`; no spaces, no grouping, no infinity, no hexadecimal.
enum DecimalText {
  /// The number that all of `bytes` writes, correctly rounded; nil for anything else.
  ///
  /// - Complexity: up to 19 digits and exponents to 22 cost one multiplication or division, which is
  ///   exact (W. Clinger, *How to read floating point numbers accurately*, 1990); others go through
  ///   the standard library.
  static func number(_ bytes: Span<UInt8>, mark: UInt8 = UInt8(ascii: ".")) -> Double? {
    var at = 0
    let count = bytes.count
    guard count > 0 else { return nil }
    let isNegative = bytes[0] == UInt8(ascii: "-")
    if isNegative || bytes[0] == UInt8(ascii: "+") { at = 1 }
    var mantissa: UInt64 = 0
    var exponent = 0
    var digits = 0
    var fits = true
    var afterMark = false
    while at < count {
      let byte = bytes[at]
      let digit = byte &- UInt8(ascii: "0")
      if digit <= 9 {
        digits += 1
        if mantissa < 900_000_000_000_000_000 {
          mantissa = mantissa &* 10 &+ UInt64(digit)
          if afterMark { exponent -= 1 }
        } else {
          fits = false
        }
      } else if byte == mark, !afterMark {
        afterMark = true
      } else {
        break
      }
      at += 1
    }
    guard digits > 0 else { return nil }
    if at < count {
      guard bytes[at] | 0x20 == UInt8(ascii: "e"), let written = power(bytes, from: at + 1) else {
        return nil
      }
      exponent += written
    }
    guard fits, mantissa < 1 << 53, (-22...22).contains(exponent) else {
      return slow(bytes, mark: mark)
    }
    let magnitude =
      exponent < 0
      ? Double(mantissa) / powers[-exponent] : Double(mantissa) * powers[exponent]
    return isNegative ? -magnitude : magnitude
  }

  /// 1 to 10^22, each exact in a `Double`.
  private static let powers: [Double] = {
    var powers = [1.0]
    for _ in 0..<22 { powers.append(powers[powers.count - 1] * 10) }
    return powers
  }()

  private static func power(_ bytes: Span<UInt8>, from start: Int) -> Int? {
    var at = start
    guard at < bytes.count else { return nil }
    let isNegative = bytes[at] == UInt8(ascii: "-")
    if isNegative || bytes[at] == UInt8(ascii: "+") { at += 1 }
    guard at < bytes.count else { return nil }
    var value = 0
    while at < bytes.count {
      let digit = bytes[at] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      value = min(value * 10 + Int(digit), 100_000)
      at += 1
    }
    return isNegative ? -value : value
  }

  /// The rare ones; the shape is known to be right. Beyond the range of `Double` there is no number.
  private static func slow(_ bytes: Span<UInt8>, mark: UInt8) -> Double? {
    var text = ""
    for index in bytes.indices {
      let byte = bytes[index] == mark ? UInt8(ascii: ".") : bytes[index]
      text.unicodeScalars.append(Unicode.Scalar(byte))
    }
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }
}
