/// Forecasts as they were made, day by day, with their band and what came; tomorrow at the right end.
package struct FanChart: Sendable {
  /// The forecast of one day.
  package struct Step: Sendable {
    let day: Int
    let forecast: Double
    let band: ClosedRange<Double>?
    let outcome: Double?
    let title: String

    package init(
      day: Int, forecast: Double, band: ClosedRange<Double>?, outcome: Double?, title: String
    ) {
      (self.day, self.forecast, self.band, self.outcome) = (day, forecast, band, outcome)
      self.title = title
    }
  }

  private let axis: TimeAxis
  private let steps: [Step]

  /// - Parameter steps: ascending days; the last may have no outcome yet.
  package init(axis: TimeAxis, steps: [Step]) { (self.axis, self.steps) = (axis, steps) }

  package var drawing: Drawing {
    var drawing = Drawing(width: 720, height: 240)
    let values = steps.flatMap {
      [$0.forecast, $0.outcome ?? .nan, $0.band?.lowerBound ?? .nan, $0.band?.upperBound ?? .nan]
    }
    let panel = Panel(in: &drawing, axis: axis, values: values)
    for band in bands() {
      let top = band.map { panel.point($0.day, $0.band?.upperBound ?? $0.forecast) }
      let bottom = band.reversed().map { panel.point($0.day, $0.band?.lowerBound ?? $0.forecast) }
      drawing.area(top + bottom, "band")
    }
    panel.curve(
      steps.map { DayValue(day: $0.day, value: $0.forecast) }, "blue dashed", gap: 7, in: &drawing)
    for step in steps {
      if let outcome = step.outcome {
        drawing.dot(panel.point(step.day, outcome), 2.6, "", title: step.title)
      } else {
        let place = panel.point(step.day, step.forecast)
        if let band = step.band {
          drawing.line(
            panel.point(step.day, band.lowerBound), panel.point(step.day, band.upperBound), "blue")
        }
        drawing.dot(place, 4, "hollow", title: step.title)
      }
    }
    return drawing
  }

  /// Stretches of neighbouring days that have a band.
  private func bands() -> [[Step]] {
    var bands: [[Step]] = []
    for step in steps where step.band != nil {
      if let last = bands.last?.last, step.day - last.day <= 7 {
        bands[bands.count - 1].append(step)
      } else {
        bands.append([step])
      }
    }
    return bands
  }
}
