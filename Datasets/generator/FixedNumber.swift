/// A number with so many decimals, held as its digits: parts of it add up to it exactly.
struct FixedNumber: Equatable, CustomStringConvertible {
  /// The number times ten to the power of ``decimals``.
  let digits: Int
  let decimals: Int

  init(digits: Int, decimals: Int) {
    self.digits = digits
    self.decimals = decimals
  }

  init(rounding value: Double, decimals: Int) {
    let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
    self.init(digits: Int((value * Double(scale)).rounded()), decimals: decimals)
  }

  /// The same number with more decimals.
  func widened(to more: Int) -> FixedNumber {
    FixedNumber(
      digits: (decimals..<more).reduce(digits) { digits, _ in digits * 10 }, decimals: more)
  }

  /// As decimal digits with a point, never with an exponent.
  var description: String {
    guard decimals > 0 else { return String(digits) }
    let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
    let fraction = String(digits % scale)
    let zeros = String(repeating: "0", count: decimals - fraction.count)
    return "\(digits / scale).\(zeros)\(fraction)"
  }
}
