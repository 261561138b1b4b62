internal import Personalisation

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The parts of a forecast as lines whose written numbers add up to the last one, to the last digit.
struct ContributionSum {
  let lines: [(name: String, value: String)]
  /// How many digits stand after the point.
  let places: Int

  /// - Parameter shown: how many features are named; the others are one line.
  init(_ prediction: Prediction, shown: Int) {
    let isBinary = prediction.target.isBinary
    func odds(_ probability: Double) -> Double { log(probability / (1 - probability)) }
    let forecast = isBinary ? odds(prediction.value) : prediction.value
    let plain = isBinary ? odds(prediction.model) : prediction.model
    let places = Self.places(beside: prediction.intercept)
    let scale = (0..<places).reduce(1.0) { product, _ in product * 10 }
    func whole(_ value: Double) -> Double { (value * scale).rounded() }
    func signed(_ value: Double) -> String { Self.signed(value / scale, places) }

    let ordered = prediction.contributions.sorted { abs($0.value) > abs($1.value) }
    var lines = [("an average day", signed(whole(prediction.intercept)))]
    var sum = whole(prediction.intercept)
    for part in ordered.prefix(shown) {
      lines.append((part.name, signed(whole(part.value))))
      sum += whole(part.value)
    }
    // What is left of rounding goes to the line of many.
    let rest = whole(plain) - sum
    if ordered.count > shown {
      lines.append(("\(ordered.count - shown) others together", signed(rest)))
    }
    let before = ordered.count > shown ? whole(plain) : sum
    lines.append(("the other regressions and the rules", signed(whole(forecast) - before)))
    lines.append(("the forecast", Decimal.fixed(whole(forecast) / scale, places)))
    self.lines = lines
    self.places = places
  }

  static func signed(_ value: Double, _ places: Int) -> String {
    (value >= 0 ? "+" : "") + Decimal.fixed(value, places)
  }

  /// How many decimal places say enough beside a number of this size.
  private static func places(beside value: Double) -> Int {
    switch abs(value) {
    case 1000...: 0
    case 100...: 1
    case 10...: 2
    default: 3
    }
  }
}
