internal import DayLog

/// Rows under a header, aligned for reading: text to the left, numbers to the right.
struct TextTable: Sendable {
  enum Alignment: Sendable { case left, right }

  private let header: [String]
  private let alignments: [Alignment]
  private var rows: [[String]] = []

  /// A table with these columns.
  init(_ columns: [(String, Alignment)]) {
    header = columns.map(\.0)
    alignments = columns.map(\.1)
  }

  /// Adds a row of as many cells as there are columns.
  mutating func add(_ cells: [String]) {
    precondition(cells.count == header.count, "a cell a column")
    rows.append(cells.map { Harmless.line($0) })
  }

  var isEmpty: Bool { rows.isEmpty }

  /// The table as lines, two blanks between columns, nothing behind the last cell of a line.
  var text: String { text(width: nil) }

  /// Whether it fits so many columns as it is.
  func fits(_ width: Int) -> Bool {
    let widths = header.indices.map { column in
      ([header] + rows).map { TextWidth.columns($0[column]) }.max() ?? 0
    }
    return widths.reduce(0, +) + 2 * (widths.count - 1) <= width
  }

  /// The table in lines of at most so many columns: as a table where it fits, with its last column of words in
  /// several lines where that is enough, else one row below the other.
  func text(width limit: Int?) -> String {
    let lines = [header] + rows
    let widths = header.indices.map { column in
      lines.map { TextWidth.columns($0[column]) }.max() ?? 0
    }
    let whole = widths.reduce(0, +) + 2 * (widths.count - 1)
    guard let limit, whole > limit else { return table(lines, widths, nil) }
    let last = whole - (widths.last ?? 0)
    let longest =
      lines.flatMap { ($0.last ?? "").split(separator: " ") }
      .map { TextWidth.columns($0) }.max() ?? 0
    if alignments.last == .left, limit - last >= max(Self.leastWords, longest) {
      return table(lines, widths, limit - last)
    }
    return stacked(limit)
  }

  /// How narrow a column of words may become before rows are set one below the other.
  private static let leastWords = 12

  private func table(_ lines: [[String]], _ widths: [Int], _ words: Int?) -> String {
    var text = ""
    for (row, cells) in lines.enumerated() {
      var line = ""
      let last = cells.count - 1
      for (column, cell) in cells.enumerated() {
        if column == last, words != nil { break }
        let gap = String(repeating: " ", count: max(0, widths[column] - TextWidth.columns(cell)))
        line += alignments[column] == .left ? cell + gap : gap + cell
        if column < last { line += "  " }
      }
      if let words {
        let indent = String(repeating: " ", count: TextWidth.columns(line))
        line += TextWidth.wrapped(cells[last], words).joined(separator: "\n" + indent)
      }
      text += row == 0 ? Style.heading(Self.trimmed(line)) : Self.trimmed(line)
      text += "\n"
    }
    return text
  }

  /// One row below the other, each cell behind the name of its column.
  private func stacked(_ limit: Int) -> String {
    let names = header.dropFirst().map { TextWidth.columns($0) }.max() ?? 0
    return rows.reduce(into: "") { text, cells in
      text += Style.heading(cells[0]) + "\n"
      for (name, cell) in zip(header, cells).dropFirst() where !cell.isEmpty {
        let gap = String(repeating: " ", count: names - TextWidth.columns(name))
        let indent = String(repeating: " ", count: names + 4)
        let parts = TextWidth.wrapped(cell, max(Self.leastWords, limit - names - 4))
        text += "  \(name)\(gap)  \(parts.joined(separator: "\n" + indent))\n"
      }
    }
  }

  private static func trimmed(_ line: String) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
  }
}

/// A number for reading.
enum Decimal {
  /// The number with so many digits after the point; a dash where there is none.
  static func fixed(_ value: Double?, _ places: Int) -> String {
    guard let value, value.isFinite else { return "–" }
    let scale = (0..<places).reduce(1.0) { product, _ in product * 10 }
    guard abs(value) * scale < 0x1p62 else { return value.description }
    let scaled = Int((abs(value) * scale).rounded())
    let whole = scaled / Int(scale)
    let digits = String(scaled % Int(scale))
    let sign = value < 0 && scaled != 0 ? "-" : ""
    guard places > 0 else { return sign + String(whole) }
    return sign + "\(whole)." + String(repeating: "0", count: places - digits.count) + digits
  }

  /// The number with about four significant digits: enough to read a day's value.
  static func short(_ value: Double?) -> String {
    guard let value, value.isFinite else { return "–" }
    if value == value.rounded(), abs(value) < 1e15 { return fixed(value, 0) }
    return fixed(value, abs(value) >= 100 ? 1 : abs(value) >= 10 ? 2 : 3)
  }
}
