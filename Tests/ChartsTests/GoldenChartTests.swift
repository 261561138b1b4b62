import Charts
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Each kind of chart on a few values, compared with the SVG that was looked at.
///
/// After a wanted change: `DIURNAL_WRITE_GOLDEN=1 swift test --filter ChartsTests`, then look at the files.
@Suite struct `A chart of each kind draws what was looked at` {
  private static let axis = TimeAxis(days: 0...13, ticks: [(0, "1 Jan"), (7, "8 Jan")])

  private static let values = (0..<14).filter { $0 != 6 }.map {
    DayValue(day: $0, value: 5 + Double($0 * 5 % 7) / 2)
  }

  static let charts: [(name: String, drawing: Drawing)] = [
    (
      "fan",
      FanChart(
        axis: axis,
        steps: values.map {
          FanChart.Step(
            day: $0.day, forecast: 6.5, band: $0.day < 3 ? nil : 5...8.5,
            outcome: $0.day == 13 ? nil : $0.value, title: "day \($0.day)")
        }
      ).drawing
    ),
    (
      "calendar",
      HeatMap(
        cells: (0..<14).map {
          HeatMap.Cell(
            position: $0, level: $0 == 6 ? nil : $0 % 7, isTyped: $0 == 3, isToday: $0 == 13,
            title: "day \($0)")
        }, months: [(0, "Jan")], range: ("5", "8")
      ).drawing
    ),
    (
      "trend",
      TrendChart(
        axis: axis, values: values, short: Array(values.dropFirst(2)),
        long: Array(values.dropFirst(5)), changes: [9], gap: 1
      ).drawing
    ),
    (
      "bars",
      ContributionBars([
        ("sleep", 0.5, "+0.5"), ("a <very> long & hostile name of a metric", -1, "-1"),
      ])
      .drawing
    ),
    (
      "strips",
      StripPlot(
        [.init(label: "low", values: [1, 2, 2, 3]), .init(label: "high", values: [3, 4, 5])],
        unit: "mood"
      ).drawing
    ),
    (
      "reliability",
      ReliabilityChart([
        .init(forecast: 0.1, observed: 0.08, count: 40),
        .init(forecast: 0.6, observed: 0.7, count: 10),
      ]).drawing
    ),
    (
      "share",
      ShareChart(
        axis: axis, upper: [DayValue(day: 0, value: 0.85), DayValue(day: 13, value: 0.93)],
        lower: [DayValue(day: 0, value: -3), DayValue(day: 13, value: 0.1)], reference: 0.9,
        marks: [5]
      ).drawing
    ),
    (
      "growth",
      GrowthChart(
        title: "fit", sizes: [10, 100, 1000], costs: [1, 12, 130],
        axisNames: ("days", "time, ms"), format: { Figures.short($0) + " ms" }
      ).drawing
    ),
  ]

  @Test(arguments: charts.map(\.name))
  func `and nothing else`(name: String) throws {
    let drawing = try #require(Self.charts.first { $0.name == name }?.drawing)
    let file = SharedData.checkout.appending(path: "Tests/Golden/charts/\(name).svg")
    let svg = drawing.svg(label: name, isFile: true) + "\n"
    if ProcessInfo.processInfo.environment["DIURNAL_WRITE_GOLDEN"] == "1" {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(svg.utf8).write(to: file)
    }
    let golden = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    #expect(svg == golden)
  }
}
