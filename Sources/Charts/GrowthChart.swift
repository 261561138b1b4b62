/// How a cost grows with a size: points and the line through them, both axes logarithmic.
package struct GrowthChart: Sendable {
  private let title: String
  private let sizes: [Double]
  private let costs: [Double]
  private let axisNames: (across: String, up: String)
  private let format: @Sendable (Double) -> String

  /// - Parameters:
  ///   - axisNames: what each axis shows, with its unit.
  ///   - format: how a cost is written.
  package init(
    title: String, sizes: [Double], costs: [Double], axisNames: (across: String, up: String),
    format: @escaping @Sendable (Double) -> String
  ) {
    (self.title, self.sizes, self.costs) = (title, sizes, costs)
    (self.axisNames, self.format) = (axisNames, format)
  }

  package var drawing: Drawing {
    var drawing = Drawing(width: 380, height: 280)
    let (left, right, top, bottom) = (74.0, 360.0, 30.0, 226.0)
    let across = Scale(logarithmic: sizes, from: left, to: right)
    let up = Scale(logarithmic: costs, from: bottom, to: top)
    drawing.text(title, .init(left, 16), .start, "strong")
    for tick in across.ticks {
      let x = across.place(tick)
      drawing.line(.init(x, top), .init(x, bottom), "grid")
      drawing.text(Figures.compact(tick), .init(x, bottom + 16), .middle, "quiet")
    }
    for tick in up.ticks {
      let y = up.place(tick)
      drawing.line(.init(left, y), .init(right, y), "grid")
      drawing.text(format(tick), .init(left - 6, y + 4), .end, "quiet")
    }
    drawing.line(.init(left, bottom), .init(right, bottom), "axis")
    drawing.line(.init(left, top), .init(left, bottom), "axis")
    let points = zip(sizes, costs).map { Drawing.Point(across.place($0), up.place($1)) }
    drawing.path(points, "blue")
    for point in points { drawing.dot(point, 3.5, "blue") }
    drawing.text(
      "\(axisNames.across); \(axisNames.up); both axes logarithmic",
      .init((left + right) / 2, bottom + 36), .middle, "quiet")
    return drawing
  }
}
