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
  var text: String {
    let lines = [header] + rows
    let widths = header.indices.map { column in
      lines.map { $0[column].count }.max() ?? 0
    }
    return lines.reduce(into: "") { text, cells in
      var line = ""
      for (column, cell) in cells.enumerated() {
        let gap = String(repeating: " ", count: widths[column] - cell.count)
        line += alignments[column] == .left ? cell + gap : gap + cell
        if column < cells.count - 1 { line += "  " }
      }
      while line.last == " " { line.removeLast() }
      text += line + "\n"
    }
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
