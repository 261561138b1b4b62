/// How a file writes numbers: its decimal mark and what groups digits, decided from all of it and never from a cell.
struct NumberStyle: Equatable, Sendable {
  /// `.` or `,`.
  var decimal: UInt8 = point

  static let point = UInt8(ascii: ".")
  static let comma = UInt8(ascii: ",")

  /// The number that all of a text writes; nil for anything else.
  func number(_ bytes: Span<UInt8>) -> Double? {
    if let plain = DecimalText.number(bytes, mark: decimal) { return plain }
    guard bytes.count <= 40 else { return nil }
    var text: [UInt8] = []
    for index in bytes.indices { text.append(bytes[index]) }
    return grouped(String(decoding: text, as: UTF8.self))
  }

  func number(_ text: String) -> Double? {
    let bytes = ContiguousArray(text.utf8)
    return number(bytes.span)
  }

  /// A number whose digits are grouped in threes, or whose sign is a typeset one.
  private func grouped(_ text: String) -> Double? {
    let other = decimal == Self.point ? "," : "."
    let body = text.replacing("\u{2212}", with: "-")
    var digits: [UInt8] = []
    var group = 0
    var isGrouped = false
    var isFraction = false
    var mark: Character?
    for (index, character) in body.enumerated() {
      if let ascii = character.asciiValue, (48...57).contains(ascii) {
        digits.append(ascii)
        group += 1
      } else if character == "-" || character == "+" {
        guard index == 0 else { return nil }
        digits.append(character == "-" ? UInt8(ascii: "-") : UInt8(ascii: "+"))
      } else if character.asciiValue == decimal, !isFraction {
        guard !isGrouped || group == 3 else { return nil }
        isFraction = true
        digits.append(Self.point)
      } else if !isFraction, String(character) == other || Self.spaces.contains(character) {
        // One mark groups all of a number.
        guard isGrouped ? group == 3 : (1...3).contains(group), mark ?? character == character
        else { return nil }
        (isGrouped, group, mark) = (true, 0, character)
      } else {
        return nil
      }
    }
    guard isFraction || !isGrouped || group == 3 else { return nil }
    let bytes = ContiguousArray(digits)
    return DecimalText.number(bytes.span)
  }

  private static let spaces: Set<Character> = [
    " ", "\u{A0}", "\u{202F}", "\u{2009}", "'", "\u{2019}",
  ]
}

/// What the cells of a file tell of its marks.
struct MarkCensus {
  /// The first rows in which a mark can only be one of decimals, or only one that groups.
  private(set) var decimalPoint: Int?
  private(set) var decimalComma: Int?
  private var groupPoint: Int?
  private var groupComma: Int?
  /// Cells of which a known metric tells that their mark groups, or that it divides.
  private var grouping = 0
  private var dividing = 0
  /// The first row with a mark that could be either, and which mark.
  private(set) var open: (row: Int, mark: UInt8)?

  /// Takes in a cell; `rule` is what is known of its column.
  mutating func add(_ text: Substring, row: Int, rule: MetricRule?) {
    let bytes = Array(text.utf8)
    let points = bytes.count { $0 == NumberStyle.point }
    let commas = bytes.count { $0 == NumberStyle.comma }
    guard points + commas > 0 else { return }
    if points > 0, commas > 0 {
      let isPointLast =
        bytes.lastIndex(of: NumberStyle.point) ?? 0 > bytes.lastIndex(of: NumberStyle.comma) ?? 0
      if isPointLast { note(&decimalPoint, row) } else { note(&decimalComma, row) }
      return
    }
    let mark = points > 0 ? NumberStyle.point : NumberStyle.comma
    if points + commas > 1 {
      if mark == NumberStyle.point { note(&groupPoint, row) } else { note(&groupComma, row) }
      return
    }
    let digits = bytes.split(separator: mark, omittingEmptySubsequences: false)
    let before = digits[0].drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    let isEither =
      digits[1].count == 3 && (1...3).contains(before.count) && before.first != UInt8(ascii: "0")
    guard isEither else {
      if mark == NumberStyle.point { note(&decimalPoint, row) } else { note(&decimalComma, row) }
      return
    }
    if open == nil { open = (row, mark) }
    let divided = ContiguousArray(bytes)
    guard let rule, let value = DecimalText.number(divided.span, mark: mark) else { return }
    if rule.isWhole, value != value.rounded() {
      grouping += 1
    } else if let range = rule.range {
      switch (range.contains(value), range.contains(value * 1000)) {
      case (true, false): dividing += 1
      case (false, true): grouping += 1
      default: break
      }
    }
  }

  private func note(_ place: inout Int?, _ row: Int) { place = place ?? row }

  /// The style of a file, or why it has none.
  ///
  /// - Parameter separator: between cells: where it is a comma, numbers have a point.
  func style(separator: UInt8) -> Result<NumberStyle, Doubt> {
    let (point, comma) = (
      NumberStyle(decimal: NumberStyle.point), NumberStyle(decimal: NumberStyle.comma)
    )
    let forPoint = [decimalPoint, groupComma].compactMap { $0 }.min()
    let forComma = [decimalComma, groupPoint].compactMap { $0 }.min()
    switch (forPoint, forComma) {
    case (let one?, let other?): return .failure(.mixed(row: max(one, other)))
    case (_?, nil): return .success(point)
    case (nil, _?): return .success(comma)
    case (nil, nil): break
    }
    guard let open else { return .success(point) }
    let isPoint = open.mark == NumberStyle.point
    if grouping > 0, dividing == 0 { return .success(isPoint ? comma : point) }
    if dividing > 0, grouping == 0 { return .success(isPoint ? point : comma) }
    if separator == NumberStyle.comma, grouping == 0 { return .success(point) }
    return .failure(.open(row: open.row))
  }

  /// The style of a table: the one asked for, else the one that its cells tell.
  ///
  /// - Throws: `.mixedDecimalMarks` and `.openDecimalMark`, at the row that leaves it open.
  func style(
    of table: CSVTable, _ options: ImportOptions, file: String
  ) throws(ImportError) -> NumberStyle {
    if let decimal = options.decimal {
      return NumberStyle(decimal: decimal == "," ? NumberStyle.comma : NumberStyle.point)
    }
    switch style(separator: table.separator) {
    case .success(let found): return found
    case .failure(.mixed(let row)):
      throw ImportError(file: file, place: .line(table.line(row)), .mixedDecimalMarks)
    case .failure(.open(let row)):
      throw ImportError(file: file, place: .line(table.line(row)), .openDecimalMark)
    }
  }

  enum Doubt: Error {
    /// Some cells have a decimal point and some a decimal comma.
    case mixed(row: Int)
    /// Every mark could divide or group.
    case open(row: Int)
  }
}
