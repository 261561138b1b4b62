/// How often it came when it was said to come with a probability: a dot a bin; on the diagonal the two agree.
package struct ReliabilityChart: Sendable {
  /// Forecasts of about one probability.
  package struct Bin: Sendable, Equatable {
    /// The mean probability.
    package let forecast: Double
    /// The share of days on which it came.
    package let observed: Double
    package let count: Int
    package init(forecast: Double, observed: Double, count: Int) {
      (self.forecast, self.observed, self.count) = (forecast, observed, count)
    }
  }

  private let bins: [Bin]

  package init(_ bins: [Bin]) { self.bins = bins }

  package var drawing: Drawing {
    var drawing = Drawing(width: 260, height: 240)
    let across = Scale(exactly: 0...1, from: 44, to: 244)
    let up = Scale(exactly: 0...1, from: 196, to: 8)
    for tick in [0, 0.25, 0.5, 0.75, 1.0] {
      let percent = "\(Figures.short(100 * tick)) %"
      drawing.line(.init(44, up.place(tick)), .init(244, up.place(tick)), "grid")
      drawing.text(percent, .init(40, up.place(tick) + 4), .end, "quiet")
      drawing.text(percent, .init(across.place(tick), 212), .middle, "quiet")
    }
    drawing.text("said", .init(144, 232), .middle, "quiet")
    drawing.line(.init(44, 196), .init(244, 8), "mark")
    let most = Double(bins.map(\.count).max() ?? 1)
    for bin in bins {
      drawing.dot(
        .init(across.place(bin.forecast), up.place(bin.observed)),
        3 + 5 * (Double(bin.count) / most).squareRoot(), "blue",
        title:
          "said \(Figures.short(100 * bin.forecast)) %, came \(Figures.short(100 * bin.observed)) %: \(bin.count) days"
      )
    }
    return drawing
  }
}
