/// A share or a skill over time, with a second curve below it and the line it should keep to.
package struct ShareChart: Sendable {
  private let axis: TimeAxis
  private let upper: [DayValue]
  private let lower: [DayValue]
  private let reference: Double
  private let marks: [Int]

  /// - Parameters:
  ///   - upper: the curve; shares of 1 are written as percent.
  ///   - lower: a bound of it, drawn dashed; empty where there is none.
  ///   - reference: what the curve should keep to, or be above.
  ///   - marks: days with a mark across the panel.
  package init(
    axis: TimeAxis, upper: [DayValue], lower: [DayValue] = [], reference: Double,
    marks: [Int] = []
  ) {
    (self.axis, self.upper, self.lower) = (axis, upper, lower)
    (self.reference, self.marks) = (reference, marks)
  }

  package var drawing: Drawing {
    var drawing = Drawing(width: 340, height: 150)
    // Early bounds lie far below; they are cut off so that the rest can be read.
    let values = (upper + lower).map { min(1, max(-0.5, $0.value)) } + [reference]
    let panel = Panel(
      in: &drawing, axis: axis, values: values, format: { "\(Figures.short(100 * $0)) %" })
    func cut(_ series: [DayValue]) -> [DayValue] {
      series.map { DayValue(day: $0.day, value: min(1, max(-0.5, $0.value))) }
    }
    let y = panel.up.place(reference)
    drawing.line(.init(panel.left, y), .init(panel.right, y), "mark")
    for mark in marks where axis.days.contains(mark) {
      let x = panel.across.place(Double(mark))
      drawing.line(.init(x, panel.top), .init(x, panel.bottom), "green")
    }
    panel.curve(cut(lower), "red dashed thin", gap: 60, in: &drawing)
    panel.curve(cut(upper), "blue", gap: 60, in: &drawing)
    return drawing
  }
}
