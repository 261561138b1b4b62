/// What a cell holds, as it is written.
enum CellForm: Equatable {
  case missing
  /// Digits and marks, with the unit behind them where there is one: `1,234.5`, `22 %`, `160.5 lb`.
  case number(Substring, Unit?)
  /// `7:32` or `7:32:10`: a length of time or a time of day, in seconds.
  case clock(Int)
  /// `2h 5m`, in seconds.
  case duration(Double)
  /// `7/10`, `120/80`.
  case pair(Substring, Substring)
  case boolean(Bool)
  /// So many stars.
  case stars(Int)
  case text

  init(_ text: String) {
    let cell = Self.trimmed(text[...])
    guard let first = cell.first else {
      self = .missing
      return
    }
    let lowered = cell.lowercased()
    if Self.missingWords.contains(lowered) {
      self = .missing
    } else if Self.isNumber(cell) {
      self = .number(cell, nil)
    } else if let yes = Self.booleans[lowered] {
      self = .boolean(yes)
    } else if let seconds = Self.clock(cell) {
      self = .clock(seconds)
    } else if let seconds = Self.duration(lowered) {
      self = .duration(seconds)
    } else if let pounds = Self.stones(lowered) {
      self = .number(Substring(String(pounds)), .pound)
    } else if let pair = Self.pair(cell) {
      self = .pair(pair.0, pair.1)
    } else if let stars = Self.stars(cell) {
      self = .stars(stars)
    } else if first.isNumber || first == "-" || first == "+" || first == "\u{2212}",
      let split = Self.quantity(cell)
    {
      self = .number(split.0, split.1)
    } else {
      self = .text
    }
  }

  /// Whether a number can be read from it.
  var isValue: Bool {
    switch self {
    case .missing, .text: false
    default: true
    }
  }

  private static let missingWords: Set = [
    "na", "n/a", "nan", "null", "none", "-", "--", "–", "—", "?", "nil", "missing",
  ]

  private static let booleans: [String: Bool] = {
    var words: [String: Bool] = [:]
    for word in [
      "yes", "true", "x", "y", "ja", "oui", "si", "sí", "sim", "да", "✓", "✔", "✔️", "☑", "wahr",
      "on", "done", "t",
    ] { words[word] = true }
    for word in [
      "no", "false", "n", "nein", "non", "não", "нет", "✗", "✘", "❌", "☐", "falsch", "off", "f",
    ] { words[word] = false }
    words["✅"] = true
    return words
  }()

  static func trimmed(_ text: Substring) -> Substring {
    func isSpace(_ character: Character) -> Bool {
      character.isWhitespace || character == "\u{FEFF}"
    }
    var cell = text.drop(while: isSpace)
    while let last = cell.last, isSpace(last) { cell.removeLast() }
    return cell
  }

  /// Digits with marks and spaces that group them, a sign before and an exponent after.
  private static func isNumber(_ text: Substring) -> Bool {
    var digits = 0
    var isExponent = false
    for (index, character) in text.enumerated() {
      if let byte = character.asciiValue {
        switch byte {
        case 48...57: digits += 1
        case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: "'"), 32:
          guard !isExponent, index > 0 || byte != 32 else { return false }
        case UInt8(ascii: "-"), UInt8(ascii: "+"):
          guard index == 0 || isExponent else { return false }
        case UInt8(ascii: "e"), UInt8(ascii: "E"):
          guard digits > 0, !isExponent else { return false }
          isExponent = true
        default: return false
        }
      } else {
        guard ["\u{A0}", "\u{202F}", "\u{2009}", "\u{2212}", "\u{2019}"].contains(character) else {
          return false
        }
      }
    }
    return digits > 0
  }

  /// A number and the unit behind or a sign before it.
  private static func quantity(_ text: Substring) -> (Substring, Unit)? {
    guard let end = text.lastIndex(where: \.isNumber) else { return nil }
    let number = text[...end]
    // An exponent in a unit, such as `m2`, is none of ours.
    let unit = trimmed(text[text.index(after: end)...])
    guard isNumber(number), let named = Unit(unit) else { return nil }
    return (number, named)
  }

  private static func clock(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let hours = whole(parts[0], 1...3),
      let minutes = whole(parts[1], 2...2), minutes < 60
    else { return nil }
    var seconds = 0
    if parts.count == 3 {
      guard let last = whole(parts[2].prefix { $0 != "." }, 2...2), last < 60 else { return nil }
      seconds = last
    }
    return hours * 3600 + minutes * 60 + seconds
  }

  private static func whole(_ text: Substring, _ length: ClosedRange<Int>) -> Int? {
    guard length.contains(text.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return Int(text)
  }

  /// Numbers with units of time, the largest first, or `PT7H32M`.
  private static func duration(_ text: String) -> Double? {
    var rest = text[...]
    if rest.hasPrefix("pt") { rest = rest.dropFirst(2) }
    var total = 0.0
    var last = Double.infinity
    var count = 0
    while !rest.isEmpty {
      rest = trimmed(rest)
      let digits = rest.prefix { $0.isNumber || $0 == "." || $0 == "," }
      guard let value = Double(digits.replacing(",", with: ".")) else { return nil }
      rest = trimmed(rest.dropFirst(digits.count))
      let word = rest.prefix { $0.isLetter || $0 == "." }
      rest = rest.dropFirst(word.count)
      if rest.first == "," { rest = rest.dropFirst() }
      let size: Double
      if word.isEmpty, rest.isEmpty, last == 3600 {
        size = 60  // "7h32"
      } else if let unit = Unit(word == "m" ? "min" : word),
        let seconds = unit.convert(1, to: .second)
      {
        size = seconds
      } else if ["d", "day", "days"].contains(word) {
        size = 86_400
      } else if word == "u" {
        size = 3600
      } else {
        return nil
      }
      guard size < last else { return nil }
      total += value * size
      last = size
      count += 1
      if rest.hasPrefix(" and ") { rest = rest.dropFirst(5) }
    }
    return count > 0 ? total : nil
  }

  /// Whole stones and whole pounds, in pounds: `11 st 6 lb`.
  private static func stones(_ text: String) -> Int? {
    var rest = text[...]
    func take(_ units: Set<String>) -> Int? {
      let number = rest.prefix(while: \.isNumber)
      rest = trimmed(rest.dropFirst(number.count))
      let unit = rest.prefix(while: \.isLetter)
      rest = trimmed(rest.dropFirst(unit.count).drop { $0 == "," })
      return units.contains(String(unit)) ? whole(number, 1...3) : nil
    }
    guard let stones = take(["st", "stone", "stones"]),
      let pounds = take(["lb", "lbs", "pound", "pounds"]), rest.isEmpty
    else { return nil }
    return stones * 14 + pounds
  }

  private static func pair(_ text: Substring) -> (Substring, Substring)? {
    var body = text
    for word in [" points", " points)", " pts", " mmhg", " mmHg"] where body.hasSuffix(word) {
      body = body.dropLast(word.count)
    }
    var parts = body.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 1, let range = body.firstRange(of: " out of ") ?? body.firstRange(of: " of ")
    {
      parts = [body[..<range.lowerBound], body[range.upperBound...]]
    }
    guard parts.count == 2 else { return nil }
    let (left, right) = (trimmed(parts[0]), trimmed(parts[1]))
    guard isNumber(left), isNumber(right) else { return nil }
    return (left, right)
  }

  private static func stars(_ text: Substring) -> Int? {
    let full: Set<Character> = ["★", "⭐", "*", "🌟", "⭐️"]
    let empty: Set<Character> = ["☆", "✩"]
    var count = 0
    for character in text {
      if full.contains(character) {
        count += 1
      } else if !empty.contains(character), character != " " {
        return nil
      }
    }
    return count
  }
}
