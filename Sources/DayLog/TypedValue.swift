/// A value as people type it: `7`, `7,5`, `7:30`, `yes`, `80kg`, `176lb`.
package enum TypedValue {
  /// Why a text is no value. It tells nothing of the text.
  package enum Failure: Error, Hashable, Sendable {
    /// It is no number, nor any other way to write a value.
    case noNumber(Metric)
    /// A comma before three digits may divide thousands or decimals.
    case ambiguousComma(Metric)
    /// The unit is not one of the metric.
    case wrongUnit(Metric)
    /// The metric cannot have such a value; what it can have.
    case impossible(Metric, ClosedRange<Double>)
  }

  /// The value in the metric's own unit, within its bounds of the possible.
  ///
  /// Clock-like texts are hours, of a metric in minutes minutes. A unit is converted where it is one of the same
  /// quantity. A metric without a unit takes numbers, and yes and no for 1 and 0.
  package static func read(
    _ text: some StringProtocol, for metric: Metric
  ) throws(Failure) -> Double {
    let text = text.lowercased().filter { $0 != " " }
    let value = try value(text, for: metric)
    guard value.isFinite else { throw .noNumber(metric) }
    if let possible = metric.possible, !possible.contains(value) {
      throw .impossible(metric, possible)
    }
    return value
  }

  private static func value(_ text: String, for metric: Metric) throws(Failure) -> Double {
    switch text {
    case "yes", "true", "y": return 1
    case "no", "false", "n": return 0
    default: break
    }
    if let hours = hours(text) {
      guard metric.unit == nil || metric.unit == "h" || metric.unit == "min" else {
        throw .wrongUnit(metric)
      }
      return metric.unit == "min" ? hours * 60 : hours
    }
    let digits = text.prefix { $0.isASCII && ($0.isNumber || ".,+-".contains($0)) }
    // The exponent of a number is no unit.
    if let number = Double(text) {
      guard number.isFinite, digits.count == text.count || text.contains("e") else {
        throw .noNumber(metric)
      }
      return number
    }
    guard let number = try number(String(digits), metric) else { throw .noNumber(metric) }
    let unit = String(text[digits.endIndex...])
    if unit.isEmpty { return number }
    guard let own = metric.unit, let factor = factors[own]?[unit] else { throw .wrongUnit(metric) }
    return number * factor
  }

  /// A decimal number with a point or a comma.
  private static func number(_ text: String, _ metric: Metric) throws(Failure) -> Double? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, !text.contains(".") else { return Double(text) }
    if parts[1].count == 3, parts[0] != "0", parts[0] != "-0" { throw .ambiguousComma(metric) }
    return Double(parts[0] + "." + parts[1])
  }

  /// `7:30`, `7h30`, `7h30m` and `7h30min` in hours; nil for any other text.
  private static func hours(_ text: String) -> Double? {
    var text = text
    for ending in ["min", "m"] where text.contains("h") && text.hasSuffix(ending) {
      text.removeLast(ending.count)
      break
    }
    let parts = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "h" }
    guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
      parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
      let hours = Int(parts[0]),
      let minutes = Int(parts[1]), minutes < 60
    else { return nil }
    return Double(hours) + Double(minutes) / 60
  }

  /// By the unit that a metric has: the units that are read, and what each is in it.
  private static let factors: [String: [String: Double]] = [
    "kg": ["kg": 1, "g": 0.001, "lb": 0.45359237, "lbs": 0.45359237, "st": 6.35029318],
    "h": ["h": 1, "hr": 1, "hrs": 1, "hours": 1, "min": 1.0 / 60, "m": 1.0 / 60, "s": 1.0 / 3600],
    "min": ["min": 1, "mins": 1, "m": 1, "minutes": 1, "h": 60, "hr": 60, "s": 1.0 / 60],
    "ms": ["ms": 1, "s": 1000], "1/min": ["1/min": 1, "bpm": 1, "/min": 1],
    "kcal": ["kcal": 1, "cal": 1, "kj": 1 / 4.184], "km": ["km": 1, "m": 0.001, "mi": 1.609344],
    "count": ["steps": 1, "count": 1], "%": ["%": 1], "°C": ["c": 1, "°c": 1],
    "mmHg": ["mmhg": 1], "kg/m²": [:], "mL/(kg·min)": [:],
  ]
}

extension TypedValue.Failure: CustomStringConvertible {
  /// One sentence: what is wrong, and how a value is written.
  package var description: String {
    switch self {
    case .noNumber(let metric):
      "the value of \(metric) is not a number: write it like 7, 7.5, 7:30, yes or 80kg"
    case .ambiguousComma(let metric):
      "the comma in the value of \(metric) may divide thousands or decimals: write it with a point, or without"
    case .wrongUnit(let metric):
      metric.unit.map {
        "the value of \(metric) has a unit that is none of its own: write it in \($0)"
      }
        ?? "\(metric) has no unit: write the number alone"
    case .impossible(let metric, let possible):
      "\(metric) cannot have that value: it lies between \(JSON.text(possible.lowerBound)) and \(JSON.text(possible.upperBound))"
        + (metric.unit.map { " " + $0 } ?? "")
    }
  }
}
