/// One metric over time: its values, two trailing means and the days on which its level changed.
package struct TrendChart: Sendable {
  private let axis: TimeAxis
  private let values: [DayValue]
  private let short: [DayValue]
  private let long: [DayValue]
  private let changes: [Int]
  private let gap: Int

  /// - Parameters:
  ///   - values: ascending days, those without a value left out.
  ///   - short: the mean over 7 days; `long`: over 28.
  ///   - changes: days on which the level changed for good.
  ///   - gap: days between neighbouring points beyond which a curve is interrupted.
  package init(
    axis: TimeAxis, values: [DayValue], short: [DayValue], long: [DayValue], changes: [Int],
    gap: Int
  ) {
    (self.axis, self.values, self.short, self.long) = (axis, values, short, long)
    (self.changes, self.gap) = (changes, gap)
  }

  package var drawing: Drawing {
    var drawing = Drawing(width: 340, height: 130)
    let panel = Panel(in: &drawing, axis: axis, values: values.lazy.map(\.value), left: 40)
    for change in changes where axis.days.contains(change) {
      let x = panel.across.place(Double(change))
      drawing.line(.init(x, panel.top), .init(x, panel.bottom), "mark")
    }
    for value in values { drawing.dot(panel.point(value.day, value.value), 1, "faint") }
    panel.curve(short, "blue thin", gap: gap, in: &drawing)
    panel.curve(long, "red", gap: gap, in: &drawing)
    return drawing
  }
}
