/// A year of days as a calendar: a column a week, a row a weekday.
package struct HeatMap: Sendable {
  /// One day.
  package struct Cell: Sendable {
    /// Days since the Monday of the first column.
    let position: Int
    /// 0 (least) to 6 (most); nil where the day has no value.
    let level: Int?
    let isTyped: Bool
    let isToday: Bool
    let title: String

    package init(position: Int, level: Int?, isTyped: Bool, isToday: Bool, title: String) {
      self.position = position
      self.level = level.map { min(6, max(0, $0)) }
      (self.isTyped, self.isToday, self.title) = (isTyped, isToday, title)
    }
  }

  private let cells: [Cell]
  private let months: [(column: Int, label: String)]
  private let range: (low: String, high: String)

  /// - Parameters:
  ///   - months: the column in which each month begins, and its name.
  ///   - range: what the lightest and the darkest level stand for.
  package init(
    cells: [Cell], months: [(column: Int, label: String)], range: (low: String, high: String)
  ) {
    (self.cells, self.months, self.range) = (cells, months, range)
  }

  private static let pitch = 13.0
  private static let left = 30.0
  private static let top = 18.0

  package var drawing: Drawing {
    let columns = (cells.last?.position ?? 0) / 7 + 1
    let width = max(Self.left + Double(columns) * Self.pitch + 6, 260)
    var drawing = Drawing(width: width, height: Self.top + 7 * Self.pitch + 30)
    var free = 0.0
    for month in months {
      let x = Self.left + Double(month.column) * Self.pitch
      guard x >= free else { continue }
      drawing.text(month.label, .init(x, 12), .start, "quiet")
      free = x + 28
    }
    for (row, name) in [(0, "Mon"), (2, "Wed"), (4, "Fri"), (6, "Sun")] {
      drawing.text(
        name, .init(Self.left - 5, Self.top + Double(row) * Self.pitch + 9.5), .end, "quiet")
    }
    for cell in cells { draw(cell, in: &drawing) }
    legend(in: &drawing)
    return drawing
  }

  private func draw(_ cell: Cell, in drawing: inout Drawing) {
    let x = Self.left + Double(cell.position / 7) * Self.pitch
    let y = Self.top + Double(cell.position % 7) * Self.pitch
    let size = Self.pitch - 2
    if let level = cell.level {
      drawing.box(.init(x, y), width: size, height: size, "cell q\(level)", title: cell.title)
      if cell.isTyped { drawing.dot(.init(x + size - 2.5, y + 2.5), 1.5, "typed") }
    } else {
      drawing.box(.init(x, y), width: size, height: size, "missing", title: cell.title)
      drawing.line(.init(x, y + size), .init(x + size, y), "hatch")
    }
    if cell.isToday {
      drawing.box(.init(x - 1, y - 1), width: size + 2, height: size + 2, "today")
    }
  }

  private func legend(in drawing: inout Drawing) {
    let y = Self.top + 7 * Self.pitch + 10
    var x = Self.left
    drawing.text(range.low, .init(x, y + 9.5), .start, "quiet")
    x += Double(range.low.count) * 6.2 + 6
    for level in 0...6 {
      drawing.box(.init(x, y), width: 11, height: 11, "cell q\(level)")
      x += Self.pitch
    }
    drawing.text(range.high, .init(x + 4, y + 9.5), .start, "quiet")
  }
}
