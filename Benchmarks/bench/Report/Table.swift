/// Rows of text under headings, each column as wide as its widest cell.
struct Table {
  let headings: [String]
  /// The columns that hold words and are aligned to the left; numbers go to the right.
  var leftColumns: Set<Int> = [0]
  private(set) var rows: [[String]] = []

  init(_ headings: [String], left leftColumns: Set<Int> = [0]) {
    self.headings = headings
    self.leftColumns = leftColumns
  }

  /// Adds a row; missing cells stay empty.
  mutating func add(_ cells: [String]) {
    rows.append(cells + Array(repeating: "", count: max(0, headings.count - cells.count)))
  }

  /// The whole table, without a line break at its end.
  var text: String {
    let widths = headings.indices.map { column in
      rows.reduce(headings[column].count) { max($0, $1[column].count) }
    }
    func line(_ cells: [String]) -> String {
      var parts: [String] = []
      for (column, cell) in cells.enumerated() {
        let space = String(repeating: " ", count: widths[column] - cell.count)
        parts.append(leftColumns.contains(column) ? cell + space : space + cell)
      }
      var text = parts.joined(separator: "  ")
      while text.last == " " { text.removeLast() }
      return text
    }
    let rule = widths.map { String(repeating: "-", count: $0) }
    return ([headings, rule] + rows).map(line).joined(separator: "\n")
  }
}
