internal import DayLog
import Time

/// A way of writing dates that a person or a known table names.
///
/// Letters as in Unicode's date patterns: `yyyy`, `yy` (2000 to 2099), `MM`, `M`, `MMM` (English),
/// `dd`, `d`, `HH`, `H`, `hh`, `h`, `mm`, `ss`, `a` (AM or PM); or `%Y %y %m %d %b %H %I %M %S %p`.
/// Anything else stands for itself.
struct DatePattern: Sendable {
  private let tokens: [Token]

  private enum Token: Equatable {
    /// A number of these many digits at least and at most.
    case number(Field, Int, Int)
    case monthName
    case half
    case literal(UInt8)
  }

  private enum Field: Int {
    case year, shortYear, month, day, hour, halfDayHour, minute, second
  }

  /// The pattern written so; nil where it names no year, month and day.
  init?(_ pattern: String) {
    let bytes = Array(pattern.utf8)
    var tokens: [Token] = []
    let isPercent = bytes.contains(UInt8(ascii: "%"))
    var at = 0
    while at < bytes.count {
      let byte = bytes[at]
      if isPercent {
        guard byte == UInt8(ascii: "%") else {
          tokens.append(.literal(byte))
          at += 1
          continue
        }
        guard at + 1 < bytes.count, let token = Self.percent(bytes[at + 1]) else { return nil }
        tokens.append(token)
        at += 2
      } else {
        var end = at + 1
        while end < bytes.count, bytes[end] == byte { end += 1 }
        if let token = Self.letter(byte, count: end - at) {
          tokens.append(token)
        } else if (65...90).contains(byte) || (97...122).contains(byte), byte != UInt8(ascii: "T") {
          return nil
        } else {
          tokens.append(contentsOf: repeatElement(.literal(byte), count: end - at))
        }
        at = end
      }
    }
    self.tokens = tokens
    let hasYear =
      tokens.contains(.number(.year, 4, 4)) || tokens.contains(.number(.shortYear, 2, 2))
    guard hasYear, holds(.month) || tokens.contains(.monthName), holds(.day) else { return nil }
  }

  /// The date that all of `bytes` writes in this way; nil where it does not.
  func read(_ bytes: Span<UInt8>) -> LocalTime? {
    var fields: [Int?] = Array(repeating: nil, count: 8)
    var isAfternoon: Bool?
    var at = 0
    for token in tokens {
      switch token {
      case .literal(let byte):
        guard at < bytes.count, bytes[at] == byte else { return nil }
        at += 1
      case .number(let field, let least, let most):
        var value = 0
        var digits = 0
        while at < bytes.count, digits < most, bytes[at] &- 48 <= 9 {
          value = value * 10 + Int(bytes[at] - 48)
          digits += 1
          at += 1
        }
        guard digits >= least else { return nil }
        fields[field.rawValue] = value
      case .monthName:
        guard let month = Self.month(bytes, at: at) else { return nil }
        fields[Field.month.rawValue] = month
        at += 3
      case .half:
        guard at + 2 <= bytes.count, bytes[at + 1] | 0x20 == UInt8(ascii: "m") else { return nil }
        switch bytes[at] | 0x20 {
        case UInt8(ascii: "a"): isAfternoon = false
        case UInt8(ascii: "p"): isAfternoon = true
        default: return nil
        }
        at += 2
      }
    }
    guard at == bytes.count else { return nil }
    return Self.time(fields, isAfternoon)
  }

  private static func time(_ fields: [Int?], _ isAfternoon: Bool?) -> LocalTime? {
    func field(_ field: Field) -> Int? { fields[field.rawValue] }
    guard let year = field(.year) ?? field(.shortYear).map({ 2000 + $0 }),
      let month = field(.month), let dayOfMonth = field(.day),
      let day = CalendarDay(year: year, month: month, day: dayOfMonth)
    else { return nil }
    var hour = field(.hour)
    if let half = field(.halfDayHour) {
      guard (1...12).contains(half), let isAfternoon else { return nil }
      hour = half % 12 + (isAfternoon ? 12 : 0)
    }
    guard let hour else { return LocalTime(day: day, second: nil, offset: nil) }
    let minute = field(.minute) ?? 0
    let second = field(.second) ?? 0
    guard hour < 24, minute < 60, second < 60 else { return nil }
    return LocalTime(day: day, second: hour * 3600 + minute * 60 + second, offset: nil)
  }

  private func holds(_ field: Field) -> Bool {
    tokens.contains {
      if case .number(field, _, _) = $0 { true } else { false }
    }
  }

  private static func letter(_ byte: UInt8, count: Int) -> Token? {
    switch (byte, count) {
    case (UInt8(ascii: "y"), 4): .number(.year, 4, 4)
    case (UInt8(ascii: "y"), 2): .number(.shortYear, 2, 2)
    case (UInt8(ascii: "M"), 3): .monthName
    case (UInt8(ascii: "M"), 1...2): .number(.month, count, 2)
    case (UInt8(ascii: "d"), 1...2): .number(.day, count, 2)
    case (UInt8(ascii: "H"), 1...2): .number(.hour, count, 2)
    case (UInt8(ascii: "h"), 1...2): .number(.halfDayHour, count, 2)
    case (UInt8(ascii: "m"), 1...2): .number(.minute, count, 2)
    case (UInt8(ascii: "s"), 1...2): .number(.second, count, 2)
    case (UInt8(ascii: "a"), 1): .half
    default: nil
    }
  }

  private static func percent(_ byte: UInt8) -> Token? {
    switch byte {
    case UInt8(ascii: "Y"): .number(.year, 4, 4)
    case UInt8(ascii: "y"): .number(.shortYear, 2, 2)
    case UInt8(ascii: "m"): .number(.month, 1, 2)
    case UInt8(ascii: "d"): .number(.day, 1, 2)
    case UInt8(ascii: "b"): .monthName
    case UInt8(ascii: "H"): .number(.hour, 1, 2)
    case UInt8(ascii: "I"): .number(.halfDayHour, 1, 2)
    case UInt8(ascii: "M"): .number(.minute, 1, 2)
    case UInt8(ascii: "S"): .number(.second, 1, 2)
    case UInt8(ascii: "p"): .half
    case UInt8(ascii: "%"): .literal(byte)
    default: nil
    }
  }

  private static func month(_ bytes: Span<UInt8>, at start: Int) -> Int? {
    let names = Array("janfebmaraprmayjunjulaugsepoctnovdec".utf8)
    guard start + 3 <= bytes.count else { return nil }
    return (0..<12).first { month in
      (0..<3).allSatisfy { bytes[start + $0] | 0x20 == names[month * 3 + $0] }
    }.map { $0 + 1 }
  }
}
