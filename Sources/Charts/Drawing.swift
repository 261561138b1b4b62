/// A drawing in SVG, made of a few shapes whose looks are classes of ``ChartStyle``.
///
/// Coordinates are written with one digit after the point, so that the same data give the same bytes on every
/// machine.
package struct Drawing: Sendable {
  /// A place in the drawing.
  package struct Point: Sendable {
    package let x: Double
    package let y: Double
    package init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
  }

  /// Which end of a text lies at its place.
  package enum Anchor: String, Sendable { case start, middle, end }

  package let width: Double
  package let height: Double
  private var body = ""

  /// An empty drawing.
  package init(width: Double, height: Double) { (self.width, self.height) = (width, height) }

  package mutating func line(_ from: Point, _ to: Point, _ style: String) {
    body +=
      "<line class=\"\(style)\" x1=\"\(n(from.x))\" y1=\"\(n(from.y))\" x2=\"\(n(to.x))\" y2=\"\(n(to.y))\"/>"
  }

  /// A line through all points; a single one becomes a dot.
  package mutating func path(_ points: [Point], _ style: String) {
    guard let first = points.first else { return }
    guard points.count > 1 else { return dot(first, 1.2, style + " dot") }
    body += "<polyline class=\"\(style)\" points=\"\(list(points))\"/>"
  }

  /// A filled shape around all points.
  package mutating func area(_ points: [Point], _ style: String) {
    guard points.count > 2 else { return }
    body += "<polygon class=\"\(style)\" points=\"\(list(points))\"/>"
  }

  package mutating func dot(
    _ at: Point, _ radius: Double, _ style: String, title: String? = nil
  ) {
    let start = "<circle class=\"\(style)\" cx=\"\(n(at.x))\" cy=\"\(n(at.y))\" r=\"\(n(radius))\""
    body += start + closing("circle", title)
  }

  package mutating func box(
    _ corner: Point, width: Double, height: Double, _ style: String, title: String? = nil
  ) {
    let start =
      "<rect class=\"\(style)\" x=\"\(n(corner.x))\" y=\"\(n(corner.y))\" width=\"\(n(width))\" height=\"\(n(height))\""
    body += start + closing("rect", title)
  }

  /// Writes text, which is escaped here.
  package mutating func text(
    _ text: String, _ at: Point, _ anchor: Anchor = .start, _ style: String = ""
  ) {
    body +=
      "<text\(style.isEmpty ? "" : " class=\"\(style)\"") x=\"\(n(at.x))\" y=\"\(n(at.y))\""
      + "\(anchor == .start ? "" : " text-anchor=\"\(anchor.rawValue)\"")>\(Markup.escaped(text))</text>"
  }

  /// Puts another drawing at a place.
  package mutating func place(_ drawing: Drawing, _ at: Point) {
    body += "<g transform=\"translate(\(n(at.x)) \(n(at.y)))\">\(drawing.body)</g>"
  }

  /// The drawing as one `svg` element.
  ///
  /// - Parameters:
  ///   - label: what a screen reader says in its place.
  ///   - isFile: whether it is a file of its own and needs a name space, a ground and its own style.
  package func svg(label: String, isFile: Bool = false) -> String {
    let size = "\(n(width)) \(n(height))"
    let ground =
      isFile
      ? "<style>\(ChartStyle.css)</style><rect class=\"ground\" width=\"100%\" height=\"100%\"/>"
      : ""
    return
      "<svg\(isFile ? " xmlns=\"http://www.w3.org/2000/svg\"" : "") class=\"chart\" viewBox=\"0 0 \(size)\""
      + " style=\"max-width:\(n(width))px\" role=\"img\" aria-label=\"\(Markup.escaped(label))\">"
      + "\(ground)\(body)</svg>"
  }

  private func closing(_ element: String, _ title: String?) -> String {
    guard let title else { return "/>" }
    return "><title>\(Markup.escaped(title))</title></\(element)>"
  }

  private func list(_ points: [Point]) -> String {
    points.map { "\(n($0.x)),\(n($0.y))" }.joined(separator: " ")
  }

  private func n(_ value: Double) -> String { Figures.coordinate(value) }
}
