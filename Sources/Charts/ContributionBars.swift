/// What adds to a forecast and what takes away from it: a bar each around a common zero.
package struct ContributionBars: Sendable {
  private let bars: [(name: String, value: Double, text: String)]

  /// - Parameter bars: in the order of the rows; `text` is the value as it is written.
  package init(_ bars: [(name: String, value: Double, text: String)]) { self.bars = bars }

  package var drawing: Drawing {
    let pitch = 20.0
    var drawing = Drawing(width: 420, height: Double(bars.count) * pitch + 6)
    let largest = bars.map { abs($0.value) }.max() ?? 0
    let zero = 290.0
    let reach = 70.0
    for (row, bar) in bars.enumerated() {
      let y = Double(row) * pitch + 3
      let length = largest > 0 ? abs(bar.value) / largest * reach : 0
      drawing.text(Self.shortened(bar.name), .init(zero - reach - 10, y + 12), .end)
      drawing.box(
        .init(bar.value < 0 ? zero - length : zero, y + 3), width: length, height: 12,
        bar.value < 0 ? "bar down" : "bar")
      drawing.text(bar.text, .init(zero + reach + 8, y + 12), .start, "quiet")
    }
    drawing.line(.init(zero, 0), .init(zero, Double(bars.count) * pitch + 6), "axis")
    return drawing
  }

  private static func shortened(_ name: String) -> String {
    name.count > 34 ? name.prefix(33) + "…" : name
  }
}
