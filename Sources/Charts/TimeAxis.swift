/// A day axis with labelled ticks; days are numbers, so that nothing here knows a calendar.
package struct TimeAxis: Sendable {
  /// The first and last day shown.
  package let days: ClosedRange<Int>
  /// Days with a label, ascending.
  package let ticks: [(day: Int, label: String)]

  package init(days: ClosedRange<Int>, ticks: [(day: Int, label: String)]) {
    (self.days, self.ticks) = (days, ticks)
  }

  func scale(from: Double, to: Double) -> Scale {
    Scale(exactly: Double(days.lowerBound)...Double(days.upperBound), from: from, to: to)
  }
}

/// One value of a series.
package struct DayValue: Sendable, Equatable {
  package let day: Int
  package let value: Double
  package init(day: Int, value: Double) { (self.day, self.value) = (day, value) }
}

/// The box in which curves over days are drawn: grid, axis labels and the two scales.
struct Panel {
  let across: Scale
  let up: Scale
  let left: Double
  let right: Double
  let top: Double
  let bottom: Double

  /// Draws the grid of a panel into `drawing`.
  init(
    in drawing: inout Drawing, axis: TimeAxis, values: some Sequence<Double>, left: Double = 44,
    top: Double = 10, format: (Double) -> String = Figures.compact
  ) {
    self.init(
      in: &drawing, axis: axis,
      up: Scale(linear: values, from: drawing.height - 22, to: top), left: left, top: top,
      format: format)
  }

  init(
    in drawing: inout Drawing, axis: TimeAxis, up: Scale, left: Double = 44, top: Double = 10,
    format: (Double) -> String = Figures.compact
  ) {
    (self.left, self.top, right, bottom) = (left, top, drawing.width - 12, drawing.height - 22)
    self.up = up
    across = axis.scale(from: left + 4, to: right - 4)
    for tick in up.ticks {
      let y = up.place(tick)
      drawing.line(.init(left, y), .init(right, y), "grid")
      drawing.text(format(tick), .init(left - 6, y + 4), .end, "quiet")
    }
    var free = left - 1
    for tick in axis.ticks where axis.days.contains(tick.day) {
      let x = across.place(Double(tick.day))
      drawing.line(.init(x, bottom), .init(x, bottom + 4), "axis")
      let half = Double(tick.label.count) * 3
      // A label that would touch its neighbour or leave the drawing is left out; its tick stays.
      guard x - half >= free, x + half <= drawing.width else { continue }
      drawing.text(tick.label, .init(x, bottom + 16), .middle, "quiet")
      free = x + half + 6
    }
    drawing.line(.init(left, bottom), .init(right, bottom), "axis")
  }

  func point(_ day: Int, _ value: Double) -> Drawing.Point {
    .init(across.place(Double(day)), up.place(value))
  }

  /// A line through values of consecutive days, interrupted where more than `gap` days are missing.
  func curve(_ values: [DayValue], _ style: String, gap: Int = 1, in drawing: inout Drawing) {
    var stretch: [Drawing.Point] = []
    var last: Int?
    for value in values {
      if let last, value.day - last > gap {
        drawing.path(stretch, style)
        stretch = []
      }
      stretch.append(point(value.day, value.value))
      last = value.day
    }
    drawing.path(stretch, style)
  }
}
