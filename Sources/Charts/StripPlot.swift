/// The days behind a statement: the outcome on two kinds of days, a dot a day, with the mean of each.
package struct StripPlot: Sendable {
  /// One kind of days.
  package struct Strip: Sendable {
    let label: String
    let values: [Double]
    package init(label: String, values: [Double]) { (self.label, self.values) = (label, values) }
  }

  private let strips: [Strip]
  private let unit: String

  /// - Parameter unit: what the axis shows.
  package init(_ strips: [Strip], unit: String) { (self.strips, self.unit) = (strips, unit) }

  package var drawing: Drawing {
    let pitch = 46.0
    let bottom = Double(strips.count) * pitch + 6
    var drawing = Drawing(width: 420, height: bottom + 36)
    let scale = Scale(linear: strips.flatMap(\.values), from: 130, to: 404)
    for tick in scale.ticks {
      let x = scale.place(tick)
      drawing.line(.init(x, 4), .init(x, bottom), "grid")
      drawing.text(Figures.compact(tick), .init(x, bottom + 14), .middle, "quiet")
    }
    drawing.text(unit, .init(267, bottom + 30), .middle, "quiet")
    for (row, strip) in strips.enumerated() {
      let centre = Double(row) * pitch + 4 + pitch / 2
      drawing.text(strip.label, .init(0, centre), .start, "strong")
      drawing.text("\(strip.values.count) days", .init(0, centre + 14), .start, "quiet")
      for (index, value) in strip.values.enumerated() {
        // Spread by the golden ratio: even, and the same on every machine.
        let share = (Double(index) * 0.618_033_988_749_894_9).truncatingRemainder(dividingBy: 1)
        drawing.dot(.init(scale.place(value), centre + (share - 0.5) * (pitch - 14)), 1.6, "faint")
      }
      guard !strip.values.isEmpty else { continue }
      let count = Double(strip.values.count)
      let x = scale.place(strip.values.reduce(0) { $0 + $1 / count })
      drawing.line(
        .init(x, centre - pitch / 2 + 3), .init(x, centre + pitch / 2 - 3),
        row == 0 ? "blue" : "red")
    }
    return drawing
  }
}
