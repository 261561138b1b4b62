#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The curves of the sweep as one SVG: a panel each, both axes logarithmic, points and the fitted power.
struct Chart {
  let title: String
  let curves: [Growth]

  private let panelWidth = 380.0
  private let panelHeight = 270.0
  private let columns = 2

  var svg: String {
    let rows = (curves.count + columns - 1) / columns
    let width = panelWidth * Double(columns)
    let height = 48 + panelHeight * Double(rows)
    var parts = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(width)) \(Int(height))" \
      font-family="Helvetica, Arial, sans-serif" font-size="12" fill="#222222">
      <rect width="100%" height="100%" fill="#ffffff"/>
      <text x="20" y="28" font-size="16" font-weight="bold">\(Self.escaped(title))</text>
      """
    ]
    for (index, curve) in curves.enumerated() {
      let x = panelWidth * Double(index % columns)
      let y = 48 + panelHeight * Double(index / columns)
      parts.append("<g transform=\"translate(\(Int(x)) \(Int(y)))\">")
      parts.append(panel(curve))
      parts.append("</g>")
    }
    parts.append("</svg>\n")
    return parts.joined(separator: "\n")
  }

  /// One curve in a box of its own.
  private func panel(_ curve: Growth) -> String {
    let left = 64.0
    let top = 30.0
    let right = panelWidth - 24
    let bottom = panelHeight - 46
    let across = Axis(curve.sizes, from: left, to: right)
    let up = Axis(curve.costs, from: bottom, to: top)
    let isMemory = curve.name.contains("memory")
    var parts = [
      "<text x=\"\(Int(left))\" y=\"16\" font-weight=\"bold\">\(Self.escaped(curve.name)), "
        + "exponent \(Format.fixed(curve.exponent, 2))</text>"
    ]
    for tick in across.ticks {
      let x = Self.number(across.place(tick))
      parts.append(
        "<line x1=\"\(x)\" x2=\"\(x)\" y1=\"\(top)\" y2=\"\(bottom)\" stroke=\"#e4e4e4\"/>"
          + "<text x=\"\(x)\" y=\"\(bottom + 18)\" text-anchor=\"middle\">\(Self.size(tick))</text>"
      )
    }
    for tick in up.ticks {
      let y = Self.number(up.place(tick))
      let label = isMemory ? Format.memory(bytes: tick) : Format.time(seconds: tick)
      parts.append(
        "<line x1=\"\(left)\" x2=\"\(right)\" y1=\"\(y)\" y2=\"\(y)\" stroke=\"#e4e4e4\"/>"
          + "<text x=\"\(left - 6)\" y=\"\(up.place(tick) + 4)\" text-anchor=\"end\">\(label)</text>"
      )
    }
    parts.append(
      "<rect x=\"\(left)\" y=\"\(top)\" width=\"\(right - left)\" height=\"\(bottom - top)\" "
        + "fill=\"none\" stroke=\"#888888\"/>")
    let points = zip(curve.sizes, curve.costs).map { (across.place($0), up.place($1)) }
    let line = points.map { "\(Self.number($0.0)),\(Self.number($0.1))" }.joined(separator: " ")
    parts.append(
      "<polyline points=\"\(line)\" fill=\"none\" stroke=\"#1f5fa8\" stroke-width=\"2\"/>")
    for (x, y) in points {
      parts.append(
        "<circle cx=\"\(Self.number(x))\" cy=\"\(Self.number(y))\" r=\"3.5\" fill=\"#1f5fa8\"/>")
    }
    let subject = curve.name.split(separator: " ").last.map(String.init) ?? ""
    parts.append(
      "<text x=\"\((left + right) / 2)\" y=\"\(bottom + 36)\" text-anchor=\"middle\">"
        + "\(Self.escaped(subject))</text>")
    return parts.joined(separator: "\n")
  }

  /// A logarithmic axis that reaches over all values and at least a decade.
  private struct Axis {
    let low: Double
    let high: Double
    let from: Double
    let to: Double

    init(_ values: [Double], from: Double, to: Double) {
      let positive = values.filter { $0 > 0 }
      let least = log10(positive.min() ?? 1)
      let most = log10(positive.max() ?? 10)
      let room = max(0.12, (1.2 - (most - least)) / 2)
      low = least - room
      high = most + room
      self.from = from
      self.to = to
    }

    func place(_ value: Double) -> Double {
      from + (to - from) * (log10(value) - low) / (high - low)
    }

    /// The decades within, with 2 and 5 between them where there are few.
    var ticks: [Double] {
      let steps: [Double] = high - low < 2.2 ? [1, 2, 5] : [1]
      var ticks: [Double] = []
      for decade in Int(floor(low))...Int(ceil(high)) {
        for step in steps {
          let value = step * pow(10, Double(decade))
          let place = log10(value)
          if place >= low && place <= high { ticks.append(value) }
        }
      }
      return ticks
    }
  }

  private static func number(_ value: Double) -> String { Format.fixed(value, 1) }

  /// A size as people write it: 2M, 500k, 36.
  private static func size(_ value: Double) -> String {
    switch value {
    case 1e9...: Format.fixed(value / 1e9, 0) + "G"
    case 1e6...: Format.fixed(value / 1e6, 0) + "M"
    case 1e4...: Format.fixed(value / 1e3, 0) + "k"
    default: Format.fixed(value, 0)
    }
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
  }
}
